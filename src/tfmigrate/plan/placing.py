"""Step functions of one block stand together: a definition moves down to the next one's place past what does not
concern it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.facts import Binding, Scope, Statement
from tfmigrate.analysis.values import Graphlike, leaves
from tfmigrate.model import SiteKind
from tfmigrate.plan.program import StepFunction
from tfmigrate.plan.removing import stands_in

if TYPE_CHECKING:
    from tfmigrate.plan.planner import Planner

Block = tuple[Scope, Statement | None, str]
CALLING = (cst.Call, cst.Subscript, cst.Attribute, cst.Lambda, cst.BaseComp, cst.Await, cst.Yield, cst.NamedExpr)
QUIET = (Binding.STEP, Binding.DROP, Binding.BUILD, Binding.CONSTANT, Binding.RANDOM)


def block_of(statement: Statement) -> Block:
    """The block that the statement stands in; the `with`s that dissolve are no blocks."""
    at = statement
    while at.parent is not None and at.parent.transparent:
        at = at.parent
    return statement.scope, at.parent, at.block


def place(planner: Planner) -> None:
    """Give step functions of one block one place, where nothing between their places calls or changes what they
    read.
    """
    groups: dict[Block, list[StepFunction]] = {}
    for step in planner.plan.steps:
        if step.anchor is not None:
            groups.setdefault(block_of(step.anchor), []).append(step)
    several = {block: steps for block, steps in groups.items() if len(steps) > 1}
    lines: dict[Block, list[Statement]] = {block: [] for block in several}
    for scope in {block[0]: None for block in several}:
        for statement in scope.statements:
            if not statement.transparent and (block := block_of(statement)) in lines:
                lines[block].append(statement)
    kinds = _kinds_of_runs(planner)
    for block, steps in several.items():
        _Placer(planner, lines[block], kinds).gather(steps)


def _kinds_of_runs(planner: Planner) -> dict[Statement, set[SiteKind]]:
    """The kinds of the run sites in each statement."""
    found: dict[Statement, set[SiteKind]] = {}
    for run in planner.facts.runs.values():
        at: Statement | None = run.statement
        while at is not None:
            found.setdefault(at, set()).add(run.kind)
            at = at.parent
    return found


class _Placer:
    def __init__(self, planner: Planner, line: list[Statement], kinds: dict[Statement, set[SiteKind]]) -> None:
        self.planner, self.kinds = planner, kinds
        self.line = sorted(line, key=lambda s: s.order)
        self.index = {s: i for i, s in enumerate(self.line)}

    def gather(self, steps: list[StepFunction]) -> None:
        """Move each to the place of the next, from the last one on."""
        known = [s for s in steps if s.anchor in self.index]
        ordered = sorted(known, key=self._slot)
        start = len(self.line)
        bound: set[str] = set()  # between the start and the place of the later step, where all is quiet
        for earlier, later in reversed(list(pairwise(ordered))):
            end = min(start, self._slot(later))
            start = self._slot(earlier)
            passed = self.line[start:end]
            bound.update(name for s in passed for name in self._kept_names(s))
            if all(self._quiet(s) for s in passed) and bound.isdisjoint(self._reads(earlier)):
                earlier.anchor, earlier.before = later.anchor, later.before
            else:
                bound.clear()
        position = {id(s): i for i, s in enumerate(ordered)}
        plan = self.planner.plan
        slots = iter(sorted((s for s in plan.steps if id(s) in position), key=lambda s: position[id(s)]))
        plan.steps = [next(slots) if id(s) in position else s for s in plan.steps]

    def _slot(self, step: StepFunction) -> int:
        assert step.anchor is not None
        return self.index[step.anchor] + (0 if step.before else 1)

    def _reads(self, step: StepFunction) -> set[str]:
        """Every name that tracing the function may look up."""
        inside = (s for unit in step.units for s in self.planner.bindings.descendants(unit.statement))
        found = {name for s in inside for (_, name) in s.uses}
        for leaf in step.structure.leaves():
            found |= {name for (_, name) in leaf.uses}
            found |= {v.name for v in leaves(leaf.value) if isinstance(v, Graphlike) and v.name}
        return found

    def _quiet(self, statement: Statement) -> bool:
        """Whether the statement, as it stays, only makes objects or binds what is written out: nothing runs or
        prints.
        """
        if self.planner.bindings.runs(statement):
            return self._initializes(statement)
        if self._gone(statement):
            return True
        if isinstance(statement.node, (cst.FunctionDef, cst.ClassDef)):
            return False
        if not isinstance(statement.node, cst.SimpleStatementLine):
            return False
        if self.planner.bindings.of(statement) in QUIET:
            return True
        return all(isinstance(s, cst.Assign) and written_out(s.value) for s in statement.node.body)

    def _initializes(self, statement: Statement) -> bool:
        """Whether all it does is to run the initializer, which is gone."""
        return statement.runs and self.kinds.get(statement, set()) <= {SiteKind.INITIALIZER}

    def _kept_names(self, statement: Statement) -> set[str]:
        return set() if self._gone(statement) else statement.defines | statement.mutates

    def _gone(self, statement: Statement) -> bool:
        return stands_in(statement, self.planner.plan.removed)


def written_out(node: cst.CSTNode) -> bool:
    """Whether evaluating the expression calls nothing."""
    return not isinstance(node, CALLING) and all(written_out(child) for child in node.children)
