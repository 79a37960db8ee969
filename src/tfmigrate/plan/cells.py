"""Recurrent cells: by which expression each is reached, and where its weights can be made early."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.facts import Binding, Statement
from tfmigrate.analysis.recurrent_cells import Cell
from tfmigrate.plan.naming import Names, object_name
from tfmigrate.plan.refusing import refuse

if TYPE_CHECKING:
    from tfmigrate.plan.planner import Planner


def plan_cells(planner: Planner) -> None:
    """Name the cells that are called: as the source does, or with a name of their own where they stand in a step."""
    attributes = {layer_class.scope: layer_class.attributes for layer_class in planner.plan.layers.values()}
    for statement in sorted(planner.facts.statements.values(), key=lambda s: s.order):
        inside = statement.scope in attributes
        if statement.scope not in planner.drivers and not inside:
            continue
        for lift in statement.lifts.values():
            if not isinstance(lift.value, Cell):
                continue
            for cell in _made_there(planner, lift.expression, lift.value):
                if cell.root not in (None, cell) or cell in planner.plan.layer_names:
                    continue
                if planner.bindings.of(planner.bindings.unit(statement)) is not Binding.STEP:
                    if cell.name is not None and cell.name in statement.defines:
                        _name(planner, statement, cell, attributes.get(statement.scope))
                elif _in_comprehension(statement, lift.expression):
                    message = "cells are made in a comprehension beside a probability that is a tensor"
                    refuse(planner.plan, "TFM133", lift.expression, message)
                else:
                    planner.plan.layer_names[cell] = _fresh(planner, statement, cell)


def _name(planner: Planner, statement: Statement, cell: Cell, attributes: dict[str, str] | None) -> None:
    """The cell's own name; another one where that is bound again to something else than a cell around it."""
    assert cell.name is not None
    others = [s for s in planner.bindings.binders(statement.scope, cell.name) if s is not statement]
    if any(not (isinstance(s.value, Cell) and _holds(cell, s.value)) for s in others):
        name = _fresh(planner, statement, cell)
        if attributes is not None:
            attributes.pop(cell.name, None)
            attributes[name] = name
    else:
        name = attributes.get(cell.name, cell.name) if attributes is not None else cell.name
    planner.plan.layer_names[cell] = name


def _holds(cell: Cell, inner: Cell) -> bool:
    return any(part is inner or _holds(part, inner) for part in cell.parts)


def _made_there(planner: Planner, node: cst.CSTNode, first: Cell) -> list[Cell]:
    """All cells that the place made, one for each call of the function around it."""
    found = [v for v in planner.facts.made_layers if isinstance(v, Cell) and v.expression is node]
    return found or [first]


def _fresh(planner: Planner, statement: Statement, cell: Cell) -> str:
    base = object_name(cell, cell.kind.lower())
    if statement.scope in planner.drivers:
        return planner.names[statement.scope.path].fresh(base)
    return Names({n for s in statement.scope.statements for n in s.defines}).fresh(base)


def _in_comprehension(statement: Statement, node: cst.CSTNode) -> bool:
    finder = _Comprehensions(node)
    statement.node.visit(finder)
    return finder.found


class _Comprehensions(cst.CSTVisitor):
    """Whether a comprehension holds the node."""

    def __init__(self, node: cst.CSTNode) -> None:
        super().__init__()
        self.node, self.depth, self.found = node, 0, False

    def on_visit(self, node: cst.CSTNode) -> bool:
        self.depth += isinstance(node, cst.BaseComp)
        self.found |= node is self.node and self.depth > 0
        return True

    def on_leave(self, original_node: cst.CSTNode) -> None:
        self.depth -= isinstance(original_node, cst.BaseComp)


def list_cells(planner: Planner) -> None:
    """Let lists of trained variables name a cell of several cells by all that it holds, however many they are."""
    for variable in planner.facts.variables:
        cell = variable.layer
        if isinstance(cell, Cell) and (cell.multiple or cell.parts):
            text = planner.plan.variable_names.get(variable)
            if text is not None and text.endswith(f".{variable.attribute}"):
                root = text.removesuffix(f".{variable.attribute}")
                planner.plan.variable_lists[variable] = f"*{root}.trainable_variables"
                if not cell.counted:
                    del planner.plan.variable_names[variable]
