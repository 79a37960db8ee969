"""The marker in a folder that `convert` wrote: which files it wrote, so that a later run knows what is the user's."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tfmigrate.source.tree import MARKER

SCHEMA = 1


@dataclass(frozen=True)
class Marker:
    """`source` is the tree's folder as seen from the output, "" where single files were converted.

    `files` holds for each file written a stamp: a hash of a Python file, size and time of another one.
    """

    source: str = ""
    files: Mapping[str, str] = field(default_factory=dict)

    def dump(self) -> bytes:
        """The marker file's bytes."""
        document = {"schema": SCHEMA, "source": self.source, "files": dict(sorted(self.files.items()))}
        return (json.dumps(document, indent=1) + "\n").encode()


def load(folder: Path) -> Marker | None:
    """The folder's marker, None where it has none that can be read."""
    try:
        document = json.loads((folder / MARKER).read_bytes())
        if document["schema"] != SCHEMA:
            return None
        return Marker(str(document["source"]), {str(k): str(v) for k, v in document["files"].items()})
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def hashed(data: bytes) -> str:
    """The stamp of a Python file's bytes."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


def linked(target: Path) -> str:
    """The stamp of a symbolic link to `target`."""
    return "link:" + os.fsencode(target).hex()


def stamp(place: Path, kind: str) -> str:
    """The stamp that the file at `place` has now, in the kind of the stamp it is compared with; "" where it is gone."""
    try:
        if place.is_symlink():
            return linked(place.readlink())
        if kind.startswith("sha256:"):
            return hashed(place.read_bytes())
        status = place.stat()
        return f"time:{status.st_size}:{status.st_mtime_ns}"
    except OSError:
        return ""
