"""The runs of statements that several step functions could share as one function.

Candidates are the pure statements that two or more step functions of one block have in common, closed under their
dependencies: no effects, gradients, summaries or elements of an iterator.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tfmigrate.analysis.facts import Facts, Statement
from tfmigrate.analysis.values import Gradients, Graphlike, Layer, Operation, Optimizer, Summary, leaves
from tfmigrate.plan.bindings import Bindings
from tfmigrate.plan.calls import calls_in
from tfmigrate.plan.program import Phase, StepFunction, Unit
from tfmigrate.plan.readings import Readings
from tfmigrate.plan.shared_names import is_forward

MOST_RESULTS = 4
SHORTER = 40  # beginnings of a candidate that are tried where the whole has too many results


@dataclass
class Candidate:
    """Statements that some steps have in common, and the names that the steps need of them."""

    users: list[StepFunction]
    units: list[Statement]
    results: list[str]
    forward: bool

    @property
    def gain(self) -> int:
        """Statements saved, less for more results; a network's output is worth a function of its own even as a single
        line.
        """
        return len(self.users) * (len(self.units) - len(self.results) + (1 if self.forward else 0))


class Candidates:
    """The candidates among the step functions of one block."""

    def __init__(self, facts: Facts, bindings: Bindings, readings: Readings, steps: list[StepFunction]) -> None:
        self.facts, self.bindings, self.readings, self.steps = facts, bindings, readings, steps

    def __iter__(self) -> Iterator[Candidate]:
        """All candidates of the steps as they are now."""
        holders: dict[Statement, list[StepFunction]] = {}
        for step in self.steps:
            shared = _shared(step)
            for unit in step.units:
                if unit.statement not in shared and self._pure(unit, step):
                    holders.setdefault(unit.statement, []).append(step)
        for users in {tuple(map(id, steps)): steps for steps in holders.values() if len(steps) > 1}.values():
            units = [u for u, steps in holders.items() if all(s in steps for s in users) and self._alike(u, users)]
            closed = self._closed(sorted(units, key=lambda u: u.order), users)
            for end in range(len(closed), max(len(closed) - SHORTER, 0), -1):
                candidate = self._valid(closed[:end], users)
                if candidate is not None:
                    yield candidate
                    if len(candidate.results) == 1:
                        break

    # which units

    def _pure(self, unit: Unit, step: StepFunction) -> bool:
        """Whether the unit only computes: its place among other units does not matter but for the names it reads."""
        watched = {
            id(s)
            for g in step.gradients
            if isinstance(g, Gradients) and g.sources is not None
            for s in leaves(g.sources)
        }
        for statement in self.bindings.descendants(unit.statement):
            if statement.runs or statement.escapes or id(statement.value) in watched:
                return False
            if any(
                isinstance(m, (Operation, Gradients, Summary, Optimizer))
                or getattr(m, "effect", False)
                or id(m) in watched
                for m in (*statement.made, *(leaf for value in statement.values for leaf in leaves(value)))
            ):
                return False
            if statement.effect and not statement.mutates:
                return False
        defines = bool(self.readings.defined(unit.statement))
        return unit.phase is not Phase.EFFECT and defines and not self.readings.takes_element(unit.statement)

    def _alike(self, unit: Statement, users: list[StepFunction]) -> bool:
        """Whether the unit is written alike for all: a layer whose averages move in one step only is not."""
        if all(step.updating == users[0].updating for step in users):
            return True
        return not any(
            call in self.facts.layer_calls
            or call in self.facts.layer_results
            or call in self.facts.calls
            or isinstance(self.facts.values.get(call), Layer)
            for call in calls_in(unit.node)
        )

    # closed under dependencies

    def _closed(self, units: list[Statement], users: list[StepFunction]) -> list[Statement]:
        """Without what depends on statements that stay in the steps."""
        kept = list(units)
        changed = True
        while changed:
            inside = set(kept)
            kept = [u for u in kept if all(self._available(u, inside, step) for step in users)]
            changed = len(kept) != len(inside)
        return kept

    def _available(self, unit: Statement, inside: set[Statement], step: StepFunction) -> bool:
        given = _shared(step)
        for other in self._dependencies(unit, [u.statement for u in step.units]):
            if other not in inside and other not in given and not self.readings.takes_element(other):
                return False
        return True

    def _dependencies(self, unit: Statement, units: list[Statement]) -> set[Statement]:
        inside = set(units)
        found: set[Statement] = set()
        names = self.readings.reads(unit)
        for statement in self.bindings.descendants(unit):
            for defs in statement.uses.values():
                found |= {self.bindings.unit(d) for d in defs}
            for control in statement.controls:
                found |= {
                    self.bindings.unit(leaf.statement)
                    for leaf in leaves(control)
                    if isinstance(leaf, Graphlike) and leaf.statement
                }
        found |= {u for u in units if u.order < unit.order and names & self.readings.mutated(u)}
        return (found & inside) - {unit}

    # results

    def _valid(self, units: list[Statement], users: list[StepFunction]) -> Candidate | None:
        for step in users:
            if not self.readings.keeps_meaning(step, units):
                return None
        needed = {name for step in users for name in self.readings.needed(step, units)}
        results = [n for n in _defined_in_order(self.readings.defined(u) for u in units) if n in needed]
        if not 1 <= len(results) <= MOST_RESULTS:
            return None
        return Candidate(users, units, results, is_forward(units, results, self.steps, self.readings))


def _shared(step: StepFunction) -> set[Statement]:
    return {u.statement for function, _ in step.prefix for u in function.units}


def _defined_in_order(names: Iterable[set[str]]) -> list[str]:
    found: dict[str, None] = {}
    for group in names:
        for name in sorted(group):
            found.pop(name, None)
            found[name] = None
    return list(found)
