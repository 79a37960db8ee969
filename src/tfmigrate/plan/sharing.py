"""What several step functions compute alike becomes a function of its own (`forward`, `loss_fn`).

The statements move to the front of each step as one call, so a candidate is taken only where every name still reaches
the same readers and random ops stay in their order, which a run through both orders shows.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING

from tfmigrate.plan.placing import Block, block_of
from tfmigrate.plan.program import Phase, SharedFunction, StepFunction, Unit
from tfmigrate.plan.readings import Readings, with_block
from tfmigrate.plan.shared_candidates import Candidate, candidates_of, connected, holders_among
from tfmigrate.plan.shared_names import function_name

if TYPE_CHECKING:
    from tfmigrate.plan.planner import Planner


def share(planner: Planner) -> None:
    """Plan functions for what the step functions have in common."""
    groups: dict[Block, list[StepFunction]] = {}
    for step in planner.plan.steps:
        if step.anchor is not None:
            groups.setdefault(block_of(step.anchor), []).append(step)
    readings = Readings(planner.facts, planner.bindings)
    for steps in groups.values():
        ordered = sorted(steps, key=lambda s: (s.anchor.order if s.anchor else 0, not s.before))
        Sharing(planner, ordered, readings).run()


class Sharing:
    """The functions shared by the step functions of one block, which stand in their order."""

    def __init__(self, planner: Planner, steps: list[StepFunction], readings: Readings) -> None:
        self.plan, self.bindings, self.steps, self.readings = planner.plan, planner.bindings, steps, readings
        self.names = planner.names[steps[0].scope.path]
        self.position = {step: i for i, step in enumerate(steps)}
        self.best: list[tuple[tuple[int, ...], Candidate, list[StepFunction]]] = []  # a heap, the best one first

    def run(self) -> None:
        """Take the best candidate until none is left."""
        if len(self.steps) > 1:
            self._look_among(self.steps)
        while self.best:
            _, candidate, steps = heappop(self.best)
            self._take(candidate)
            self._look_among(steps)
        self._finish()

    def _look_among(self, steps: list[StepFunction]) -> None:
        """Find the best candidate of these steps, of each part apart that has nothing in common with the others."""
        for holders in connected(holders_among(steps, self.readings)):
            found = [c for c in candidates_of(holders, self.readings) if c.gain >= 2]
            if found:
                best = max(found, key=_worth)
                users = {step for users in holders.values() for step in users}
                together = sorted(users, key=self.position.__getitem__)
                # no step is in two parts, so that the first user's position decides between equals
                order = (*(-w for w in _worth(best)), self.position[best.users[0]])
                heappush(self.best, (order, best, together))

    def _take(self, candidate: Candidate) -> None:
        first = candidate.users[0]
        phases = {u.statement: u.phase for u in first.units}
        function = SharedFunction(
            name=self._name(candidate),
            scope=first.scope,
            parameters=self._parameters(candidate),
            units=[Unit(u, phases[u]) for u in candidate.units],
            returns=candidate.results,
            updating=first.updating,
        )
        self.plan.shared.append(function)
        for step in candidate.users:
            inside = set(candidate.units)
            ordered = {u.statement: u for u in step.units}
            step.units = [ordered[s] for s in with_block(step, candidate.units)]
            taped = any(u.phase is Phase.TAPE for u in step.units if u.statement in inside)
            for unit in step.units:
                if unit.statement in inside:
                    unit.phase = Phase.TAPE if taped else Phase.PURE
            step.prefix.append((function, []))

    def _name(self, candidate: Candidate) -> str:
        forward = candidate.forward and not any(f.name == "forward" for f in self.plan.shared)
        around = list(self.steps[0].scope.ancestors())
        return function_name(
            candidate.results, forward, self.names, lambda name: any(self.bindings.binders(s, name) for s in around)
        )

    def _parameters(self, candidate: Candidate) -> list[str]:
        """The parameters of the steps, and what their other statements give, that the block reads before it binds
        them.
        """
        read: dict[str, None] = {}
        bound: set[str] = set()
        for unit in candidate.units:
            for name in sorted(self.readings.reads(unit) - bound):
                read.setdefault(name)
            bound |= self.readings.defined(unit)
        inside = set(candidate.units)
        order = self.readings.placeholders
        given: set[str] = set()
        fixed: set[str] = set()
        for step in candidate.users:
            given |= {p.name for p in step.parameters} | {name for name, _, _ in step.constants}
            fixed |= {name for name, _, _ in step.constants}
            given |= {
                name for u in step.units if u.statement not in inside for name in self.readings.defined(u.statement)
            }
        wanted = [name for name in read if name in given]
        return sorted(wanted, key=lambda n: (n in fixed, n in order, order.get(n, 0)))

    def _finish(self) -> None:
        """Tell each step which of the results it reads; a later function may read an earlier one's."""
        for step in self.steps:
            pairs = []
            for function, _ in step.prefix:
                needed = self.readings.needed(step, [u.statement for u in function.units])
                pairs.append((function, [name if name in needed else "_" for name in function.returns]))
            step.prefix = pairs


def _worth(candidate: Candidate) -> tuple[int, ...]:
    """What to take first: what saves most, then what has one meaning, then the longest."""
    return candidate.gain, candidate.forward or len(candidate.results) == 1, len(candidate.units)
