"""A unified diff of a conversion, as `git apply` takes it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from pathlib import Path

from tfmigrate.model import Conversion
from tfmigrate.source import contents
from tfmigrate.source.decode import BOM


def unified(conversion: Conversion, start: Path | None = None) -> Iterator[bytes]:
    """The diff of each changed file, each in its own encoding.

    Paths are relative to the folder `start` where the tree lies in it (there `git apply` finds the files), else to the
    tree's own root.
    """
    root = conversion.tree.root.resolve()
    base = start.resolve() if start is not None else root
    around = root.relative_to(base) if root.is_relative_to(base) else Path()
    for content in contents.changed(conversion):
        mark = "\ufeff" if content.data.startswith(BOM) else ""  # the text is without it, the first line is not
        lines = list(
            difflib.unified_diff(
                _lines(mark + content.before if content.before is not None else ""),
                _lines(mark + content.after),
                fromfile="/dev/null" if content.before is None else f"a/{(around / content.path).as_posix()}",
                tofile=f"b/{(around / content.path).as_posix()}",
            )
        )
        header = "".join(lines[:2]).encode("utf-8", "surrogateescape")
        body = "".join(s if s.endswith("\n") else f"{s}\n\\ No newline at end of file\n" for s in lines[2:])
        yield header + body.encode(content.encoding)


def _lines(text: str) -> list[str]:
    # str.splitlines would also break at form feeds and other separators that are no line ends to Python.
    return re.findall(r"[^\n]*\n|[^\n]+", text)
