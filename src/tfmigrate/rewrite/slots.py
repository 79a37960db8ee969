"""Optimizers' own variables (slots): made where the trained variables exist, not when a step first runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.facts import Scope, Statement
from tfmigrate.analysis.recurrent_cells import Cell
from tfmigrate.analysis.values import Layer, Operation, Optimizer, Variable
from tfmigrate.rewrite import layout, nodes
from tfmigrate.rules.base import LayerForm

if TYPE_CHECKING:
    from tfmigrate.rewrite.driver import DriverRewriter


class Slots:
    """Writes the slots of one file's optimizers, and the lists of trained variables that they are built for."""

    def __init__(self, driver: DriverRewriter) -> None:
        self.driver = driver
        self._names: dict[tuple[Scope | None, str], str] = {}  # of the lists, by scope and text
        self._written: set[str] = set()

    def built(self, name: str, optimizer: Optimizer) -> list[cst.BaseStatement]:
        """The list of trained variables, and the optimizer's slots for them."""
        operations = [
            m
            for s in self.driver.facts.statements.values()
            for m in s.made
            if isinstance(m, Operation) and m.optimizer is optimizer
        ]
        if len(operations) != 1 or operations[0].kind != "minimize" or operations[0].variables_node is not None:
            return []
        operation = operations[0]
        texts = list(dict.fromkeys(self.driver.plan.listed(v, optimizer.scope) for v in operation.trained))
        if not texts or any(t is None for t in texts) or any(self._is_late(v) for v in operation.trained):
            return []
        listed = "[" + ", ".join(t for t in texts if t) + "]"
        variables = self._list_name(listed, optimizer.scope)
        made: list[cst.BaseStatement] = []
        if variables not in self._written:
            self._written.add(variables)
            made.append(nodes.assign(variables, layout.one_a_line(nodes.expression(listed))))
        made.append(nodes.statements(f"{name}.build({variables})\n")[0])
        for node in made:
            self.driver.marks.scope(node)
        self.driver.plan.optimizer_lists[optimizer] = variables
        return made

    def _is_late(self, variable: Variable) -> bool:
        """Whether the variable is made when its layer is first called."""
        layer = variable.layer
        if isinstance(layer, Cell):
            return layer not in self.driver.plan.cell_builds
        return isinstance(layer, Layer) and isinstance(layer.form, LayerForm)

    def late(self, statement: Statement) -> list[cst.BaseStatement]:
        """The slots of an optimizer that has a statement of its own: where its train op stood, since its variables
        exist by then.
        """
        if any(self.driver.bindings.runs(loop) for loop in statement.loops):
            return []
        for made in statement.made:
            if isinstance(made, Operation) and made.kind == "minimize" and made.optimizer is not None:
                name = self.driver.plan.optimizer_names.get(made.optimizer)
                if (
                    name is not None
                    and made.optimizer.statement is not statement
                    and made.optimizer not in self.driver.plan.optimizer_lists
                ):
                    return self.built(name, made.optimizer)
        return []

    def _list_name(self, listed: str, scope: Scope | None) -> str:
        """The name of a list of variables in the scope that makes them."""
        if (scope, listed) not in self._names:
            self._names[scope, listed] = self.driver.fresh("trainable_variables")
        return self._names[scope, listed]
