"""What the units of a step read, bind and draw, in their own order and with some of them moved together."""

from __future__ import annotations

from functools import cached_property

import libcst as cst

from tfmigrate.analysis.facts import Facts, Statement
from tfmigrate.analysis.values import Graphlike, Optimizer, Summary, leaves
from tfmigrate.plan.bindings import Bindings
from tfmigrate.plan.calls import calls_in
from tfmigrate.plan.program import Phase, StepFunction
from tfmigrate.plan.random_sequences import drawn, values_of


class Readings:
    """Answers for the units of one program; what one unit does alone is computed once."""

    def __init__(self, facts: Facts, bindings: Bindings) -> None:
        self.facts, self.bindings = facts, bindings
        self.variables = {v.name for v in facts.variables}
        self.placeholders = {p.name: i for i, p in enumerate(facts.placeholders)}
        self._drawing: dict[Statement, bool] = {}
        self._taking: dict[Statement, bool] = {}
        self._calls: dict[Statement, list[cst.Call]] = {}
        self._needs: dict[Statement, set[Statement]] = {}
        self._known: dict[Statement, tuple[set[str], set[str], set[str]]] = {}

    # one unit

    def reads(self, unit: Statement) -> set[str]:
        """The names that the unit reads."""
        return self._names(unit)[0]

    def defined(self, unit: Statement) -> set[str]:
        """The names that the unit binds."""
        return self._names(unit)[1]

    def mutated(self, unit: Statement) -> set[str]:
        """The names of what the unit changes in place."""
        return self._names(unit)[2]

    def _names(self, unit: Statement) -> tuple[set[str], set[str], set[str]]:
        if unit not in self._known:
            inner = self.bindings.descendants(unit)
            self._known[unit] = (
                {name for s in inner for (_, name) in s.uses},
                {n for s in inner for n in s.defines},
                {n for s in inner for n in s.mutates},
            )
        return self._known[unit]

    def draws(self, unit: Statement) -> bool:
        """Whether the unit may draw; what is computed of something drawn counts too, which is never wrong."""
        if unit not in self._drawing:
            called = any(call in self.facts.calls for call in self.calls(unit))
            self._drawing[unit] = called or any(
                id(v) in self._drawn for s in self.bindings.descendants(unit) for v in values_of(s)
            )
        return self._drawing[unit]

    @cached_property
    def _drawn(self) -> set[int]:
        return drawn(self.facts)

    def calls(self, unit: Statement) -> list[cst.Call]:
        """The calls written in the unit."""
        if unit not in self._calls:
            self._calls[unit] = calls_in(unit.node)
        return self._calls[unit]

    def takes_element(self, unit: Statement) -> bool:
        """Whether evaluating the unit takes the next element of a dataset."""
        nexts = self.facts.nexts
        if nexts and unit not in self._taking:
            self._taking[unit] = any(
                call in nexts
                or any(
                    inner in nexts for fact in self.facts.calls.get(call, ()) for inner in calls_in(fact.function.node)
                )
                for call in self.calls(unit)
            )
        return bool(nexts) and self._taking[unit]

    def needs(self, unit: Statement) -> set[Statement]:
        """The units that bind what this one reads, or that it waits for."""
        if unit not in self._needs:
            found: set[Statement] = set()
            for statement in self.bindings.descendants(unit):
                found.update(self.bindings.unit(d) for defs in statement.uses.values() for d in defs)
                found.update(
                    self.bindings.unit(leaf.statement)
                    for control in statement.controls
                    for leaf in leaves(control)
                    if isinstance(leaf, Graphlike) and leaf.statement
                )
            self._needs[unit] = found - {unit}
        return self._needs[unit]

    # an order of units

    def keeps_meaning(self, step: StepFunction, block: list[Statement]) -> bool:
        """Whether each name is read from where it was, and random ops draw in their order, when the block is one
        call.
        """
        before = [u.statement for u in step.units]
        after = with_block(step, block)
        drawn = [u for u in before if self.draws(u)]
        return drawn == [u for u in after if self.draws(u)] and self._givers(before) == self._givers(after)

    def _givers(self, order: list[Statement]) -> dict[tuple[Statement | None, str], tuple[Statement, ...]]:
        """For each unit and name it reads, the units that gave the name its value; for the end, those of every name."""
        bound: dict[str, tuple[Statement, ...]] = {}
        found: dict[tuple[Statement | None, str], tuple[Statement, ...]] = {}
        for unit in order:
            for name in self.reads(unit):
                found[unit, name] = bound.get(name, ())
            mutated = self.mutated(unit)
            for name in self.defined(unit):
                bound[name] = (*bound.get(name, ()), unit) if name in mutated else (unit,)
            for name in mutated - self.defined(unit):
                bound[name] = (*bound.get(name, ()), unit)
        found.update({(None, name): units for name, units in bound.items()})
        return found

    def needed(self, step: StepFunction, block: list[Statement]) -> set[str]:
        """The names that the block gives and that the rest of the step reads."""
        inside = set(block)
        givers = self._givers(with_block(step, block))
        found = {
            name
            for (unit, name), units in givers.items()
            if unit is not None and unit not in inside and inside & set(units)
        }
        last = {name for (unit, name), units in givers.items() if unit is None and inside & set(units)}
        return found | (last & self._fetched(step))

    def _fetched(self, step: StepFunction) -> set[str]:
        """Names that results and learning rates are written with, which no statement of the step tells."""
        found: set[str] = set()
        for unit in step.units:
            for made in (m for s in self.bindings.descendants(unit.statement) for m in s.made):
                optimizer = getattr(made, "optimizer", None)
                if (
                    isinstance(optimizer, Optimizer)
                    and isinstance(optimizer.rate, Graphlike)
                    and optimizer.statement is not None
                ):
                    found |= {name for (_, name) in optimizer.statement.uses}
        for leaf in step.structure.leaves():
            found |= {name for (_, name) in leaf.uses}
            for value in leaves(leaf.value):
                if isinstance(value, Graphlike) and value.name:
                    found.add(value.name)
                for member in (value.members or (value,)) if isinstance(value, Summary) else ():
                    if member.statement is not None:
                        found |= {name for (_, name) in member.statement.uses}
        return found


def with_block(step: StepFunction, block: list[Statement]) -> list[Statement]:
    """The units of the step with the block as one run of statements, where its first differentiated (or first) one
    stood.
    """
    inside = set(block)
    taped = any(u.phase is Phase.TAPE for u in step.units if u.statement in inside)
    result: list[Statement] = []
    done = False
    for unit in step.units:
        if unit.statement not in inside:
            result.append(unit.statement)
        elif not done and (unit.phase is Phase.TAPE or not taped):
            result.extend(sorted(block, key=lambda s: s.order))
            done = True
    return result
