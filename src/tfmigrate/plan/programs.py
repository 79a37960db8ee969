"""Which files of a tree belong together: those that share a graph, by their imports."""

from __future__ import annotations

import ast
import re
import warnings
from dataclasses import dataclass

from tfmigrate.analysis.project import Project
from tfmigrate.model import SourceTree
from tfmigrate.symbols import target
from tfmigrate.symbols.usage import missing_symbols

_MENTION = re.compile(
    r"^[ \t]*(?:import|from)[ \t]+tensorflow\b|^[ \t]*import[ \t][^\n#]*\btensorflow\b"
    r"|import_module\(\s*['\"]tensorflow",
    re.MULTILINE,
)
_IMPORT = re.compile(r"^[ \t]*(?:import|from)[ \t]+[\w.]", re.MULTILINE)


@dataclass(frozen=True)
class Component:
    """Connected files: one status. `entries` are run or imported by nobody; `libraries` are what they import beside,
    which has nothing to do with TensorFlow.
    """

    id: str
    files: tuple[str, ...]
    entries: tuple[str, ...]
    libraries: tuple[str, ...] = ()


def mentions_tensorflow(text: str) -> bool:
    """Whether the text imports tensorflow."""
    return bool(_MENTION.search(text))


def holds_legacy(text: str) -> bool:
    """Whether a file that imports tensorflow uses anything that TensorFlow 2 no longer has."""
    if not mentions_tensorflow(text):
        return False
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True
    return (
        bool(missing_symbols(tree))
        or _imports_legacy(tree)
        or any(
            isinstance(n, ast.ImportFrom)
            and (n.module or "") == "tensorflow"
            and any(target(a.name) is None for a in n.names if a.name != "*")
            for n in ast.walk(tree)
        )
    )


def _imports_legacy(tree: ast.Module) -> bool:
    """Whether a part of TensorFlow is imported that is gone (contrib, the tutorials), or the old API under its new
    name.
    """
    for node in ast.walk(tree):
        names = (
            [a.name for a in node.names]
            if isinstance(node, ast.Import)
            else (
                [f"{node.module}.{a.name}" for a in node.names]
                if isinstance(node, ast.ImportFrom) and not node.level
                else []
            )
        )
        for name in names:
            parts = name.split(".")
            if parts[0] == "tensorflow" and (
                (parts[1:2] and parts[1] in ("contrib", "examples", "python", "app", "flags"))
                or parts[1:3] == ["compat", "v1"]
            ):
                return True
    return False


def components(tree: SourceTree, project: Project) -> list[Component]:
    """The groups of connected files of which at least one imports TensorFlow."""
    readable = {f.path: f.text for f in tree.files if f.text is not None and f.problem is None}
    edges = {path: _imports(path, text, project) & set(readable) for path, text in readable.items()}
    groups: dict[str, str] = {path: path for path in readable}

    def root(path: str) -> str:
        while groups[path] != path:
            path = groups[path]
        return path

    reaches = {path: _reaches_tensorflow(path, edges, readable, set()) for path in readable}
    for path, imported in edges.items():
        for other in imported:
            if reaches[path] and reaches[other]:
                groups[root(other)] = root(path)
    members: dict[str, list[str]] = {}
    for path in readable:
        if reaches[path]:
            members.setdefault(root(path), []).append(path)
    found: list[Component] = []
    for files in members.values():
        if not any(holds_legacy(readable[f] or "") for f in files):
            continue
        imported = {t for f in files for t in edges[f] if t != f}
        entries = [f for f in files if f not in imported or "__main__" in (readable[f] or "")]
        libraries = _closure(files, edges) - set(files)
        found.append(
            Component(min(files), tuple(sorted(files)), tuple(sorted(entries or files)), tuple(sorted(libraries)))
        )
    return sorted(found, key=lambda c: c.id)


def _closure(files: list[str], edges: dict[str, set[str]]) -> set[str]:
    found, todo = set(files), list(files)
    while todo:
        new = edges[todo.pop()] - found
        found |= new
        todo.extend(new)
    return found


def _reaches_tensorflow(path: str, edges: dict[str, set[str]], texts: dict[str, str], seen: set[str]) -> bool:
    if path in seen:
        return False
    seen.add(path)
    return mentions_tensorflow(texts[path]) or any(_reaches_tensorflow(t, edges, texts, seen) for t in edges[path])


def _imports(path: str, text: str, project: Project) -> set[str]:
    if not _IMPORT.search(text):
        return set()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "\d" in a plain string is the author's matter
            module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    found: set[str | None] = set()
    todo: list[ast.AST] = [module]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Import):
            found |= {_file(path, alias.name, 0, project) for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            names = [f"{base}.{alias.name}" if base else alias.name for alias in node.names if alias.name != "*"]
            found |= {_file(path, dotted, node.level, project) for dotted in (base, *names)}
        elif not isinstance(node, ast.expr):
            todo.extend(ast.iter_child_nodes(node))
    return {file for file in found if file is not None}


def _file(path: str, dotted: str, level: int, project: Project) -> str | None:
    if not level and dotted.split(".")[0] == "tensorflow":
        return None
    return project.find(path, dotted, level)
