"""Checks of every conversion, also in production: it parses, no name came loose, no TensorFlow 1 symbol is left."""

from __future__ import annotations

import ast
import builtins
import re
import symtable

from tfmigrate.analysis.facts import Facts
from tfmigrate.analysis.project import Project
from tfmigrate.model import Finding, Place, Severity
from tfmigrate.rewrite.unbuilt import never_called
from tfmigrate.symbols.usage import missing_symbols

MODULE_NAMES = {
    "__name__",
    "__file__",
    "__doc__",
    "__builtins__",
    "__package__",
    "__spec__",
    "__loader__",
    "__path__",
    "__class__",
    "__module__",
    "__qualname__",
    "__annotations__",
    "__conditional_annotations__",
}


def violations(project: Project, texts: dict[str, str], facts: Facts) -> list[Finding]:
    """What is wrong with the written texts; each finding keeps the program from being called native."""
    found: list[Finding] = []
    trees: dict[str, ast.Module] = {}
    for path, text in texts.items():
        source = project.tree.file(path)
        before = source.text if source is not None and source.text is not None else ""
        try:
            tree = ast.parse(text)
        except SyntaxError as error:
            found.append(
                Finding("TFM901", Severity.ERROR, Place(path, 1, 1), f"the text written does not parse: {error}")
            )
            continue
        trees[path] = tree
        loose = unbound(text) - unbound(before)
        for name in sorted(loose):
            message = f"host code reads {name}, which lives in the graph"
            found.append(Finding("TFM111", Severity.ERROR, _place(path, before, name), message))
        for name in missing_symbols(tree):
            found.append(
                Finding(
                    "TFM201",
                    Severity.ERROR,
                    _place(path, before, name.split(".")[-1]),
                    f"tf.{name} has no counterpart in TensorFlow 2",
                )
            )
    for path, name in never_called(trees):
        message = f"{name} is read, and nothing that is run calls the layer, which makes it"
        place = _place(path, project.text(path), name.split(".")[-2])
        found.append(Finding("TFM169", Severity.ERROR, place, message))
    return found


def unbound(text: str) -> set[str]:
    """Names that are read and that no statement of their scopes, nor Python, binds."""
    try:
        table = symtable.symtable(text, "program", "exec")
    except (SyntaxError, ValueError, RecursionError):
        return set()
    bound = {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported() or s.is_namespace()}
    found: set[str] = set()
    stars = "import *" in text

    def walk(scope: symtable.SymbolTable) -> None:
        for symbol in scope.get_symbols():
            name = symbol.get_name()
            if scope is not table and symbol.is_declared_global() and symbol.is_assigned():
                bound.add(name)
        for child in scope.get_children():
            walk(child)

    def reads(scope: symtable.SymbolTable) -> None:
        for symbol in scope.get_symbols():
            if symbol.is_referenced() and (symbol.is_global() or scope is table):
                found.add(symbol.get_name())
        for child in scope.get_children():
            reads(child)

    walk(table)
    reads(table)
    loose = {n for n in found if n not in bound and not hasattr(builtins, n) and n not in MODULE_NAMES}
    return set() if stars else loose


def _place(path: str, text: str, name: str) -> Place:
    """Where the source first reads the name; else where the word first stands in it."""
    try:
        nodes = list(ast.walk(ast.parse(text)))
    except (SyntaxError, ValueError, RecursionError):
        nodes = []
    reads = [
        (node.lineno, node.col_offset + 1)
        for node in nodes
        if (isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load))
        or (isinstance(node, ast.Attribute) and node.attr == name)
    ]
    if reads:
        return Place(path, *min(reads))
    for number, line in enumerate(text.splitlines(), 1):
        found = re.search(rf"\b{re.escape(name)}\b", line)
        if found is not None:
            return Place(path, number, found.start() + 1)
    return Place(path, 1, 1)
