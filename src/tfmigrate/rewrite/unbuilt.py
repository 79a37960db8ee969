"""Keras layers whose variables are read: they exist once the layer was called.

A graph has a layer's variables as soon as it is built; a Keras layer makes them at its first call, which is the tracing
of a step that calls it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

import libcst as cst

VARIABLES = frozenset(
    {
        "kernel",
        "bias",
        "gamma",
        "beta",
        "moving_mean",
        "moving_variance",
        "embeddings",
        "depthwise_kernel",
        "pointwise_kernel",
    }
)


def calling_first(steps: Sequence[tuple[cst.FunctionDef, cst.BaseStatement]]) -> list[cst.BaseStatement]:
    """The lines that trace the steps: those that read variables of a layer without calling it come after the others."""
    first: list[cst.BaseStatement] = []
    later: list[cst.BaseStatement] = []
    for function, line in steps:
        tree = ast.parse(cst.Module([]).code_for_node(function.with_changes(leading_lines=[])))
        (later if _read(tree) - _called(tree) else first).append(line)
    return first + later


def never_called(trees: Mapping[str, ast.Module]) -> Iterator[tuple[str, str]]:
    """Layers that are used for nothing but their variables, over the files of a program: (path, "name.variable")."""
    made = {name for tree in trees.values() for name in _made(tree)}
    if not made:
        return
    used = {name for tree in trees.values() for name in _used_otherwise(tree)}
    for path, tree in trees.items():
        for node in _variables(tree):
            if _last(node.value) in made - used:
                yield path, ast.unparse(node)


def _made(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Call)
            and ".keras.layers." in ast.unparse(node.value.func)
        ):
            yield from filter(None, map(_last, node.targets))


def _used_otherwise(tree: ast.AST) -> Iterator[str]:
    """Names and attributes that are read, but for those of which a variable is taken."""
    bases = {id(node.value) for node in _variables(tree)}
    for node in ast.walk(tree):
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load) and id(node) not in bases:
            name = _last(node)
            if name is not None:
                yield name
        elif isinstance(node, ast.ImportFrom):
            yield from (alias.name for alias in node.names)


def _variables(tree: ast.AST) -> Iterator[ast.Attribute]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in VARIABLES and isinstance(node.ctx, ast.Load):
            yield node


def _last(node: ast.expr) -> str | None:
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else None


def _read(tree: ast.AST) -> set[str]:
    return {ast.unparse(node.value) for node in _variables(tree)}


def _called(tree: ast.AST) -> set[str]:
    return {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
