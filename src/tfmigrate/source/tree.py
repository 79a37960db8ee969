"""Reads a file or a whole tree into a SourceTree."""

from __future__ import annotations

import fnmatch
import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tfmigrate.errors import InputError
from tfmigrate.model import Finding, Place, Severity, SourceFile, SourceTree
from tfmigrate.source.decode import decode
from tfmigrate.source.parse import parsed

MARKER = ".tfmigrate.json"  # lies in a folder that `convert` wrote, and names the files it wrote there

# Neither analysed nor copied: histories, environments and caches, which their tools make again.
_HISTORIES = {".git", ".hg", ".svn", ".bzr"}
_CACHES = {"__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", ".ipynb_checkpoints", ".eggs"}
_ENVIRONMENTS = {"node_modules", ".venv", ".tox", ".nox"}
LEFT_OUT = frozenset(_HISTORIES | _CACHES | _ENVIRONMENTS)


def read(path: Path, exclude: Sequence[str] = ()) -> SourceTree:
    """The tree below a folder, or the one file. Files that match a pattern of `exclude` are copied, never read.

    Symbolic links are not followed (below `path`; it may be one itself). A file with a problem is kept with
    its problem. Raises InputError where `path` does not exist or is neither a folder nor a Python file.
    """
    if not os.path.lexists(path):
        raise InputError(f"{path}: no such file or folder")
    try:
        root = path.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        raise InputError(f"{path}: a link that leads nowhere ({_cause(error)})") from error
    if root.is_file():
        if root.suffix != ".py":
            raise InputError(f"{path}: not a Python file (its name does not end in .py)")
        return SourceTree(root.parent, (_read_file(root, root.name),), single=True)
    if not root.is_dir():
        raise InputError(f"{path}: neither a file nor a folder")
    found = _Found()
    _walk(root, "", exclude, found)
    if any(note.code == "TFM005" and note.place.path == "." for note in found.notes):
        raise InputError(f"{path}: {found.notes[0].message}")
    return SourceTree(
        root,
        tuple(sorted(found.files, key=lambda f: f.path)),
        others=tuple(sorted(found.others)),
        folders=tuple(sorted(found.folders)),
        notes=tuple(found.notes),
    )


@dataclass
class _Found:
    files: list[SourceFile] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)

    def note(self, code: str, severity: Severity, path: str, message: str) -> None:
        self.notes.append(Finding(code, severity, Place(path or ".", 1, 1), message))


def _walk(root: Path, start: str, exclude: Sequence[str], found: _Found) -> None:
    pending = [start]
    while pending:
        folder = pending.pop()
        try:
            entries = sorted(os.scandir(root / folder), key=lambda e: e.name)
        except OSError as error:
            found.note("TFM005", Severity.ERROR, folder, f"cannot be read: {_cause(error)}")
            continue
        kept = False
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            if path == MARKER or _left_out(entry):
                continue
            kept = True
            if entry.is_symlink():
                found.others.append(path)
                found.note("TFM006", Severity.INFO, path, f"link to {Path(entry.path).readlink()} kept as a link")
            elif entry.is_dir():
                pending.append(path)
            elif not entry.is_file():
                kind = stat.filemode(entry.stat(follow_symlinks=False).st_mode)[0]
                found.note("TFM007", Severity.INFO, path, f"special file ({kind}) left out")
            elif entry.name.endswith(".py") and not _excluded(path, exclude):
                found.files.append(_read_file(root / path, path))
            else:
                found.others.append(path)
        if folder and not kept:
            found.folders.append(folder)


def _left_out(entry: os.DirEntry[str]) -> bool:
    if entry.is_symlink() or not entry.is_dir():
        return entry.name == ".git" and not entry.is_symlink()  # a worktree's or submodule's .git is a file
    return entry.name in LEFT_OUT or os.path.lexists(os.path.join(entry.path, "pyvenv.cfg"))  # noqa: PTH118


def _excluded(path: str, patterns: Sequence[str]) -> bool:
    parts = path.split("/")
    prefixes = ["/".join(parts[: n + 1]) for n in range(len(parts))]
    return any(fnmatch.fnmatchcase(p, pattern.rstrip("/")) for pattern in patterns for p in prefixes)


def _read_file(place: Path, path: str) -> SourceFile:
    try:
        data = place.read_bytes()
    except OSError as error:
        problem = Finding("TFM005", Severity.ERROR, Place(path, 1, 1), f"cannot be read: {_cause(error)}")
        return SourceFile(path, None, problem=problem)
    return parsed(decode(path, data))


def _cause(error: BaseException) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
