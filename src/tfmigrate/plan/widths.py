"""The width of what a recurrent cell is called with, as an expression of the build part: its weights are made early.

Followed are placeholders and the ops that inputs of networks come from. What is not known here is left to the first
call of the cell, which is traced before any step runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate import symbols
from tfmigrate.analysis.facts import Statement
from tfmigrate.analysis.recurrent_cells import Cell, State
from tfmigrate.analysis.values import Graphlike, Host, Placeholder, Sequence, Tensor, Value, Variable
from tfmigrate.plan.inner_layers import layer_text
from tfmigrate.rules.base import BoundCall
from tfmigrate.rules.engine import bind
from tfmigrate.rules.expressions import code, literal

if TYPE_CHECKING:
    from tfmigrate.plan.planner import Planner

_NETWORKS = ("nn.dynamic_rnn", "nn.static_rnn")
DEEPEST = 12


class Widths:
    """Looks for the width of the inputs of one statement."""

    def __init__(self, planner: Planner, statement: Statement) -> None:
        self.planner, self.statement = planner, statement
        self.visible = set(statement.scope.ancestors())

    def shape(self, value: Value | None, depth: int = 0) -> str | None:
        """An expression whose last dimension is the value's: `x_spec.shape`, `(None, n_hidden)`."""
        if depth > DEEPEST:
            return None
        if isinstance(value, Sequence) and value.items:
            return self.shape(value.items[0], depth + 1)
        if not isinstance(value, Graphlike) or value.scope not in self.visible:
            return None
        if isinstance(value, Placeholder):
            spec = self.planner.plan.spec_names.get(value)
            known = value.shape is not None and len(value.shape) > 1 and value.shape[-1] is not None
            return f"{spec}.shape" if known and spec is not None and value.scope is self.statement.scope else None
        if isinstance(value, Variable):
            text = self.planner.plan.variable_names.get(value)
            return f"{text}.shape" if text is not None else None
        if not isinstance(value, Tensor) or isinstance(value, State):
            return None
        if isinstance(value.expression, cst.BinaryOperation) and isinstance(value.expression.operator, cst.Add):
            found = (self.shape(v, depth + 1) for v in value.inputs if isinstance(v, (Tensor, Variable)))
            return next((text for text in found if text is not None), None)
        return self._of_call(value, depth) if isinstance(value.expression, cst.Call) else None

    def _of_call(self, value: Tensor, depth: int) -> str | None:
        node = value.expression
        assert isinstance(node, cst.Call)
        facts = self.planner.facts
        symbol = symbols.canonical(facts.symbols.get(node.func, ""))
        call = bind(symbol, node) if symbols.legacy(symbol) is not None else None
        if not isinstance(call, BoundCall):
            return None

        def given(name: str) -> Value | None:
            argument = call.get(name)
            return facts.values.get(argument) if argument is not None else None

        if symbol in _NETWORKS:
            cell = given("cell")
            text = layer_text(self.planner, cell) if isinstance(cell, Cell) else None
            return f"(None, {text}.output_size)" if text is not None else None
        if symbol == "unstack" and literal(call.get("axis")) in (0, 1):
            return self.shape(given("value"), depth + 1)
        if symbol == "split" and literal(call.get("axis")) == 0:
            return self.shape(given("value"), depth + 1)
        if symbol == "transpose" and literal(call.get("perm")) == [1, 0, 2]:
            return self.shape(given("a"), depth + 1)
        if symbol == "matmul" and len(call.arguments) == 2:
            return self.shape(given("b"), depth + 1)
        if symbol == "nn.embedding_lookup":
            return self.shape(given("params"), depth + 1)
        if symbol in ("nn.relu", "tanh", "sigmoid", "cast", "identity", "nn.dropout"):
            return self.shape(given(next(iter(call.arguments))), depth + 1)
        if symbol == "reshape":
            shape = call.get("shape")
            last = shape.elements[-1].value if isinstance(shape, (cst.List, cst.Tuple)) and shape.elements else None
            return self._width(last)
        return self._width(call.get("units")) if symbol == "layers.dense" else None

    def _width(self, node: cst.BaseExpression | None) -> str | None:
        """`(None, n_hidden)` for an expression of the host."""
        value = self.planner.facts.values.get(node) if node is not None else None
        known = isinstance(value, Host) and isinstance(value.literal, int) and value.literal > 0
        return f"(None, {code(node)})" if node is not None and known else None


def build_early(planner: Planner) -> None:
    """Plan the statements that make cells' weights where the network stood that made them in TensorFlow 1."""
    for cell in planner.facts.made_layers:
        if not isinstance(cell, Cell) or cell.used is None or cell.holder is not None:
            continue
        statement, name = cell.used, planner.plan.layer_names.get(cell)
        if name is None or statement.scope not in planner.drivers or cell.scope is not statement.scope:
            continue
        if any(not at.transparent for at in _around(statement)):
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
