"""What only Python 2 has: the evidence that a text is written for it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

# Built-in functions and types that Python 3 has no more.
_GONE = """
    apply basestring buffer cmp coerce execfile file intern long raw_input reduce reload unichr unicode xrange
"""
_BUILTINS = frozenset(_GONE.split())


def construct(text: str, tabs: int) -> tuple[int, int, str] | None:
    """Line, column and name of the first construct that only Python 2 has, where Python 2's grammar fits the text.

    The grammar alone proves nothing: it also lets through errors that Python finds later, such as `f() = 1`. `tabs`:
    the line where Python 3 found tabs and spaces mixed, 0 where it did not.
    """
    from fissix import pygram, pytree
    from fissix.pgen2 import driver

    parser = driver.Driver(pygram.python_grammar, convert=pytree.convert)
    try:
        tree = parser.parse_string(text if text.endswith("\n") else text + "\n")
        found = next(_old_constructs(tree), None)
    except Exception:  # beside its ParseError, fissix raises whatever a text that is no Python makes it stumble over
        return None
    if found is None and tabs:
        return tabs, 1, "tabs and spaces mixed in an indentation"
    return found


def builtin(module: ast.Module) -> tuple[int, int, str] | None:
    """Line, column and name of the first use of a built-in that Python 3 has no more, in a text that it can parse.

    A file that binds the name itself, or takes over all names of another one, is no evidence.
    """
    used: dict[str, ast.Name] = {}
    bound: set[str] = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Load):
                first = used.setdefault(node.id, node)
                if (node.lineno, node.col_offset) < (first.lineno, first.col_offset):
                    used[node.id] = node
            else:
                bound.add(node.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            if any(alias.name == "*" for alias in node.names):
                return None
            bound.update((alias.asname or alias.name).split(".")[0] for alias in node.names)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            bound.add(node.name)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.ExceptHandler) and any(
            isinstance(n, ast.Name) and n.id == "NameError" for n in ast.walk(node.type or ast.Constant(None))
        ):
            return None  # tries which Python it is
    found = [used[name] for name in _BUILTINS & used.keys() - bound]
    if not found:
        return None
    first = min(found, key=lambda n: (n.lineno, n.col_offset))
    return first.lineno, first.col_offset + 1, f"{first.id}, which Python 3 has not"


def _old_constructs(tree: Any) -> Iterator[tuple[int, int, str]]:
    from fissix import pygram
    from fissix.pgen2 import token

    symbols = pygram.python_symbols
    statements = {symbols.print_stmt: "print statement", symbols.exec_stmt: "exec statement"}
    for node in tree.pre_order():
        what = statements.get(node.type)
        if node.type == token.NAME and node.value == "print" and node.parent.type == symbols.simple_stmt:
            what = "print statement"
        elif node.type == token.BACKQUOTE:
            what = "backquotes"
        elif node.type == token.NOTEQUAL and node.value == "<>":
            what = "<> operator"
        elif node.type == token.NUMBER:
            what = _old_number(node.value)
        elif node.type == token.STRING and node.value[:2].lower() == "ur":
            what = "ur string"
        elif node.type == symbols.except_clause and len(node.children) == 4 and node.children[2].type == token.COMMA:
            what = "except with a comma"
        elif node.type == symbols.raise_stmt and any(c.type == token.COMMA for c in node.children):
            what = "raise with a comma"
        elif node.type in (symbols.tfpdef, symbols.vfpdef) and node.children[0].type == token.LPAR:
            what = "tuple parameter"
        if what is not None:
            leaf = node
            while leaf.children:
                leaf = leaf.children[0]
            yield leaf.lineno, leaf.column + 1, what


def _old_number(value: str) -> str | None:
    if value[-1:] in "lL":
        return "long integer"
    if len(value) > 1 and value[0] == "0" and value.isdigit() and value.strip("0"):
        return "octal number with a bare 0"
    return None
