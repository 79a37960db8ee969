"""The runs of statements that several step functions could share as one function.

Candidates are the pure statements that two or more step functions of one block have in common, closed under their
dependencies: no effects, gradients, summaries or elements of an iterator.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass

from tfmigrate.analysis.facts import Statement
from tfmigrate.analysis.values import Gradients, Layer, Operation, Optimizer, Summary, leaves
from tfmigrate.plan.program import Phase, StepFunction
from tfmigrate.plan.readings import Readings
from tfmigrate.plan.shared_names import fed_names, is_forward

MOST_RESULTS = 4
SHORTER = 40  # beginnings of a candidate that are tried where the whole has too many results

Holders = dict[Statement, dict[StepFunction, None]]  # for units that steps have in common: which steps


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


def holders_among(steps: list[StepFunction], readings: Readings) -> Holders:
    """The pure units that two or more of the steps have in common, in the steps' order."""
    found: Holders = {}
    for step in steps:
        shared, watched = _shared(step), _watched(step)
        for unit in step.units:
            if (
                unit.phase is not Phase.EFFECT
                and unit.statement not in shared
                and _is_pure(unit.statement, watched, readings)
            ):
                found.setdefault(unit.statement, {})[step] = None
    return {unit: users for unit, users in found.items() if len(users) > 1}


def connected(holders: Holders) -> list[Holders]:
    """The units set apart where no step has any of both, directly or by way of others; in their order."""
    members: dict[StepFunction, list[Statement]] = {}
    for unit, users in holders.items():
        for step in users:
            members.setdefault(step, []).append(unit)
    group: dict[Statement, Holders] = {}
    for first in holders:
        todo, together = [first], Holders()
        while todo:
            unit = todo.pop()
            if unit not in group:
                group[unit] = together
                for step in holders[unit]:
                    todo.extend(members.pop(step, ()))
    for unit, users in holders.items():
        group[unit][unit] = users
    return [found for first, found in group.items() if next(iter(found)) is first]


def candidates_of(holders: Holders, readings: Readings) -> Iterator[Candidate]:
    """All candidates among the units that steps hold in common."""
    steps = list(dict.fromkeys(step for users in holders.values() for step in users))
    fed = fed_names(steps, readings)
    held: dict[StepFunction, list[Statement]] = {}
    for unit, users in holders.items():
        for step in users:
            held.setdefault(step, []).append(unit)
    for sharing in dict.fromkeys(tuple(users) for users in holders.values()):
        alike = [u for u in held[sharing[0]] if holders[u].keys() >= set(sharing) and _is_alike(u, sharing, readings)]
        closed = _closed(sorted(alike, key=lambda u: u.order), sharing, readings)
        for end in range(len(closed), max(len(closed) - SHORTER, 0), -1):
            candidate = _valid(closed[:end], list(sharing), fed, readings)
            if candidate is not None:
                yield candidate
                if len(candidate.results) == 1:
                    break


# which units


def _shared(step: StepFunction) -> set[Statement]:
    return {u.statement for function, _ in step.prefix for u in function.units}


def _watched(step: StepFunction) -> set[int]:
    """What the step takes gradients with respect to."""
    return {
        id(s) for g in step.gradients if isinstance(g, Gradients) and g.sources is not None for s in leaves(g.sources)
    }


def _is_pure(unit: Statement, watched: set[int], readings: Readings) -> bool:
    """Whether the unit only computes: its place among other units does not matter but for the names it reads."""
    for statement in readings.bindings.descendants(unit):
        if statement.runs or statement.escapes or id(statement.value) in watched:
            return False
        if any(
            isinstance(m, (Operation, Gradients, Summary, Optimizer)) or getattr(m, "effect", False) or id(m) in watched
            for m in (*statement.made, *(leaf for value in statement.values for leaf in leaves(value)))
        ):
            return False
        if statement.effect and not statement.mutates:
            return False
    return bool(readings.defined(unit)) and not readings.takes_element(unit)


def _is_alike(unit: Statement, users: Iterable[StepFunction], readings: Readings) -> bool:
    """Whether the unit is written alike for all: a layer whose averages move in one step only is not."""
    first, *others = users
    if all(step.updating == first.updating for step in others):
        return True
    facts = readings.facts
    return not any(
        call in facts.layer_calls
        or call in facts.layer_results
        or call in facts.calls
        or isinstance(facts.values.get(call), Layer)
        for call in readings.calls(unit)
    )


# closed under dependencies


class _Surroundings:
    """What a candidate's units may depend on in one step."""

    def __init__(self, step: StepFunction, readings: Readings) -> None:
        self.readings, self.given = readings, _shared(step)
        self.units = {u.statement for u in step.units}
        self.mutating: dict[str, list[Statement]] = {}
        for unit in step.units:
            for name in readings.mutated(unit.statement):
                self.mutating.setdefault(name, []).append(unit.statement)

    def offers(self, unit: Statement, kept: Container[Statement]) -> bool:
        """Whether all that the unit depends on moves with it, or is there before."""
        changed = {
            other
            for name in (self.readings.reads(unit) if self.mutating else ())
            for other in self.mutating.get(name, ())
            if other.order < unit.order
        }
        return all(
            other in kept or other in self.given or self.readings.takes_element(other)
            for other in self.readings.needs(unit) | changed
            if other in self.units and other is not unit
        )


def _closed(units: list[Statement], users: Iterable[StepFunction], readings: Readings) -> list[Statement]:
    """Without what depends on statements that stay in the steps."""
    around = [_Surroundings(step, readings) for step in users]
    kept = dict.fromkeys(units)
    changed = True
    while changed:
        changed = False
        for unit in list(kept):
            if not all(step.offers(unit, kept) for step in around):
                del kept[unit]
                changed = True
    return list(kept)


# results


def _valid(
    units: list[Statement], users: list[StepFunction], fed: set[str | None], readings: Readings
) -> Candidate | None:
    for step in users:
        if not readings.keeps_meaning(step, units):
            return None
    needed = {name for step in users for name in readings.needed(step, units)}
    results = [n for n in _defined_in_order(readings.defined(u) for u in units) if n in needed]
    if not 1 <= len(results) <= MOST_RESULTS:
        return None
    return Candidate(users, units, results, is_forward(units, results, fed, readings))


def _defined_in_order(names: Iterable[set[str]]) -> list[str]:
    found: dict[str, None] = {}
    for group in names:
        for name in sorted(group):
            found.pop(name, None)
            found[name] = None
    return list(found)
