"""Whether a text is Python 3, and where not, why: Python 2, a syntax error, or nesting beyond the parser."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tfmigrate.model import Finding, Place, Severity, SourceFile


def parsed(file: SourceFile) -> SourceFile:
    """The same file, with a problem where Python 3 cannot parse its text."""
    if file.text is None:
        return file
    problem = _problem(file.path, file.text)
    return file if problem is None else replace(file, problem=problem)


def _problem(path: str, text: str) -> Finding | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "\d" in a plain string is the author's matter
            ast.parse(text)
    except (RecursionError, MemoryError):
        return Finding("TFM008", Severity.ERROR, Place(path, 1, 1), "nested deeper than Python's parser goes")
    except SyntaxError as error:
        if (old := _python2(text, (error.lineno or 1) if isinstance(error, TabError) else 0)) is not None:
            line, column, what = old
            return Finding("TFM004", Severity.ERROR, Place(path, line, column), f"Python 2: {what}")
        if "too many" in str(error.msg) and "nested" in str(error.msg):
            place = Place(path, error.lineno or 1, max(error.offset or 1, 1))
            return Finding("TFM008", Severity.ERROR, place, str(error.msg))
        place = Place(path, error.lineno or 1, max(error.offset or 1, 1))
        return Finding("TFM003", Severity.ERROR, place, str(error.msg))
    except ValueError as error:  # a lone surrogate, which an escape of some codecs yields
        return Finding("TFM003", Severity.ERROR, Place(path, 1, 1), str(error))
    return None


def _python2(text: str, tabs: int) -> tuple[int, int, str] | None:
    """Line, column and name of the first construct that only Python 2 has, where Python 2's grammar fits the text.

    The grammar alone proves nothing: it also lets through errors that Python finds later, such as `f() = 1`.
    """
    from fissix import pygram, pytree
    from fissix.pgen2 import driver

    parser = driver.Driver(pygram.python_grammar, convert=pytree.convert)
    try:
        tree = parser.parse_string(text if text.endswith("\n") else text + "\n")
        found = next(_old_constructs(tree), None)
    except Exception:  # beside its ParseError, fissix raises whatever a text that is no Python makes it stumble over
        return None
    if found is None and tabs:  # the line that TabError names
        return tabs, 1, "tabs and spaces mixed in an indentation"
    return found


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
