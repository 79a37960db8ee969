"""The ops between the element of a dataset and what takes it in the graph: which can be moved into the dataset."""

from __future__ import annotations

from dataclasses import dataclass, field

import libcst as cst

from tfmigrate.analysis.api_queues import RUNNERS
from tfmigrate.analysis.facts import Facts, Statement
from tfmigrate.analysis.values import Context, Operation, Summary, Variable, is_step, leaves
from tfmigrate.plan.name_places import names_in
from tfmigrate.plan.queues.names import NEXT, QueueNames, Unsuited
from tfmigrate.rules.expressions import code


@dataclass(eq=False)
class Element:
    """`target = dataset.make_one_shot_iterator().get_next()`, as the conversion wrote it."""

    statement: Statement
    dataset: str
    target: cst.BaseExpression
    call: cst.Call

    @property
    def names(self) -> list[str]:
        """The names that it binds."""
        elements = self.target.elements if isinstance(self.target, cst.Tuple) else None
        parts = [e.value for e in elements] if elements is not None else [self.target]
        return [p.value for p in parts if isinstance(p, cst.Name)]


@dataclass(eq=False)
class Stage:
    """The ops between an element and what takes it."""

    units: list[Statement] = field(default_factory=list)
    dead: list[Statement] = field(default_factory=list)


def element_of(statement: Statement, names: QueueNames) -> Element | None:
    """The statement as one that takes the next element of a dataset that the conversion made."""
    node = statement.node
    small = node.body[0] if isinstance(node, cst.SimpleStatementLine) and len(node.body) == 1 else None
    if not isinstance(small, cst.Assign) or len(small.targets) != 1:
        return None
    text = code(small.value)
    dataset = text.removesuffix(NEXT)
    if dataset == text or (statement.scope.place, dataset) not in names.datasets:
        return None
    return Element(statement, dataset, small.targets[0].target, cst.ensure_type(small.value, cst.Call))


class Between:
    """The ops of one round's program between elements and their takers."""

    def __init__(self, facts: Facts, names: QueueNames) -> None:
        self.facts = facts
        self.queued = _queued(facts)
        called = [f for calls in facts.calls.values() for f in calls if f.function.node in self.queued]
        self.queueing = {call.statement for call in facts.queues.values()} | {fact.statement for fact in called}
        self.elements = [e for s in facts.statements.values() if (e := element_of(s, names)) is not None]

    def source(self, statement: Statement, given: cst.BaseExpression) -> Element | None:
        """The element from which the expression in the statement is made; None where there is none."""
        found: set[Element] = set()
        by_statement = {e.statement: e for e in self.elements}
        todo = self._defs(statement, names_in(given))
        seen: set[Statement] = set()
        while todo:
            at = todo.pop()
            if at in seen or at.scope is not statement.scope:
                continue
            seen.add(at)
            if at in by_statement:
                found.add(by_statement[at])
            else:
                todo |= {d for s in self._inside(at) for defs in s.uses.values() for d in defs}
        if len(found) > 1:
            raise Unsuited(given, "elements of several readers or queues come together in it")
        return next(iter(found), None)

    def _defs(self, statement: Statement, names: set[str]) -> set[Statement]:
        return {d for (_, name), defs in statement.uses.items() if name in names for d in defs}

    def _inside(self, unit: Statement) -> list[Statement]:
        return [s for s in unit.scope.statements if s.within(unit)]

    def _unit(self, statement: Statement, level: Statement) -> Statement:
        """The statement, or the one around it, that stands in one block with `level`; scopes of names are none."""
        at: Statement | None = statement
        while at is not None and self._block(at) != self._block(level):
            at = at.parent
        if at is None:
            raise Unsuited(statement.node, "it stands apart from what reads the elements")
        return at

    def _block(self, statement: Statement) -> tuple[Statement | None, str]:
        """The block that the statement stands in, and what opened it; a `with` that names or places things is none."""
        at = statement
        while at.parent is not None and isinstance(at.parent.node, cst.With) and at.parent.transparent:
            entered = [self.facts.values.get(item.item) for item in at.parent.node.items]
            if any(isinstance(v, Context) and v.kind == "control" for v in entered):
                break
            at = at.parent
        return at.parent, at.block

    def stage(self, element: Element, takers: list[Statement], given: cst.BaseExpression) -> Stage:
        """All that depends on the element and on which what is given depends; the rest must be without use.

        `takers` are several where each branch of a condition has one of its own.
        """
        start, taker = element.statement, takers[0]
        end = self._unit(taker, start)
        dependent = self._dependents(start)
        stage = Stage()
        todo = self._defs(taker, names_in(given))
        while todo:
            at = todo.pop()
            if at is start or at not in dependent:
                continue
            unit = self._unit(at, start)
            if unit in stage.units or unit is end:
                continue
            stage.units.append(unit)
            todo |= {d for s in self._inside(unit) for defs in s.uses.values() for d in defs}
        stage.units.sort(key=lambda s: s.order)
        own = {s for unit in stage.units for s in self._inside(unit)}
        rest = [s for s in dependent if s not in own and s not in takers and not taker.within(s)]
        users = {user for each in takers for user in self._dependents(each)}
        for other in [s for s in rest if s not in users or self._takes(s, {start, *own})]:
            if not self._without_use(other, rest):
                raise Unsuited(other.node, "the elements are used beside the queue that takes them, too")
            stage.dead.append(other)
        self._check(element, stage, taker, given)
        return stage

    def _takes(self, statement: Statement, from_: set[Statement]) -> bool:
        return any(d in from_ for defs in statement.uses.values() for d in defs)

    def _dependents(self, start: Statement) -> set[Statement]:
        """All statements of the scope that use what the statement binds, directly or not."""
        found: set[Statement] = {start}
        changed = True
        while changed:
            changed = False
            for s in start.scope.statements:
                if s not in found and any(d in found and d.scope is s.scope for v in s.uses.values() for d in v):
                    found.add(s)
                    changed = True
        found.discard(start)
        return found

    def _without_use(self, statement: Statement, rest: list[Statement]) -> bool:
        node = statement.node
        small = node.body[0] if isinstance(node, cst.SimpleStatementLine) and len(node.body) == 1 else None
        if isinstance(small, cst.Expr) and small.value in self.facts.printed:
            return True
        if not isinstance(small, cst.Assign) or statement.effect or statement.runs or self._keeps(statement):
            return False
        if statement in self.queueing:
            return False  # its thread takes elements, whoever uses them
        if not all(isinstance(t.target, (cst.Name, cst.Tuple)) for t in small.targets):
            return False
        users = [s for s in rest if any(statement in defs for defs in s.uses.values())]
        outside = [
            s
            for s in self.facts.statements.values()
            if s.scope is not statement.scope and any(statement in defs for defs in s.uses.values())
        ]
        return not outside and all(self._without_use(u, rest) for u in users if u is not statement)

    def _keeps(self, statement: Statement) -> bool:
        return any(isinstance(m, (Summary, Variable)) for m in statement.made)

    def _check(self, element: Element, stage: Stage, taker: Statement, given: cst.BaseExpression) -> None:
        """Whether the units may stand in a function of their own."""
        start, names = element.statement, set(element.names)
        inner = {s for unit in stage.units for s in self._inside(unit)}
        bound = {n for s in inner for n in s.defines}
        for s in inner:
            if s.runs or s.escapes or self._keeps(s) or s in self.queueing:
                raise Unsuited(s.node, "the elements go into something that is no op")
        reads = [(s.node, s.uses) for s in inner] + [(given, {k: taker.uses[k] for k in taker.uses})]
        wanted = names_in(given)
        for node, uses in reads:
            for (owner, name), defs in uses.items():
                if node is given and name not in wanted:
                    continue
                outside = {d for d in defs if d is not start and d not in inner}
                if name in bound | names and owner is start.scope and (outside or not defs):
                    raise Unsuited(node, f"{name} is bound within and outside of what makes the elements")
                if any(self._of_step(d, name) for d in outside):
                    raise Unsuited(node, f"{name}, which the elements are made with, is only known in a step")
        self._rebound(inner, taker)

    def _rebound(self, inner: set[Statement], taker: Statement) -> None:
        """A name that the units read must still mean the same where the function that they become is made."""
        for s in inner:
            for (owner, name), defs in s.uses.items():
                if owner is not s.scope or defs <= inner:
                    continue
                for other in s.scope.statements:
                    changes = name in other.defines or name in other.mutates
                    later = s.order < other.order < taker.order or (other in defs and other.order > s.order)
                    if changes and later and other not in inner:
                        raise Unsuited(s.node, f"{name} is bound again after what makes the elements")

    def _of_step(self, definition: Statement, name: str) -> bool:
        return any(
            is_step(v) or any(isinstance(leaf, (Variable, Operation)) for leaf in leaves(v)) for v in definition.values
        )


def _queued(facts: Facts) -> set[cst.CSTNode]:
    """The functions in which, or in whose calls, there are queues yet."""
    found: set[cst.CSTNode] = {call.statement.scope.node for call in facts.queues.values() if call.symbol != RUNNERS}
    while True:
        callers = {
            fact.statement.scope.node for calls in facts.calls.values() for fact in calls if fact.function.node in found
        }
        if callers <= found:
            return found
        found |= callers
