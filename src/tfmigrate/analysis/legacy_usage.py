"""Where a file uses what TensorFlow 2 no longer has: the findings of `tfmigrate check`."""

from __future__ import annotations

import ast
import warnings

from tfmigrate.model import Finding, Place, Severity
from tfmigrate.symbols.usage import exists

_GONE = frozenset({"contrib", "examples", "python", "app", "flags"})


def legacy_usage(path: str, text: str) -> list[Finding]:
    """A finding for each place, columns in characters; none where Python cannot parse the text."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "\d" in a plain string is the author's matter
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    lines = text.splitlines()
    nodes = list(ast.walk(tree))
    aliases = _aliases(nodes)
    inner = {id(n.value) for n in nodes if isinstance(n, ast.Attribute)}
    found: dict[tuple[int, int], str] = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            for name in node.names:
                if _is_gone(name.name.split(".")):
                    found[name.lineno, name.col_offset] = name.name
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for name in node.names:
                parts = [*(node.module or "").split("."), name.name]
                if _is_gone(parts) or (
                    parts[0] == "tensorflow" and len(parts) == 2 and name.name != "*" and not exists(parts[1:])
                ):
                    found[name.lineno, name.col_offset] = ".".join(parts)
        elif isinstance(node, (ast.Attribute, ast.Name)) and id(node) not in inner:
            parts = _chain(node, aliases)
            if parts and not exists(parts):
                found[node.lineno, node.col_offset] = ".".join(["tf", *parts])
    return [
        Finding("TFM320", Severity.WARNING, Place(path, line, _column(lines, line, column)), f"{name} is TensorFlow 1")
        for (line, column), name in sorted(found.items())
    ]


def _aliases(nodes: list[ast.AST]) -> dict[str, list[str]]:
    """The names that stand for TensorFlow or a part of it, with the part."""
    aliases: dict[str, list[str]] = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            for name in node.names:
                parts = name.name.split(".")
                if parts[0] == "tensorflow":
                    aliases[name.asname or "tensorflow"] = parts[1:] if name.asname else []
    return aliases


def _is_gone(parts: list[str]) -> bool:
    return parts[0] == "tensorflow" and ((parts[1:2] != [] and parts[1] in _GONE) or parts[1:3] == ["compat", "v1"])


def _chain(node: ast.expr, aliases: dict[str, list[str]]) -> list[str]:
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in aliases or not names:
        return []
    return [*aliases[node.id], *reversed(names)]


def _column(lines: list[str], line: int, offset: int) -> int:
    text = lines[line - 1] if line <= len(lines) else ""
    return len(text.encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "ignore")) + 1
