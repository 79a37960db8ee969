"""Small statements: assignments, expressions, imports, returns …"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import libcst as cst

from tfmigrate.analysis import dimensions
from tfmigrate.analysis.facts import Statement
from tfmigrate.analysis.frames import element, join
from tfmigrate.analysis.targets import bind, bind_target, mutated
from tfmigrate.analysis.values import Host, Module, Sequence, Value

if TYPE_CHECKING:
    from tfmigrate.analysis.interpreter import Interpreter


def run(interp: Interpreter, node: cst.BaseSmallStatement, statement: Statement) -> bool:
    """Run one small statement; False where control leaves."""
    runner = _RUNNERS.get(type(node))
    if runner is not None:
        runner(interp, node, statement)
    else:
        interp.eval_children(node)
    leaves = isinstance(node, (cst.Return, cst.Raise, cst.Break, cst.Continue))
    return not leaves


def _result(statement: Statement, value: Value) -> None:
    statement.value = value if statement.value is None else join(statement.value, value)
    statement.values.append(value)


def _assign(interp: Interpreter, node: cst.Assign, statement: Statement) -> None:
    value = interp.eval(node.value)
    for target in node.targets:
        bind_target(interp, target.target, value)
    _result(statement, value)


def _annotated(interp: Interpreter, node: cst.AnnAssign, statement: Statement) -> None:
    if node.value is not None:
        value = interp.eval(node.value)
        bind_target(interp, node.target, value)
        _result(statement, value)


def _augmented(interp: Interpreter, node: cst.AugAssign, statement: Statement) -> None:
    right = interp.eval(node.value)
    left = interp.eval(node.target)
    if isinstance(left, Sequence) and isinstance(node.operator, cst.AddAssign):
        left.items.extend(right.items if isinstance(right, Sequence) else [element(right)])
        left.open_ |= not isinstance(right, Sequence) or bool(statement.loops)
        mutated(interp, node.target)
        _result(statement, left)
        return
    value = dimensions.broadcast(interp.tensor([left, right], node.value), left, right)
    before = interp.frame.names.get(node.target.value) if isinstance(node.target, cst.Name) else None
    bind_target(interp, node.target, value)
    if before is not None and isinstance(node.target, cst.Name) and node.target.value in interp.frame.names:
        statement.uses.setdefault((interp.frame.scope, node.target.value), set()).update(before.defs)
    _result(statement, value)


def _expression(interp: Interpreter, node: cst.Expr, statement: Statement) -> None:
    _result(statement, interp.eval(node.value))


def _return(interp: Interpreter, node: cst.Return, statement: Statement) -> None:
    statement.escapes = True
    value = interp.eval(node.value) if node.value is not None else Host(None)
    interp.frame.returned.append(value)
    _result(statement, value)


def _escape(interp: Interpreter, node: cst.Raise | cst.Break | cst.Continue, statement: Statement) -> None:
    statement.escapes = True
    interp.eval_children(node)


def _import(interp: Interpreter, node: cst.Import | cst.ImportFrom, statement: Statement) -> None:
    for name, value in interp.project.imported(interp.path, node, interp.module):
        if name == "*":
            assert isinstance(value, Module)
            for key, found in list(interp.module(value.path).names.items()):
                if not key.startswith("_"):
                    bind(interp, key, found.value)
            continue
        if isinstance(value, Module) and isinstance(node, cst.Import):
            interp.module(value.path)
        bind(interp, name, value)


def _global(interp: Interpreter, node: cst.Global, statement: Statement) -> None:
    interp.frame.globals_.update(item.name.value for item in node.names)


def _nonlocal(interp: Interpreter, node: cst.Nonlocal, statement: Statement) -> None:
    interp.frame.nonlocals.update(item.name.value for item in node.names)


def _delete(interp: Interpreter, node: cst.Del, statement: Statement) -> None:
    """`del`: what is deleted is not used again."""


_RUNNERS: dict[type[cst.CSTNode], Callable[[Interpreter, Any, Statement], None]] = {
    cst.Assign: _assign,
    cst.AnnAssign: _annotated,
    cst.AugAssign: _augmented,
    cst.Expr: _expression,
    cst.Return: _return,
    cst.Raise: _escape,
    cst.Break: _escape,
    cst.Continue: _escape,
    cst.Import: _import,
    cst.ImportFrom: _import,
    cst.Global: _global,
    cst.Nonlocal: _nonlocal,
    cst.Del: _delete,
}
