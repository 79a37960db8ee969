"""Dissolves the Coordinator of threads that are gone: nothing asks to stop while the program goes on.

    while not coord.should_stop():            while True:
        sess.run(train_op)            ->          sess.run(train_op)

`should_stop()` is False until the end is asked for, so a program that may ask again after it has asked for the end
keeps its Coordinator, which TensorFlow 2 still has. An error that a handler gives the Coordinator is raised again where
the threads are joined; so here it is not caught, but for the end of the data.
"""

from __future__ import annotations

from collections.abc import Sequence as Many
from dataclasses import dataclass, field
from typing import Any

import libcst as cst

from tfmigrate.analysis.api_queues import Coordinator
from tfmigrate.analysis.facts import Facts, Statement
from tfmigrate.analysis.project import Project
from tfmigrate.rules.expressions import code

_ERRORS = frozenset({"Exception", "BaseException", ""})


@dataclass
class _Uses:
    """What the program does with its Coordinators."""

    made: list[tuple[cst.Call, Statement]] = field(default_factory=list)
    stops: list[tuple[cst.Call, Statement]] = field(default_factory=list)  # request_stop
    asks: list[tuple[cst.Call, Statement]] = field(default_factory=list)  # should_stop
    joins: list[tuple[cst.Call, Statement]] = field(default_factory=list)
    caught: list[tuple[cst.Call, Statement]] = field(default_factory=list)  # stop_on_exception
    started: list[tuple[cst.Call, Statement]] = field(default_factory=list)  # start_queue_runners
    other: bool = False


def dissolve(project: Project, facts: Facts) -> bool:
    """Take the Coordinator and the start of the threads out of all files; whether there was anything."""
    uses = _uses(facts)
    if not uses.started and not uses.made:
        return False
    gone = not uses.other and _asked_before(uses)
    for path in list(project.modules):
        if any(s.scope.path == path for group in vars(uses).values() if isinstance(group, list) for _, s in group):
            project.replace(path, _Dissolve(facts, uses, gone))
    return True


def _uses(facts: Facts) -> _Uses:
    found = _Uses()
    kinds = {
        "request_stop": found.stops,
        "should_stop": found.asks,
        "join": found.joins,
        "stop_on_exception": found.caught,
    }
    known: set[cst.CSTNode] = set()
    for statement in facts.statements.values():
        for call in _calls(statement.node):
            method = call.func.attr.value if isinstance(call.func, cst.Attribute) else ""
            receiver = call.func.value if isinstance(call.func, cst.Attribute) else None
            if receiver is not None and isinstance(facts.values.get(receiver), Coordinator):
                known.add(receiver)
                if method not in kinds or not _plain(statement, call, method):
                    found.other = True
                else:
                    kinds[method].append((call, statement))
            elif facts.symbols.get(call.func) == "train.start_queue_runners":
                found.started.append((call, statement))
                known.update(a.value for a in call.args)
            elif facts.symbols.get(call.func) == "train.Coordinator":
                found.made.append((call, statement))
                known.add(call)
                found.other |= not _bound(statement, call)
    found.other |= any(isinstance(v, Coordinator) and n not in known for n, v in facts.values.items())
    return found


def _calls(node: cst.CSTNode) -> list[cst.Call]:
    """The calls of a statement itself, not those of the statements in it."""
    found: list[cst.Call] = []

    class Visitor(cst.CSTVisitor):
        def visit_Call(self, call: cst.Call) -> None:
            found.append(call)

        def visit_IndentedBlock(self, block: cst.IndentedBlock) -> bool:
            return False

    if not isinstance(node, (cst.FunctionDef, cst.ClassDef)):
        node.visit(Visitor())
    return found


def _plain(statement: Statement, call: cst.Call, method: str) -> bool:
    """Whether the call stands where it can go without a trace."""
    node = statement.node
    if method == "should_stop":
        return True
    if method == "stop_on_exception":
        return isinstance(node, cst.With) and len(node.items) == 1 and node.items[0].asname is None
    return isinstance(node, cst.SimpleStatementLine) and any(
        isinstance(s, cst.Expr) and s.value is call for s in node.body
    )


def _bound(statement: Statement, call: cst.Call) -> bool:
    node = statement.node
    small = node.body[0] if isinstance(node, cst.SimpleStatementLine) else None
    return isinstance(small, cst.Assign) and small.value is call and isinstance(small.targets[0].target, cst.Name)


def _asked_before(uses: _Uses) -> bool:
    """Whether each question comes before every request to stop."""
    return all(
        ask.scope is stop.scope and ask.order < stop.order and not set(_loops(ask)) & set(_loops(stop))
        for _, ask in uses.asks
        for _, stop in uses.stops
    )


def _loops(statement: Statement) -> tuple[Statement, ...]:
    own = (statement,) if isinstance(statement.node, (cst.While, cst.For)) else ()
    return (*statement.loops, *own)


class _Dissolve(cst.CSTTransformer):
    def __init__(self, facts: Facts, uses: _Uses, gone: bool) -> None:
        super().__init__()
        self.facts, self.gone = facts, gone
        self.made: set[cst.CSTNode] = {call for call, _ in uses.made}
        self.stops = {call: bool(call.args) for call, _ in uses.stops}
        self.asks = {call for call, _ in uses.asks}
        self.joins = {call for call, _ in uses.joins}
        self.caught = {call for call, _ in uses.caught}
        self.started: set[cst.CSTNode] = {call for call, _ in uses.started}
        self.decided: dict[cst.CSTNode, bool] = {}  # expressions that are known now
        joining = {s for _, s in uses.joins} if gone else set()
        self.unused = {
            call
            for call, statement in uses.started
            if all(s in joining or s is statement for s in facts.statements.values() if _reads(s, statement))
        }
        maker = next((code(call.func) for call, _ in uses.made), "tf.train.Coordinator")
        self.tf = maker.removesuffix("train.Coordinator")

    # expressions

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        if self.gone and original_node in self.asks:
            return self._decide(False)
        if original_node in self.started:
            return cst.List([])
        return updated_node

    def leave_UnaryOperation(
        self, original_node: cst.UnaryOperation, updated_node: cst.UnaryOperation
    ) -> cst.BaseExpression:
        known = self.decided.get(updated_node.expression)
        if known is not None and isinstance(updated_node.operator, cst.Not):
            return self._decide(not known)
        return updated_node

    def leave_BooleanOperation(
        self, original_node: cst.BooleanOperation, updated_node: cst.BooleanOperation
    ) -> cst.BaseExpression:
        both = isinstance(updated_node.operator, cst.And)
        for one, other in ((updated_node.left, updated_node.right), (updated_node.right, updated_node.left)):
            known = self.decided.get(one)
            if known is not None:
                return other if known is both else self._decide(known)
        return updated_node

    def _decide(self, value: bool) -> cst.BaseExpression:
        made = cst.Name(str(value))
        self.decided[made] = value
        return made

    # statements

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.RemovalSentinel:
        small = original_node.body[0]
        value = small.value if isinstance(small, (cst.Expr, cst.Assign)) else None
        if self.gone and value is not None and (value in self.made or value in self.stops or value in self.joins):
            return cst.RemovalSentinel.REMOVE
        if value in self.started and (isinstance(small, cst.Expr) or value in self.unused):
            return cst.RemovalSentinel.REMOVE
        return updated_node

    def leave_IndentedBlock(
        self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock
    ) -> cst.IndentedBlock:
        if updated_node.body or not original_node.body:
            return updated_node
        return updated_node.with_changes(body=[cst.parse_statement("pass")])

    def leave_If(self, original_node: cst.If, updated_node: cst.If) -> Any:
        known = self.decided.get(updated_node.test)
        if known is None:
            return updated_node
        if known:
            return _spliced(updated_node.body, updated_node.leading_lines)
        rest = updated_node.orelse
        if rest is None:
            return cst.RemovalSentinel.REMOVE
        return _spliced(rest.body, updated_node.leading_lines) if isinstance(rest, cst.Else) else rest

    def leave_With(self, original_node: cst.With, updated_node: cst.With) -> Any:
        if not self.gone or original_node.items[0].item not in self.caught:
            return updated_node
        return cst.Try(body=updated_node.body, handlers=[self._end_of_data()], leading_lines=updated_node.leading_lines)

    def leave_Try(self, original_node: cst.Try, updated_node: cst.Try) -> Any:
        if not self.gone:
            return updated_node
        handlers: list[cst.ExceptHandler] = []
        for before, after in zip(original_node.handlers, updated_node.handlers, strict=True):
            handlers.extend(self._handler(before, after, handlers))
        last = updated_node.finalbody
        if last is not None and original_node.finalbody is not None and _emptied(original_node.finalbody, last):
            last = None
        if not handlers and last is None:
            body = updated_node.body.body
            more = updated_node.orelse.body.body if updated_node.orelse is not None else ()
            return _spliced(cst.IndentedBlock([*body, *more]), updated_node.leading_lines)
        return updated_node.with_changes(handlers=handlers, finalbody=last)

    def _handler(
        self, before: cst.ExceptHandler, after: cst.ExceptHandler, earlier: Many[cst.ExceptHandler]
    ) -> list[cst.ExceptHandler]:
        """What becomes of a handler that gives the error to the Coordinator, to be raised again by `join`."""
        given = [s for s in before.body.body if self._stop_with(s)]
        kind = code(before.type).split(".")[-1] if before.type is not None else ""
        if not given or not self.joins or kind not in _ERRORS:
            return [after]
        known = any(h.type is not None and "OutOfRangeError" in code(h.type) for h in earlier)
        if len(given) == len(before.body.body):
            return [] if known else [self._end_of_data()]
        if known:
            again = cst.parse_statement("raise")
        else:
            name = code(before.name.name) if before.name is not None else "error"
            again = cst.parse_statement(f"if not isinstance({name}, {self.tf}errors.OutOfRangeError):\n    raise\n")
        named = after.name or cst.AsName(cst.Name("error"))
        kept = after.with_changes(body=after.body.with_changes(body=[*after.body.body, again]))
        return [kept if known or before.type is None else kept.with_changes(name=named)]

    def _stop_with(self, node: cst.CSTNode) -> bool:
        small = node.body[0] if isinstance(node, cst.SimpleStatementLine) else None
        return isinstance(small, cst.Expr) and isinstance(small.value, cst.Call) and self.stops.get(small.value, False)

    def _end_of_data(self) -> cst.ExceptHandler:
        text = f"try:\n    pass\nexcept {self.tf}errors.OutOfRangeError:\n    pass\n"
        made = cst.parse_statement(text)
        assert isinstance(made, cst.Try)
        return made.handlers[0]


def _reads(statement: Statement, definition: Statement) -> bool:
    return any(definition in defs for defs in statement.uses.values())


def _emptied(before: cst.Finally, after: cst.Finally) -> bool:
    body = after.body.body
    first = body[0] if len(body) == 1 else None
    return (
        isinstance(first, cst.SimpleStatementLine)
        and isinstance(first.body[0], cst.Pass)
        and code(before.body) != code(after.body)
    )


def _spliced(suite: cst.BaseSuite, leading: Many[cst.EmptyLine]) -> Any:
    """The statements of a block in the place of the statement that held it, with its leading lines."""
    body: list[Any] = list(suite.body)
    if body:
        body[0] = body[0].with_changes(leading_lines=[*leading, *body[0].leading_lines])
    return cst.FlattenSentinel(body) if body else cst.RemovalSentinel.REMOVE
