"""Build-once expressions inside other statements, as the optimizer in `AdamOptimizer().minimize(loss)`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.facts import Statement
from tfmigrate.analysis.recurrent_cells import Cell
from tfmigrate.analysis.values import Graphlike, Iterator_, Layer, Optimizer, Variable
from tfmigrate.rewrite import nodes
from tfmigrate.rewrite.constructors import constructor

if TYPE_CHECKING:
    from tfmigrate.rewrite.driver import DriverRewriter


def lifted(driver: DriverRewriter, statement: Statement) -> list[cst.BaseStatement]:
    """Build-once expressions inside the statement, each as a statement of its own."""
    if not statement.lifts or not _runs_here(driver, statement):
        return []
    made: list[cst.BaseStatement] = []
    for lift in statement.lifts.values():
        name = _name(driver, statement, lift.value)
        if name is not None:
            made.extend(_statement(driver, name, lift.expression, lift.value))
    return made


def _statement(driver: DriverRewriter, name: str, expression: cst.Call, value: Graphlike) -> list[cst.BaseStatement]:
    """`name = …` for one build-once expression, and an optimizer's slots."""
    node = constructor(driver, expression, value)
    line = nodes.assign(name, node)
    driver.marks.scope(line)
    made: list[cst.BaseStatement] = [line]
    if isinstance(value, Optimizer):
        made.extend(driver.slots.built(name, value))
    return made


def _runs_here(driver: DriverRewriter, statement: Statement) -> bool:
    """Whether the statement stands in a body that runs the session, or that has the steps of others that do."""
    scope = statement.scope
    return (
        scope.is_module
        or any(step.scope is scope for step in driver.plan.steps)
        or any(run.statement.scope is scope for run in driver.facts.runs.values())
    )


def _name(driver: DriverRewriter, statement: Statement, value: Graphlike) -> str | None:
    """The name that the lifted object gets; None where its own statement makes it."""
    gone = driver.gone(statement)
    if isinstance(value, Cell):
        return driver.plan.layer_names.get(value) if gone else None
    if isinstance(value, Layer):
        return driver.plan.layer_names.get(value)
    if isinstance(value, Iterator_):
        return driver.plan.iterator_names.get(value) if gone and statement.value is not value else None
    if isinstance(value, Optimizer):
        name = driver.plan.optimizer_names.get(value)
        return name if gone and statement.value is not value else None
    if isinstance(value, Variable):
        name = driver.plan.variable_names.get(value)
        direct = value.name == name and statement.value is value
        return name if gone and not direct else None
    return None
