"""What a program wrote below its folder: which files, of what kind, and what those that can be compared hold."""

from __future__ import annotations

import contextlib
import hashlib
import os
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

from tfmigrate.verify import eventfile
from tfmigrate.verify.trace import SummaryValue

KINDS = {
    ".npy": "array",
    ".npz": "array",
    ".png": "image",
    ".jpg": "image",
    ".jpeg": "image",
    ".gif": "image",
    ".bmp": "image",
    ".txt": "text",
    ".csv": "text",
    ".tsv": "text",
    ".json": "text",
    ".log": "text",
    ".md": "text",
    ".pbtxt": "text",
    ".yaml": "text",
    ".html": "text",
    ".xml": "text",
}
LARGEST = 50 << 20  # bytes of a file up to which its content is kept for comparing
TEXT = 1 << 20


@dataclass(frozen=True)
class Found:
    """A file written: `arrays` in .npy form by name, `text` of a text file."""

    path: str
    kind: str
    digest: str
    size: int
    arrays: dict[str, bytes] = field(default_factory=dict)
    text: str | None = None


Snapshot = dict[str, tuple[int, int]]


def snapshot(root: Path) -> Snapshot:
    """Size and time of every file below `root`."""
    found: Snapshot = {}
    for folder, _, names in os.walk(root):
        for name in names:
            path = Path(folder, name)
            with contextlib.suppress(OSError):
                status = path.stat()
                found[path.relative_to(root).as_posix()] = (status.st_size, status.st_mtime_ns)
    return found


def written(root: Path, before: Snapshot) -> tuple[tuple[Found, ...], tuple[SummaryValue, ...]]:
    """Files below `root` that are new or changed since the snapshot, and the summaries in the event files among them,
    by step.
    """
    files: list[Found] = []
    summaries: list[SummaryValue] = []
    for path, state in sorted(snapshot(root).items()):
        if before.get(path) == state or "__pycache__" in path:
            continue
        with contextlib.suppress(OSError):
            found = _describe(root, path, state[0])
            files.append(found)
            if found.kind == "event":
                summaries.extend(eventfile.read(root / path))
    return tuple(files), tuple(sorted(summaries, key=lambda value: (value.tag, value.step)))


def _describe(root: Path, path: str, size: int) -> Found:
    kind, arrays, text = kind_of(path), {}, None
    if kind == "array" and size <= LARGEST:
        arrays = _arrays(root / path)
    if kind == "text" and size <= LARGEST:
        text = (root / path).read_bytes()[:TEXT].decode("utf-8", "replace")
    return Found(path, kind, _digest(root / path), size, arrays, text)


def kind_of(path: str) -> str:
    """checkpoint | event | text | array | image | other, by the file's name."""
    name = path.rsplit("/", 1)[-1]
    if ".tfevents." in name:
        return "event"
    if name.endswith((".index", ".meta")) or ".data-0" in name or name == "checkpoint":
        return "checkpoint"
    return KINDS.get(Path(name).suffix.lower(), "other")


def _arrays(path: Path) -> dict[str, bytes]:
    if path.suffix.lower() == ".npy":
        return {"array": path.read_bytes()}
    with contextlib.suppress(zipfile.BadZipFile, KeyError, RuntimeError), zipfile.ZipFile(path) as archive:
        return {name.removesuffix(".npy"): archive.read(name) for name in archive.namelist() if name.endswith(".npy")}
    return {}


def _digest(path: Path) -> str:
    digest = hashlib.blake2b(digest_size=8)
    with path.open("rb") as stream:
        while part := stream.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()
