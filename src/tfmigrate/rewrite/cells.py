"""Weights of recurrent cells: made where the network stood that made them in TensorFlow 1, and listed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.facts import Statement
from tfmigrate.analysis.recurrent_cells import Cell
from tfmigrate.analysis.values import Value, Variable
from tfmigrate.plan.program import Plan
from tfmigrate.rewrite import nodes
from tfmigrate.rewrite.arguments import keyword

if TYPE_CHECKING:
    from tfmigrate.rewrite.driver import DriverRewriter
    from tfmigrate.rewrite.expressions import ExpressionRewriter


def all_listed(plan: Plan, value: Value, listed: Sequence[Value]) -> str | None:
    """`*stacked.trainable_variables` for a variable of a cell of several, where the list holds all of that cell's."""
    cell = value.layer if isinstance(value, Variable) else None
    if isinstance(value, Variable) and isinstance(cell, Cell) and all(v in listed for v in cell.variables):
        return plan.variable_lists.get(value)
    return None


def initialized(rewriter: ExpressionRewriter, original: cst.Call, made: cst.BaseExpression) -> cst.BaseExpression:
    """The cell's constructor with the initializer of the variable scope around it."""
    default = rewriter.facts.default_initializers.get(original)
    if default is None or not isinstance(made, cst.Call) or not isinstance(rewriter.facts.values.get(original), Cell):
        return made
    visited = default.visit(rewriter)
    assert isinstance(visited, cst.BaseExpression)
    return made.with_changes(args=[*made.args, keyword("kernel_initializer", visited)])


def is_late(plan: Plan, value: Value) -> bool:
    """Whether the value is a variable that a cell makes when it is first called."""
    return isinstance(value, Variable) and isinstance(value.layer, Cell) and value.layer not in plan.cell_builds


def built(driver: DriverRewriter, statement: Statement) -> list[cst.BaseStatement]:
    """`cell.build(x_spec.shape)` of the cells that the statement calls first."""
    made: list[cst.BaseStatement] = []
    for cell, text in driver.plan.cell_builds.items():
        if cell.used is not None and driver.bindings.unit(cell.used) is statement:
            line = nodes.statements(f"{text}\n")[0]
            driver.marks.scope(line)
            made.append(line)
    return made
