"""Public symbols of TensorFlow 1.15.5 (contrib included) and of the target TensorFlow, from generated tables.

The tables are written by `python -m tfmigrate.symbols.generate`; nothing here imports TensorFlow. Names are given
without the leading "tensorflow." ("nn.relu").
"""

from __future__ import annotations

from collections.abc import Iterator

from tfmigrate.symbols.earlier import EARLIER
from tfmigrate.symbols.internal import public
from tfmigrate.symbols.symbol import Parameter, Symbol
from tfmigrate.symbols.table import Table

__all__ = ["Parameter", "Symbol", "aliases", "all_legacy", "canonical", "legacy", "public", "target"]

_LEGACY = Table("legacy.tsv")
_TARGET = Table("target.tsv")


def _plain(name: str) -> str:
    """The name without the spelling of the compatibility module."""
    return name.removeprefix("compat.v1.")


def canonical(name: str) -> str:
    """1.15's shortest name of the same object ("math.log" gives "log"); names of 0.x give their successor's."""
    plain = _plain(name)
    plain = EARLIER.get(plain, plain)
    entry = _LEGACY.get(plain)
    return (entry.canonical or plain) if entry else plain


def legacy(name: str) -> Symbol | None:
    """The symbol of TensorFlow 1.15 by any of its names, or of 0.x by its old name; None where there is none."""
    plain = _plain(name)
    return _LEGACY.get(EARLIER.get(plain, plain))


def target(name: str) -> Symbol | None:
    """The symbol of the target TensorFlow by that very name; `compat.v1` is not part of it."""
    return _TARGET.get(name)


def aliases(name: str) -> tuple[str, ...]:
    """All of 1.15's public names of that object, the shortest first."""
    return _LEGACY.group(canonical(name))


def all_legacy() -> Iterator[tuple[str, Symbol]]:
    """All of 1.15's public names with their symbols."""
    for name in _LEGACY.lines:
        if symbol := _LEGACY.get(name):
            yield name, symbol
