"""What several step functions compute alike becomes a function of its own (`forward`, `loss_fn`).

The statements move to the front of each step as one call, so a candidate is taken only where every name still reaches
the same readers and random ops stay in their order, which a run through both orders shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfmigrate.plan.placing import Block, block_of
from tfmigrate.plan.program import Phase, SharedFunction, StepFunction, Unit
from tfmigrate.plan.readings import Readings, with_block
from tfmigrate.plan.shared_candidates import Candidate, Candidates
from tfmigrate.plan.shared_names import function_name

if TYPE_CHECKING:
    from tfmigrate.plan.planner import Planner


def share(planner: Planner) -> None:
    """Plan functions for what the step functions have in common."""
    groups: dict[Block, list[StepFunction]] = {}
    for step in planner.plan.steps:
        if step.anchor is not None:
            groups.setdefault(block_of(step.anchor), []).append(step)
    for steps in groups.values():
        Sharing(planner, sorted(steps, key=lambda s: (s.anchor.order if s.anchor else 0, not s.before))).run()


class Sharing:
    """The functions shared by the step functions of one block, which stand in their order."""

    def __init__(self, planner: Planner, steps: list[StepFunction]) -> None:
        self.facts, self.plan, self.steps = planner.facts, planner.plan, steps
        self.names = planner.names[steps[0].scope.path]
        self.readings = Readings(planner.facts, planner.bindings)
        self.candidates = Candidates(planner.facts, planner.bindings, self.readings, steps)

    def run(self) -> None:
        """Take the best candidate until none is left."""
        while len(self.steps) > 1:
            found = [c for c in self.candidates if c.gain >= 2]
            if not found:
                break
            self._take(max(found, key=lambda c: (c.gain, c.forward or len(c.results) == 1, len(c.units))))
        self._finish()

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
        bound = {name for scope in self.steps[0].scope.ancestors() for s in scope.statements for name in s.defines}
        return function_name(candidate.results, forward, self.names, bound)

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
        order = {p.name: i for i, p in enumerate(self.facts.placeholders)}
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
