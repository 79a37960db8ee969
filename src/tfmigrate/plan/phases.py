"""The order inside a step function: first what is differentiated, then what is only computed, then effects."""

from __future__ import annotations

import libcst as cst

from tfmigrate.analysis.facts import Statement
from tfmigrate.analysis.values import Gradients, Graphlike, Operation, Tensor, Value, leaves
from tfmigrate.plan.bindings import Bindings
from tfmigrate.plan.program import Phase


def in_phases(units: list[Statement], bindings: Bindings) -> list[tuple[Statement, Phase]]:
    """The units of a step with their phases, by phase and within one in their order."""
    return _Phases(units, bindings).ordered()


class _Phases:
    def __init__(self, units: list[Statement], bindings: Bindings) -> None:
        self.units, self.bindings = units, bindings
        self.inside = frozenset(units)
        self._known: dict[Statement, set[Statement]] = {}

    def ordered(self) -> list[tuple[Statement, Phase]]:
        taped: set[Statement] = set()
        for unit in self.units:
            for statement in self.bindings.descendants(unit):
                for made in statement.made:
                    for target in _differentiated(made):
                        self._take_ancestors(target, statement, taped)
                    self._take(list(self._lists(made, statement)), taped)
        effects: set[Statement] = set()
        for unit in self.units:
            own = any(s.effect for s in self.bindings.descendants(unit)) and not self._only_shapes(unit)
            depends = any(d in effects for d in self._direct(unit))
            if own or depends:
                effects.add(unit)
        result: list[tuple[Statement, Phase]] = []
        for unit in self.units:
            phase = Phase.TAPE if unit in taped else (Phase.EFFECT if unit in effects else Phase.PURE)
            result.append((unit, phase))
        return sorted(result, key=lambda pair: (pair[1].value, pair[0].order))

    def _lists(self, made: Value, at: Statement) -> set[Statement]:
        """The units that bind lists of the variables that are trained: the gradients need them."""
        listed = made.variables_node if isinstance(made, Operation) and made.kind == "minimize" else None
        listed = made.sources_node if isinstance(made, Gradients) else listed
        if not isinstance(listed, cst.Name):
            return set()
        defs = {d for (_, name), found in at.uses.items() if name == listed.value for d in found}
        return {
            u
            for u in map(self.bindings.unit, defs)
            if u in self.units and not any(isinstance(m, Gradients) for m in u.made)
        }

    def _only_shapes(self, unit: Statement) -> bool:
        return all(
            not s.effect
            or (
                bool(s.mutates)
                and not any(isinstance(m, Graphlike) and getattr(m, "effect", False) for m in s.made)
                and not any(isinstance(m, Operation) for m in s.made)
            )
            for s in self.bindings.descendants(unit)
        )

    def _take_ancestors(self, target: Value, at: Statement, found: set[Statement]) -> None:
        """Add the units that a gradient's target is computed by; what is found already has its ancestors there."""
        unit = self.bindings.unit(at)
        todo: list[Statement] = []
        if (
            isinstance(target, Graphlike)
            and target.statement is not None
            and self.bindings.unit(target.statement) is not unit
        ):
            todo.append(self.bindings.unit(target.statement))
        elif isinstance(target, Graphlike):
            todo.extend(d for d in self._direct(unit) if self._feeds_target(d, target))
        self._take(todo, found)

    def _take(self, todo: list[Statement], found: set[Statement]) -> None:
        """Add the units and those that they use."""
        while todo:
            each = todo.pop()
            if each not in found and each in self.inside:
                found.add(each)
                todo.extend(self._direct(each))

    def _feeds_target(self, unit: Statement, target: Graphlike) -> bool:
        made = {id(m) for s in self.bindings.descendants(unit) for m in s.made} | {
            id(v) for s in self.bindings.descendants(unit) for value in s.values for v in leaves(value)
        }
        seen: set[int] = set()

        def reaches(value: Value) -> bool:
            if id(value) in seen:
                return False
            seen.add(id(value))
            if id(value) in made:
                return True
            inputs = value.inputs if isinstance(value, Tensor) else ()
            return any(reaches(i) for v in inputs for i in leaves(v))

        return reaches(target)

    def _direct(self, unit: Statement) -> set[Statement]:
        """The units that this one uses directly (by name or by control dependency)."""
        if unit not in self._known:
            self._known[unit] = self._find_direct(unit)
        return self._known[unit]

    def _find_direct(self, unit: Statement) -> set[Statement]:
        found: set[Statement] = set()
        for statement in self.bindings.descendants(unit):
            for defs in statement.uses.values():
                for definition in defs:
                    other = self.bindings.unit(definition)
                    if other in self.inside and other is not unit:
                        found.add(other)
            for control in statement.controls:
                for leaf in leaves(control):
                    if isinstance(leaf, Graphlike) and leaf.statement is not None:
                        other = self.bindings.unit(leaf.statement)
                        if other in self.inside and other is not unit:
                            found.add(other)
        return found


def _differentiated(made: Graphlike) -> tuple[Value, ...]:
    """What this takes gradients of."""
    if isinstance(made, Gradients):
        return tuple(made.targets)
    if isinstance(made, Operation) and made.kind == "minimize" and made.loss is not None:
        return (made.loss,)
    return ()
