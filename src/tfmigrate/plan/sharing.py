"""What several step functions compute alike becomes a function of its own (`forward`, `loss_fn`).

Candidates are the pure statements that two or more step functions of one block have in common, closed under their
dependencies: no effects, gradients, summaries or elements of an iterator. The statements move to the front of each step
as one call, so a candidate is taken only where every name still reaches the same readers and random ops stay in their
order, which a run through both orders shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.facts import Statement
from tfmigrate.analysis.values import (
    Gradients,
    Graphlike,
    Layer,
    Operation,
    Optimizer,
    Summary,
    Tensor,
    Value,
    Variable,
    leaves,
)
from tfmigrate.plan.naming import identifier, words
from tfmigrate.plan.placing import Block, block_of
from tfmigrate.plan.program import Phase, SharedFunction, StepFunction, Unit

if TYPE_CHECKING:
    from tfmigrate.plan.planner import Planner

MOST_RESULTS = 4
SHORTER = 40  # beginnings of a candidate that are tried where the whole has too many results
LOSSES = ("loss", "cost", "error", "entropy", "objective", "mse")
MEASURES = (*LOSSES, "acc", "correct", "metric")


def share(planner: Planner) -> None:
    """Plan functions for what the step functions have in common."""
    groups: dict[Block, list[StepFunction]] = {}
    for step in planner.plan.steps:
        if step.anchor is not None:
            groups.setdefault(block_of(step.anchor), []).append(step)
    for steps in groups.values():
        Sharing(planner, sorted(steps, key=lambda s: (s.anchor.order if s.anchor else 0, not s.before))).run()


@dataclass
class _Candidate:
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


class Sharing:
    """The functions shared by the step functions of one block, which stand in their order."""

    def __init__(self, planner: Planner, steps: list[StepFunction]) -> None:
        self.facts, self.bindings, self.plan, self.steps = planner.facts, planner.bindings, planner.plan, steps
        self.names = planner.names[steps[0].scope.path]
        self._drawing: dict[Statement, bool] = {}
        self._known: dict[Statement, tuple[set[str], set[str], set[str]]] = {}

    def run(self) -> None:
        """Take the best candidate until none is left."""
        while len(self.steps) > 1:
            found = [c for c in self._candidates() if c.gain >= 2]
            if not found:
                break
            self._take(max(found, key=lambda c: (c.gain, c.forward or len(c.results) == 1, len(c.units))))
        self._finish()

    # candidates

    def _candidates(self) -> Iterator[_Candidate]:
        holders: dict[Statement, list[StepFunction]] = {}
        for step in self.steps:
            shared = self._shared(step)
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

    def _shared(self, step: StepFunction) -> set[Statement]:
        return {u.statement for function, _ in step.prefix for u in function.units}

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
        defines = any(s.defines for s in self.bindings.descendants(unit.statement))
        return unit.phase is not Phase.EFFECT and defines and not self._takes_element(unit.statement)

    def _takes_element(self, statement: Statement) -> bool:
        """Whether evaluating the statement takes the next element of a dataset."""
        return bool(self.facts.nexts) and any(
            call in self.facts.nexts
            or any(self._holds_next(fact.function.node) for fact in self.facts.calls.get(call, ()))
            for call in _calls(statement.node)
        )

    def _holds_next(self, node: cst.CSTNode) -> bool:
        return any(call in self.facts.nexts for call in _calls(node))

    def _alike(self, unit: Statement, users: list[StepFunction]) -> bool:
        """Whether the unit is written alike for all: a layer whose averages move in one step only is not."""
        if all(step.updating == users[0].updating for step in users):
            return True
        return not any(
            call in self.facts.layer_calls
            or call in self.facts.layer_results
            or call in self.facts.calls
            or isinstance(self.facts.values.get(call), Layer)
            for call in _calls(unit.node)
        )

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
        given = self._shared(step)
        for other in self._dependencies(unit, [u.statement for u in step.units]):
            if other not in inside and other not in given and not self._takes_element(other):
                return False
        return True

    def _dependencies(self, unit: Statement, units: list[Statement]) -> set[Statement]:
        inside = set(units)
        found: set[Statement] = set()
        names = self._reads(unit)
        for statement in self.bindings.descendants(unit):
            for defs in statement.uses.values():
                found |= {self.bindings.unit(d) for d in defs}
            for control in statement.controls:
                found |= {
                    self.bindings.unit(leaf.statement)
                    for leaf in leaves(control)
                    if isinstance(leaf, Graphlike) and leaf.statement
                }
        found |= {u for u in units if self._mutated(u) and u.order < unit.order and names & self._mutated(u)}
        return (found & inside) - {unit}

    def _valid(self, units: list[Statement], users: list[StepFunction]) -> _Candidate | None:
        for step in users:
            if not self._same_order(step, units):
                return None
        needed = {name for step in users for name in self._needed(step, units)}
        results = [n for n in _defined_in_order(self._defined(u) for u in units) if n in needed]
        if not 1 <= len(results) <= MOST_RESULTS:
            return None
        return _Candidate(users, units, results, self._is_forward(units, results))

    # order

    def _same_order(self, step: StepFunction, block: list[Statement]) -> bool:
        """Whether each name is read from where it was, and random ops draw in their order, when the block is one
        call.
        """
        before = [u.statement for u in step.units]
        after = _moved(step, block)
        drawn = [u for u in before if self._draws(u)]
        return drawn == [u for u in after if self._draws(u)] and self._reading(before) == self._reading(after)

    def _reading(self, order: list[Statement]) -> dict[tuple[Statement | None, str], tuple[Statement, ...]]:
        """For each unit and name it reads, the units that gave the name its value; for the end, those of every name."""
        bound: dict[str, tuple[Statement, ...]] = {}
        found: dict[tuple[Statement | None, str], tuple[Statement, ...]] = {}
        for unit in order:
            for name in self._reads(unit):
                found[unit, name] = bound.get(name, ())
            mutated = self._mutated(unit)
            for name in self._defined(unit):
                bound[name] = (*bound.get(name, ()), unit) if name in mutated else (unit,)
            for name in mutated - self._defined(unit):
                bound[name] = (*bound.get(name, ()), unit)
        found.update({(None, name): units for name, units in bound.items()})
        return found

    def _reads(self, unit: Statement) -> set[str]:
        return self._names(unit)[0]

    def _defined(self, unit: Statement) -> set[str]:
        return self._names(unit)[1]

    def _mutated(self, unit: Statement) -> set[str]:
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

    def _draws(self, unit: Statement) -> bool:
        """Whether the unit may draw; what is computed of something drawn counts too, which is never wrong."""
        if unit not in self._drawing:
            seen: set[int] = set()

            def draws(value: Value) -> bool:
                if id(value) in seen:
                    return False
                seen.add(id(value))
                return isinstance(value, Tensor) and (
                    value.random or any(draws(i) for v in value.inputs for i in leaves(v))
                )

            values = [
                v
                for s in self.bindings.descendants(unit)
                for v in (*s.made, *(leaf for x in s.values for leaf in leaves(x)))
            ]
            called = any(call in self.facts.calls for call in _calls(unit.node))
            self._drawing[unit] = called or any(draws(v) for v in values)
        return self._drawing[unit]

    # names

    def _needed(self, step: StepFunction, block: list[Statement]) -> set[str]:
        """The names that the block gives and that the rest of the step reads."""
        inside = set(block)
        reading = self._reading(_moved(step, block))
        found = {
            name
            for (unit, name), givers in reading.items()
            if unit is not None and unit not in inside and inside & set(givers)
        }
        last = {name for (unit, name), givers in reading.items() if unit is None and inside & set(givers)}
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

    def _is_forward(self, units: list[Statement], results: list[str]) -> bool:
        """Whether this is the network: computed with variables from what is fed, and measuring nothing."""
        if (
            len(results) > 2
            or any(_is(name, MEASURES) for name in results)
            or (len(units) == 1 and self._only_calls(units[0]))
        ):
            return False
        reads = {name for unit in units for name in self._reads(unit)}
        variables = {v.name for v in self.facts.variables}
        fed = {p.name for p in self.facts.placeholders} | {
            name for step in self.steps for function, _ in step.prefix for name in function.returns
        }
        fed |= {
            name
            for step in self.steps
            for u in step.units
            if self._takes_element(u.statement)
            for name in self._defined(u.statement)
        }
        called = any(
            call in self.facts.layer_calls or call in self.facts.layer_results or call in self.facts.calls
            for unit in units
            for call in _calls(unit.node)
        )
        made = any(isinstance(v, Variable) for unit in units for s in self.bindings.descendants(unit) for v in s.made)
        return bool(reads & fed) and (called or made or bool(reads & variables))

    def _only_calls(self, unit: Statement) -> bool:
        """Whether the statement is no more than one call of a user's function or of a layer."""
        small = unit.node.body[0] if isinstance(unit.node, cst.SimpleStatementLine) else None
        value = small.value if isinstance(small, cst.Assign) else None
        return isinstance(value, cst.Call) and (
            value in self.facts.calls or value in self.facts.layer_calls or value in self.facts.layer_results
        )

    def _name(self, candidate: _Candidate) -> str:
        taken = self.names.taken
        plain = list(dict.fromkeys(words(identifier(name)) for name in candidate.results))
        if candidate.forward and not any(f.name == "forward" for f in self.plan.shared):
            wanted = "forward"
        elif len(plain) > 1 and sum(_is(name, LOSSES) for name in plain) >= (len(plain) if len(plain) <= 3 else 1):
            wanted = "compute_losses"
        else:
            wanted = "compute_" + ("_and_".join(plain) if len(plain) <= 3 else f"{plain[0]}_and_more")
            if wanted in taken and len(plain) == 1:
                wanted = "loss_fn" if _is(plain[0], LOSSES) else f"measure_{plain[0]}"
        bound = {name for scope in self.steps[0].scope.ancestors() for s in scope.statements for name in s.defines}
        name = self.names.fresh(wanted)
        while name in bound:
            name = self.names.fresh(wanted)
        return name

    # taking

    def _take(self, candidate: _Candidate) -> None:
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
            step.units = [ordered[s] for s in _moved(step, candidate.units)]
            taped = any(u.phase is Phase.TAPE for u in step.units if u.statement in inside)
            for unit in step.units:
                if unit.statement in inside:
                    unit.phase = Phase.TAPE if taped else Phase.PURE
            step.prefix.append((function, []))

    def _parameters(self, candidate: _Candidate) -> list[str]:
        """The parameters of the steps, and what their other statements give, that the block reads before it binds
        them.
        """
        read: dict[str, None] = {}
        bound: set[str] = set()
        for unit in candidate.units:
            for name in sorted(self._reads(unit) - bound):
                read.setdefault(name)
            bound |= self._defined(unit)
        inside = set(candidate.units)
        order = {p.name: i for i, p in enumerate(self.facts.placeholders)}
        given: set[str] = set()
        fixed: set[str] = set()
        for step in candidate.users:
            given |= {p.name for p in step.parameters} | {name for name, _, _ in step.constants}
            fixed |= {name for name, _, _ in step.constants}
            given |= {name for u in step.units if u.statement not in inside for name in self._defined(u.statement)}
        wanted = [name for name in read if name in given]
        return sorted(wanted, key=lambda n: (n in fixed, n in order, order.get(n, 0)))

    def _finish(self) -> None:
        """Tell each step which of the results it reads; a later function may read an earlier one's."""
        for step in self.steps:
            pairs = []
            for function, _ in step.prefix:
                needed = self._needed(step, [u.statement for u in function.units])
                pairs.append((function, [name if name in needed else "_" for name in function.returns]))
            step.prefix = pairs


def _moved(step: StepFunction, block: list[Statement]) -> list[Statement]:
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


def _defined_in_order(names: Iterable[set[str]]) -> list[str]:
    found: dict[str, None] = {}
    for group in names:
        for name in sorted(group):
            found.pop(name, None)
            found[name] = None
    return list(found)


def _is(name: str, kinds: tuple[str, ...]) -> bool:
    return any(kind in name.lower() for kind in kinds)


def _calls(node: cst.CSTNode) -> list[cst.Call]:
    found: list[cst.Call] = []

    class Visitor(cst.CSTVisitor):
        def visit_Call(self, node: cst.Call) -> None:
            found.append(node)

    node.visit(Visitor())
    return found
