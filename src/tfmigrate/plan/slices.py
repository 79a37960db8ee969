"""Backward slices: the statements that a set of fetches needs, the placeholders they read and the host values they
take.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice

import libcst as cst

from tfmigrate.analysis.facts import Binding, Facts, Scope, Statement, Uses
from tfmigrate.analysis.values import (
    Gradients,
    Graphlike,
    MovingAverage,
    Operation,
    Optimizer,
    Placeholder,
    Sequence,
    Summary,
    Tensor,
    Value,
    leaves,
)
from tfmigrate.plan.bindings import Bindings
from tfmigrate.plan.calls import calls_in


@dataclass
class Slice:
    """What a set of fetches needs. `inputs`: host names that differ from call to call, with the scope that binds
    them.
    """

    units: dict[Statement, None] = field(default_factory=dict)
    placeholders: dict[Placeholder, None] = field(default_factory=dict)
    inputs: dict[tuple[Scope, str], set[Statement]] = field(default_factory=dict)
    built: dict[Statement, None] = field(default_factory=dict)
    cuts: dict[Graphlike, None] = field(default_factory=dict)
    closure: dict[tuple[Scope, str], set[Statement]] = field(default_factory=dict)
    reads: list[tuple[Scope, str, frozenset[Statement]]] = field(default_factory=list)  # of host names, a use at a time
    elements: dict[Statement, None] = field(default_factory=dict)  # statements that take an iterator's next element
    updating: set[Graphlike] = field(default_factory=set)  # layers whose averages move


class Slicer:
    """Computes slices over the statements' uses."""

    def __init__(self, facts: Facts, bindings: Bindings) -> None:
        self.facts, self.bindings = facts, bindings
        self._shape_sets = frozenset(facts.shape_sets)

    def slice(
        self, seeds: list[Uses], values: list[Value], scope: Scope, varying: set[Statement], cuts: set[Graphlike]
    ) -> Slice:
        """The slice of what `seeds` use and `values` are. `varying`: loops whose host values change between runs."""
        found = Slice()
        self._cuts, self._varying, self._found = cuts, varying, found
        self._named_cuts: dict[tuple[Scope | None, str | None], list[Graphlike]] = {}
        for cut in cuts:
            self._named_cuts.setdefault((cut.scope, cut.name), []).append(cut)
        for uses in seeds:
            self._uses(uses, scope, None)
        for value in values:
            self._value(value, scope)
        self._accumulators(found, scope)
        return found

    def _value(self, value: Value, scope: Scope) -> None:
        if isinstance(value, Placeholder):
            self._found.placeholders.setdefault(value)
            return
        if isinstance(value, Graphlike) and value in self._cuts:
            self._found.cuts.setdefault(value)
            return
        if isinstance(value, Summary):
            for summary in value.members or (value,):
                if summary.statement is not None:
                    self._uses(summary.statement.uses, scope, summary.statement)
                    self._controls(summary.statement, scope)
            return
        if isinstance(value, Operation) and value.kind == "update":
            if value.layer is not None:
                self._found.updating.add(value.layer)
            for member in value.members:
                self._value(member, scope)
            return
        if isinstance(value, Operation) and value.kind in ("group", "no_op"):
            for member in value.members:
                for leaf in leaves(member):
                    self._value(leaf, scope)
            if value.statement is not None and not value.statement.runs:
                self.visit(value.statement, scope)
            return
        if isinstance(value, (Tensor, Gradients, Operation)) and value.step and value.statement is not None:
            if value.scope not in set(scope.ancestors()):
                return
            if not value.statement.runs and self.bindings.of(value.statement) is not Binding.HOST:
                self.visit(value.statement, scope)
            for other in self._mutators(value):
                self.visit(other, scope)
        elif isinstance(value, Sequence):
            for item in value.items:
                self._value(item, scope)

    def _mutators(self, value: Graphlike) -> list[Statement]:
        """Statements that changed the tensor in place (set_shape)."""
        if value.name is None or value.scope is None:
            return []
        return [
            s
            for s in self.bindings.mutators(value.scope, value.name)
            if s.effect and any(call in self._shape_sets for call in calls_in(s.node))
        ]

    def visit(self, statement: Statement, scope: Scope) -> None:
        """Take the statement's unit into the slice, and what it needs."""
        if statement in self.elements:
            self._found.elements.setdefault(statement)
            return
        unit = self.bindings.unit(statement)
        if unit in self._found.units:
            return
        self._found.units[unit] = None
        for inner in self.bindings.descendants(unit):
            self._uses(inner.uses, inner.scope, unit)
            self._controls(inner, scope)
            for made in inner.made:
                if isinstance(made, Operation) and made.optimizer is not None:
                    self._optimizer(made.optimizer, scope)
            for value in inner.values:
                for leaf in leaves(value):
                    if isinstance(leaf, Operation) and leaf.kind == "group":
                        for member in leaf.members:
                            self._value(member, scope)

    def _optimizer(self, optimizer: Optimizer, scope: Scope) -> None:
        """The rate of an optimizer may be computed in the step."""
        if optimizer.statement is not None and optimizer.rate is not None:
            self._found.built.setdefault(optimizer.statement)
            for leaf in leaves(optimizer.rate):
                if isinstance(leaf, (Tensor, Placeholder)) and leaf.step:
                    self._value(leaf, scope)
                    if leaf.name is None:
                        self._uses(optimizer.statement.uses, optimizer.statement.scope, optimizer.statement)

    def _controls(self, statement: Statement, scope: Scope) -> None:
        for control in statement.controls:
            for leaf in leaves(control):
                if isinstance(leaf, Graphlike) and leaf.statement is not None and leaf.step:
                    self._value(leaf, scope)

    def _uses(self, uses: Uses, scope: Scope, unit: Statement | None) -> None:
        outer = set(scope.ancestors())
        for (owner, name), defs in uses.items():
            if owner not in outer:
                continue
            if not defs:
                self._host(owner, name, defs, scope)
            for definition in defs:
                if unit is not None and definition.within(unit):
                    continue
                self._definition(definition, owner, name, defs, scope)

    def _definition(self, definition: Statement, owner: Scope, name: str, defs: set[Statement], scope: Scope) -> None:
        cut = next((c for c in self._named_cuts.get((owner, name), ()) if _gives(definition, c)), None)
        if cut is not None:
            if isinstance(cut, Placeholder):
                self._found.placeholders.setdefault(cut)
            else:
                self._found.cuts.setdefault(cut)
            return
        placeholders = [p for p in definition.made if isinstance(p, Placeholder)]
        named = [p for p in placeholders if p.name == name]
        if named:
            self._found.placeholders.setdefault(named[0])
            return
        binding = self.bindings.of(definition)
        if (binding in (Binding.STEP, Binding.RANDOM) and not definition.runs) or (
            binding is Binding.CONSTANT and self._varies(definition, owner)
        ):
            self.visit(definition, scope)
        elif binding is Binding.BUILD:
            self._found.built.setdefault(definition)
            for leaf in [v for value in definition.values for v in leaves(value)]:
                if isinstance(leaf, MovingAverage):
                    self._found.built.update((s, None) for s, o in self.facts.averaging.items() if o.averages is leaf)
                if isinstance(leaf, Placeholder):
                    self._found.placeholders.setdefault(leaf)
        elif binding is Binding.HOST and any(
            isinstance(v, (Tensor, Placeholder)) and v.step for value in definition.values for v in leaves(value)
        ):
            self.visit(definition, scope)
        else:
            self._host(owner, name, defs, scope)

    def _varies(self, definition: Statement, owner: Scope) -> bool:
        return any(definition.within(loop) for loop in self._varying)

    def _host(self, owner: Scope, name: str, defs: set[Statement], scope: Scope) -> None:
        if any(self._varies(d, owner) for d in defs) or owner in self.local_scopes:
            self._found.inputs.setdefault((owner, name), set()).update(defs)
        else:
            self._found.reads.append((owner, name, frozenset(defs)))
            self._found.closure.setdefault((owner, name), set()).update(defs)

    elements: frozenset[Statement] = frozenset()
    local_scopes: frozenset[Scope] = frozenset()  # scopes of functions that only run: their names are parameters

    def _accumulators(self, found: Slice, scope: Scope) -> None:
        """Host statements that begin what the slice goes on with (`loss = 0`, `layers = []`) are part of it."""
        defined: set[str] = set()
        looked_at = 0
        changed = True
        while changed:
            changed = False
            for unit in islice(found.units, looked_at, None):
                for s in self.bindings.descendants(unit):
                    defined |= s.defines | s.mutates
            looked_at = len(found.units)
            for (owner, name), defs in list(found.closure.items()):
                if name not in defined:
                    continue
                for definition in defs:
                    if definition in found.units or not isinstance(definition.node, cst.SimpleStatementLine):
                        continue
                    if definition.scope is owner and self.bindings.of(definition) in (Binding.HOST, Binding.CONSTANT):
                        if any(isinstance(s, (cst.Import, cst.ImportFrom)) for s in definition.node.body):
                            continue
                        found.units[definition] = None
                        self._uses(definition.uses, definition.scope, definition)
                        changed = True


def _gives(definition: Statement, value: Graphlike) -> bool:
    """Whether the statement makes just this thing, or another name for it: its name may be bound to others too."""
    return (
        value.statement is definition
        or value in definition.made
        or (len(definition.defines) == 1 and any(v is value for each in definition.values for v in leaves(each)))
    )
