"""Which symbols of TensorFlow a text uses, and which of them the target does not have."""

from __future__ import annotations

import ast

from tfmigrate.symbols import target


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
                if not exists(parts):
                    found.setdefault(".".join(parts))
    return list(found)


def exists(parts: list[str]) -> bool:
    """Whether the target TensorFlow has the symbol, or has a class or function of which it may be a member."""
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
