"""The width of what a recurrent cell is called with, as an expression of the build part: its weights are made early.

The last dimension of the inputs is read off a placeholder or a variable, or is written in the program. What is not
known here is left to the first call of the cell, which is traced before any step runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate import symbols
from tfmigrate.analysis import dimensions
from tfmigrate.analysis.dimensions import Dimension
from tfmigrate.analysis.facts import Statement
from tfmigrate.analysis.recurrent_cells import Cell, State
from tfmigrate.analysis.values import Graphlike, Placeholder, Sequence, Tensor, Value, Variable
from tfmigrate.plan.inner_layers import layer_text
from tfmigrate.plan.name_places import names_in
from tfmigrate.rules.base import BoundCall
from tfmigrate.rules.engine import bind
from tfmigrate.rules.expressions import code, literal

if TYPE_CHECKING:
    from tfmigrate.plan.planner import Planner

DEEPEST = 12
RANK = 3  # of what networks run over and give


class Widths:
    """Looks for the width of the inputs of one statement."""

    def __init__(self, planner: Planner, statement: Statement) -> None:
        self.planner, self.statement = planner, statement
        self.visible = set(statement.scope.ancestors())

    def shape(self, value: Value | None, depth: int = 0) -> str | None:
        """An expression whose last dimension is the value's: `x_spec.shape`, `(None, n_hidden)`."""
        if isinstance(value, Sequence) and value.items:
            return self.shape(value.items[0], depth + 1)
        if depth > DEEPEST or not isinstance(value, Graphlike) or isinstance(value, State):
            return None
        known = dimensions.of(value)
        found = self._read(known[-1]) if known else None
        if found is not None or not isinstance(value, Tensor):
            return found
        if isinstance(value.expression, cst.Subscript):
            return self.shape(value.inputs[0], depth + 1) if _keeps_the_last(value.expression) else None
        return self._of_call(value, depth) if isinstance(value.expression, cst.Call) else None

    def _read(self, dimension: Dimension) -> str | None:
        of = dimension.of
        if isinstance(of, Placeholder):
            spec = self.planner.plan.spec_names.get(of)
            if spec is None or not dimension.known or of.scope is not self.statement.scope:
                return None
            return _last(f"{spec}.shape", dimension.index, len(of.shape or ()))
        if isinstance(of, Variable):
            text = self.planner.plan.text(of, self.statement.scope)
            return None if text is None else _last(f"{text}.shape", dimension.index, len(of.shape or ()))
        if dimension.node is None or not dimension.known:
            return None
        bound = {name for scope in self.visible for name in scope.bound}
        return f"(None, {code(dimension.node)})" if names_in(dimension.node) <= bound else None

    def _of_call(self, value: Tensor, depth: int) -> str | None:
        """Lists of tensors have no dimensions of their own."""
        node = value.expression
        assert isinstance(node, cst.Call)
        facts = self.planner.facts
        symbol = symbols.canonical(facts.symbols.get(node.func, ""))
        call = bind(symbol, node) if symbols.legacy(symbol) is not None else None
        if not isinstance(call, BoundCall):
            return None
        if symbol == "nn.static_rnn" and "cell" in call.arguments:
            cell = facts.values.get(call.arguments["cell"])
            text = layer_text(self.planner, cell) if isinstance(cell, Cell) else None
            return f"(None, {text}.output_size)" if text is not None else None
        axes = {"unstack": (0, 1), "unpack": (0, 1), "split": (0,)}.get(symbol, ())
        if literal(call.get("axis")) in axes and "value" in call.arguments:
            return self.shape(facts.values.get(call.arguments["value"]), depth + 1)
        return None


def _last(shape: str, index: int, rank: int) -> str:
    return shape if index in (-1, rank - 1) else f"(None, {shape}[{index}])"


def _keeps_the_last(node: cst.Subscript) -> bool:
    """Whether `outputs[:, t]` has the last dimension of `outputs`."""
    if len(node.slice) < RANK:
        return True
    last = node.slice[-1].slice
    return len(node.slice) == RANK and isinstance(last, cst.Slice) and last.lower is last.upper is last.step is None


def build_early(planner: Planner) -> None:
    """Plan the statements that make cells' weights where the network stood that made them in TensorFlow 1."""
    for cell in planner.facts.made_layers:
        if not isinstance(cell, Cell) or cell.used is None or cell.holder is not None:
            continue
        statement, name = cell.used, planner.plan.layer_names.get(cell)
        if name is None or statement.scope not in planner.drivers or cell.scope is not statement.scope:
            continue
        if any(not at.transparent for at in _around(planner.bindings.unit(statement))):
            continue
        shape = Widths(planner, statement).shape(cell.inputs)
        if shape is not None:
            planner.plan.cell_builds[cell] = f"{name}.build({shape})"


def _around(statement: Statement) -> list[Statement]:
    found = []
    at = statement.parent
    while at is not None:
        found.append(at)
        at = at.parent
    return found
