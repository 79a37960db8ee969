"""Checks of every conversion, also in production: it parses, no name came loose, no TensorFlow 1 symbol is left."""

from __future__ import annotations

import ast
import builtins
import symtable

from tfmigrate.analysis.facts import Facts
from tfmigrate.analysis.project import Project
from tfmigrate.model import Finding, Place, Severity
from tfmigrate.symbols import target

MODULE_NAMES = {"__name__", "__file__", "__doc__", "__builtins__", "__package__", "__spec__", "__loader__", "__path__", "__class__",
                "__module__", "__qualname__", "__annotations__", "__conditional_annotations__"}


def violations(project: Project, texts: dict[str, str], facts: Facts) -> list[Finding]:
    """What is wrong with the written texts; each finding keeps the program from being called native."""
    found: list[Finding] = []
    for path, text in texts.items():
        source = project.tree.file(path)
        before = source.text if source is not None and source.text is not None else ""
        try:
            tree = ast.parse(text)
        except SyntaxError as error:
            found.append(Finding("TFM901", Severity.ERROR, Place(path, 1, 1), f"the text written does not parse: {error}"))
            continue
        loose = unbound(text) - unbound(before)
        for name in sorted(loose):
            line = _line(before, name)
            found.append(Finding("TFM111", Severity.ERROR, Place(path, line, 1), f"host code reads {name}, which lives in the graph"))
        for name in missing_symbols(tree):
            found.append(Finding("TFM201", Severity.ERROR, Place(path, _line(before, name.split(".")[-1]), 1),
                                 f"tf.{name} has no counterpart in TensorFlow 2"))
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


def missing_symbols(tree: ast.Module) -> list[str]:
    """Symbols of TensorFlow in the text that the target does not have."""
    aliases: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                if name.name.split(".")[0] == "tensorflow":
                    aliases[name.asname or "tensorflow"] = ".".join(name.name.split(".")[1:]) if name.asname else ""
    found: dict[str, None] = {}
    inner = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and id(node) not in inner:
            chain = _chain(node)
            if len(chain) > 1 and chain[0] in aliases:
                parts = [p for p in aliases[chain[0]].split(".") if p] + chain[1:]
                if not _exists(parts):
                    found.setdefault(".".join(parts))
    return list(found)


def _exists(parts: list[str]) -> bool:
    if parts[0] in ("compat", "contrib", "app", "flags", "placeholder", "Session"):
        return parts[:2] == ["compat", "as_str"]
    if parts[0].startswith("__"):
        return True
    if parts[0] == "raw_ops":
        return True
    for end in range(len(parts), 0, -1):
        symbol = target(".".join(parts[:end]))
        if symbol is not None:
            return end == len(parts) or symbol.kind != "module"
    return False


def _chain(node: ast.expr) -> list[str]:
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return [node.id, *reversed(names)] if isinstance(node, ast.Name) else []


def _line(text: str, name: str) -> int:
    for number, line in enumerate(text.splitlines(), 1):
        if name in line:
            return number
    return 1
