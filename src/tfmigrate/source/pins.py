"""Where a tree asks for an old TensorFlow: its requirements, set-up and environment files."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tfmigrate.model import Place, SourceTree

_PLACES = re.compile(
    r"(^|/)((requirements|constraints)[^/]*\.(txt|in)|setup\.(py|cfg)|pyproject\.toml|Pipfile|[^/]*env[^/]*\.ya?ml"
    r"|tox\.ini|Dockerfile[^/]*|\.travis\.yml)$"
)
_PIN = re.compile(
    r"\btensorflow(?:[-_]gpu|[-_]cpu)?\b\s*[\"']?\s*(?:\[[^\]]*\])?\s*(?:[=:~<>!]=?=?|@)\s*[\"']?\s*(?:==|~=|>=|<=|<)?\s*v?([01])\b"
)
_TAG = re.compile(r"\btensorflow/tensorflow:([01])\.")
_LARGEST = 1 << 20  # such files are short; anything longer is no list of packages


@dataclass(frozen=True)
class Pin:
    """A line that asks for TensorFlow 0.x or 1.x."""

    place: Place
    text: str


def old_tensorflow(tree: SourceTree) -> tuple[Pin, ...]:
    """The lines of the tree that pin an old TensorFlow, in the order of their places."""
    found = []
    for path in sorted([*tree.others, *(f.path for f in tree.files)]):
        place = tree.root / path
        if not _PLACES.search(path) or place.is_symlink():
            continue
        try:
            text = place.read_bytes()[:_LARGEST].decode("utf-8", "replace")
        except OSError:
            continue
        for number, line in enumerate(text.split("\n"), 1):
            if not line.lstrip().startswith("#") and (match := _PIN.search(line) or _TAG.search(line)):
                found.append(Pin(Place(path, number, match.start() + 1), line.strip()[:100]))
    return tuple(found)
