"""The trees that a command's paths name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tfmigrate import config
from tfmigrate.errors import InputError
from tfmigrate.model import SourceTree
from tfmigrate.source.tree import read


def read_all(paths: Sequence[Path], strict: bool = True) -> list[SourceTree]:
    """One tree a path, in their order, without what the configuration excludes.

    Raises InputError for a path that is not there, and, where `strict`, for a single file with a problem.
    """
    trees = [read(path, config.load(path).exclude) for path in paths]
    for path, tree in zip(paths, trees, strict=True):
        problem = tree.files[0].problem if strict and tree.single else None
        if problem is not None:
            place = f"{path}:{problem.place.line}:{problem.place.column}"
            raise InputError(f"{place}: {problem.code} {problem.message}; `tfmigrate explain {problem.code}` says more")
    return trees
