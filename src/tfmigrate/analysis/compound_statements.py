"""Compound statements: branches, loops, `try` and `with`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.facts import Statement
from tfmigrate.analysis.frames import Name, element, merge
from tfmigrate.analysis.targets import bind_element, bind_target
from tfmigrate.analysis.values import Graphlike, Host, Sequence, Value
from tfmigrate.rules.expressions import code

if TYPE_CHECKING:
    from tfmigrate.analysis.interpreter import Interpreter

MAX_UNROLLED = 12


def if_(interp: Interpreter, node: cst.If, statement: Statement) -> bool:
    """A branch: one side where the test decides, else both, joined."""
    decided = _decided(interp, node.test, interp.eval(node.test))
    orelse = node.orelse.body.body if isinstance(node.orelse, cst.Else) else ([node.orelse] if node.orelse else [])
    if decided is not None:
        return interp.block(node.body.body if decided else orelse, statement, "body" if decided else "orelse")
    before, graph = dict(interp.frame.names), interp.graph_state()
    goes_on = interp.block(node.body.body, statement)
    after_body, graph_after_body = interp.frame.names, interp.graph_state()
    interp.frame.names = before
    interp.set_graph_state(graph)
    goes_on_else = interp.block(orelse, statement, "orelse")
    if goes_on and goes_on_else:
        interp.frame.names = merge(after_body, interp.frame.names)
        interp.join_graph_state(graph_after_body)
    elif goes_on:
        interp.frame.names = after_body
        interp.set_graph_state(graph_after_body)
    return goes_on or goes_on_else


def _decided(interp: Interpreter, node: cst.BaseExpression, value: Value) -> bool | None:
    """What a test gives, where it depends on the call alone; configuration constants are the user's to edit."""
    if not (isinstance(value, Host) and value.known):
        return None
    if isinstance(node, cst.Name):
        owner = interp.frame.owner(node.value)
        decides = owner is None or (owner.parent is not None and not owner.names[node.value].defs)
    elif isinstance(node, cst.UnaryOperation):
        decides = _decided(interp, node.expression, Host(not value.literal)) is not None
    elif isinstance(node, cst.Comparison):
        decides = _compares_arguments(interp, node)
    else:
        decides = isinstance(node, cst.Call) and code(node.func) == "isinstance"
    return bool(value.literal) if decides else None


def _compares_arguments(interp: Interpreter, node: cst.Comparison) -> bool:
    """Whether a comparison is of identity, of `__name__`, of arguments of the call or of things of the graph."""
    operator = node.comparisons[0].operator
    sides = (node.left, node.comparisons[0].comparator)
    if isinstance(operator, (cst.Is, cst.IsNot)) or "__name__" in [code(side) for side in sides]:
        return True
    names = [side for side in sides if isinstance(side, cst.Name)]
    if names and all(_decided(interp, name, Host(True)) is not None for name in names):
        return True
    return any(isinstance(interp.facts.values.get(side), Graphlike) for side in sides)


def for_(interp: Interpreter, node: cst.For, statement: Statement) -> bool:
    """A loop: turn by turn where it goes over a few known things of the graph."""
    iterated = interp.eval(node.iter)
    if (
        isinstance(iterated, Sequence)
        and not iterated.open_
        and len(iterated.items) <= MAX_UNROLLED
        and any(not isinstance(i, Host) for i in iterated.items)
    ):
        interp.loop_stack.append(statement)
        for index, item in enumerate(iterated.items):
            interp.context.append(index)
            interp.loop_turns[statement] = index
            bind_element(interp, node.target, item)
            interp.block(node.body.body, statement)
            interp.context.pop()
        interp.loop_stack.pop()
        interp.loop_turns.pop(statement, None)
    else:
        _loop(interp, node, statement, lambda: bind_element(interp, node.target, element(iterated)))
    if node.orelse is not None:
        interp.block(node.orelse.body.body, statement, "orelse")
    return True


def while_(interp: Interpreter, node: cst.While, statement: Statement) -> bool:
    """A loop with a test."""
    _loop(interp, node, statement, lambda: interp.eval(node.test))
    if node.orelse is not None:
        interp.block(node.orelse.body.body, statement, "orelse")
    return True


def _loop(interp: Interpreter, node: cst.For | cst.While, statement: Statement, head: Callable[[], object]) -> None:
    """Run a loop twice; names that it assigns are widened first: what they hold may change from turn to turn."""
    before = dict(interp.frame.names)
    for name in _assigned(node.body):
        bound = before.get(name)
        if bound is not None and isinstance(bound.value, Host) and bound.value.known:
            interp.frame.names[name] = Name(Host(), bound.defs)
    interp.loop_stack.append(statement)
    for _ in range(2):
        start = dict(interp.frame.names)
        head()
        interp.block(node.body.body, statement)
        interp.frame.names = merge(start, interp.frame.names)
    interp.loop_stack.pop()
    interp.frame.names = merge(before, interp.frame.names)


def _assigned(body: cst.BaseSuite) -> set[str]:
    """Names that the block's own statements assign."""
    found: set[str] = set()

    class Visitor(cst.CSTVisitor):
        def visit_AssignTarget(self, node: cst.AssignTarget) -> None:
            _names(node.target, found)

        def visit_AugAssign(self, node: cst.AugAssign) -> None:
            _names(node.target, found)

        def visit_For(self, node: cst.For) -> None:
            _names(node.target, found)

        def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
            return False

        def visit_Lambda(self, node: cst.Lambda) -> bool:
            return False

    body.visit(Visitor())
    return found


def _names(target: cst.BaseExpression, found: set[str]) -> None:
    if isinstance(target, cst.Name):
        found.add(target.value)
    elif isinstance(target, (cst.Tuple, cst.List)):
        for entry in target.elements:
            _names(entry.value, found)


def try_(interp: Interpreter, node: cst.Try, statement: Statement) -> bool:
    """`try`: each handler may begin anywhere in the body."""
    before = dict(interp.frame.names)
    goes_on = interp.block(node.body.body, statement)
    after = dict(interp.frame.names)
    for handler in node.handlers:
        if handler.type is not None:
            interp.eval(handler.type)
        interp.frame.names = merge(before, after)
        if handler.name is not None:
            bind_target(interp, handler.name.name, Host())
        goes_on |= interp.block(handler.body.body, statement, "handlers")
        after = merge(after, interp.frame.names)
    interp.frame.names = after
    if node.orelse is not None:
        goes_on &= interp.block(node.orelse.body.body, statement, "orelse")
    if node.finalbody is not None:
        interp.block(node.finalbody.body.body, statement, "finalbody")
    return goes_on


def with_(interp: Interpreter, node: cst.With, statement: Statement) -> bool:
    """`with`: what its items enter is left after the body."""
    leave = [interp.enter(item, statement) for item in node.items]
    goes_on = interp.block(node.body.body, statement)
    for undo in reversed(leave):
        undo()
    return goes_on
