"""`[tool.tfmigrate]` of the nearest pyproject.toml."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tfmigrate.errors import InputError
from tfmigrate.model import Optimizers, Strategy

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


@dataclass(frozen=True)
class Config:
    """What a project sets once; a command's options come before it. None where it sets nothing.

    `exclude`: patterns of files that are copied but never converted. `out`: the output folder.
    """

    exclude: tuple[str, ...] = ()
    out: Path | None = None
    strategy: Strategy | None = None
    optimizers: Optimizers | None = None
    before: str | None = None
    time_limit: float | None = None
    max_steps: int | None = None
    jobs: int | None = None


def load(start: Path) -> Config:
    """The configuration that holds for `start`, a file or folder: of the nearest folder above with a [tool.tfmigrate].

    Raises InputError where it cannot be read, or sets something unknown or of the wrong kind.
    """
    place = start.absolute()
    for folder in [place, *place.parents]:
        file = folder / "pyproject.toml"
        if not file.is_file():
            continue
        try:
            table = tomllib.loads(file.read_bytes().decode()).get("tool", {}).get("tfmigrate")
        except OSError as error:
            raise InputError(f"{file}: cannot be read: {error.strerror or error}") from error
        except (ValueError, AttributeError) as error:
            raise InputError(f"{file}: {error}") from error
        if table is not None:
            return _config(table, file)
    return Config()


def _config(table: Any, file: Path) -> Config:
    if not isinstance(table, dict):
        raise InputError(f"{file}: [tool.tfmigrate] must be a table")
    values: dict[str, Any] = {}
    for key, value in table.items():
        name = key.replace("-", "_")
        if name not in _READERS:
            known = ", ".join(sorted(k.replace("_", "-") for k in _READERS))
            raise InputError(f"{file}: [tool.tfmigrate] has no {key!r}; it has {known}")
        read, kind = _READERS[name]
        try:
            values[name] = read(value)
        except (ValueError, TypeError) as error:
            raise InputError(f"{file}: [tool.tfmigrate] {key} must be {kind}, not {value!r}") from error
    if "out" in values:
        values["out"] = file.parent / values["out"]
    return Config(**values)


def _patterns(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise TypeError
    return tuple(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _oracle(value: Any) -> str:
    if value not in ("auto", "tf1", "compat", "both"):
        raise ValueError
    return str(value)


def _seconds(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value <= 0:
        raise ValueError
    return float(value)


def _count(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError
    return value


_READERS: Mapping[str, tuple[Callable[[Any], Any], str]] = {
    "exclude": (_patterns, "a list of patterns"),
    "out": (_text, "a folder"),
    "strategy": (Strategy, "one of " + ", ".join(s.value for s in Strategy)),
    "optimizers": (Optimizers, "one of " + ", ".join(o.value for o in Optimizers)),
    "before": (_oracle, "one of auto, tf1, compat, both"),
    "time_limit": (_seconds, "a number of seconds above zero"),
    "max_steps": (_count, "a whole number above zero"),
    "jobs": (_count, "a whole number above zero"),
}
