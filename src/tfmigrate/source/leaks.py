"""Python 2's list comprehensions leave their variables behind; where a program reads one then, Python 3 differs."""

from __future__ import annotations

import ast
from collections.abc import Iterator

_Scope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda


def leaked(module: ast.Module) -> tuple[int, int, str] | None:
    """Line, column (from 1) and description of the first read of a variable that a list comprehension may have left.

    A read counts where it is the next use of the name after the comprehension, round the loops that the comprehension
    stands in too.
    """
    for scope in ast.walk(module):
        if isinstance(scope, _Scope):
            for found in _leaks(scope):
                return found
    return None


def _leaks(scope: _Scope) -> Iterator[tuple[int, int, str]]:
    uses: list[tuple[ast.Name, tuple[ast.AST, ...]]] = []  # in the order they are evaluated, as near as lines tell
    left: list[tuple[str, int, tuple[ast.AST, ...]]] = []  # name, number of uses before it, loops around it
    _walk(scope, (), uses, left)
    for name, count, loops in left:
        order = uses[count:]
        if loops:  # the next round comes back to where the outermost loop begins
            order = order + [use for use in uses[:count] if loops[0] in use[1]]
        following = next((node for node, _ in order if node.id == name), None)
        if following is not None and isinstance(following.ctx, ast.Load):
            what = f"reads {name}, which a list comprehension leaves in Python 2 only"
            yield following.lineno, following.col_offset + 1, what


def _walk(
    node: ast.AST,
    loops: tuple[ast.AST, ...],
    uses: list[tuple[ast.Name, tuple[ast.AST, ...]]],
    left: list[tuple[str, int, tuple[ast.AST, ...]]],
) -> None:
    for child in _in_order(node):
        if isinstance(child, ast.Name):
            uses.append((child, loops))
        elif isinstance(child, ast.ListComp):
            inner: list[tuple[ast.Name, tuple[ast.AST, ...]]] = []
            _walk(child, loops, inner, left)
            own = {n.id for g in child.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}
            uses.extend(use for use in inner if use[0].id not in own)
            left.extend((name, len(uses), loops) for name in sorted(own))
        elif isinstance(child, ast.GeneratorExp | ast.SetComp | ast.DictComp):
            inner = []
            _walk(child, loops, inner, left)
            own = {n.id for g in child.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}
            uses.extend(use for use in inner if use[0].id not in own)
        elif not isinstance(child, _Scope):
            _walk(child, (*loops, child) if isinstance(child, ast.For | ast.While) else loops, uses, left)


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    """The node's children as they are evaluated: values before what is bound to them."""
    if isinstance(node, ast.Assign):
        yield node.value
        yield from node.targets
    elif isinstance(node, ast.For):
        yield from (node.iter, node.target, *node.body, *node.orelse)
    elif isinstance(node, ast.AugAssign):
        target = node.target
        if isinstance(target, ast.Name):  # it is read first
            yield ast.copy_location(ast.Name(target.id, ast.Load()), target)
        yield from (node.value, target)
    else:
        yield from ast.iter_child_nodes(node)
