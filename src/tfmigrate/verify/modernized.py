"""The Python 2 files of the legacy program, as the interpreters of today run them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from tfmigrate.source import tree
from tfmigrate.source.decode import encode


def modernizer(root: Path) -> Callable[[Path], None]:
    """What writes the Python 2 files below `root` into a copy of it as Python 3, as the conversion read them.

    The files are read and brought to Python 3 once, when the first copy asks.
    """

    @cache
    def texts() -> dict[str, bytes]:
        return {
            file.path: encode(file.text, file)
            for file in tree.read(root).files
            if file.python2 is not None and file.text is not None
        }

    def prepare(copy: Path) -> None:
        for path, text in texts().items():
            if (copy / path).is_file():
                (copy / path).write_bytes(text)

    return prepare
