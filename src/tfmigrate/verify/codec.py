"""Frozen dataclasses to plain JSON values and back.

JSON knows no NaN and no infinity, and a report must be read by any parser: such figures are written as the strings
"NaN", "Infinity" and "-Infinity", and read back as floats.
"""

from __future__ import annotations

import math
import types
import typing
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, TypeVar

T = TypeVar("T")

_WORDS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def encode(value: Any) -> Any:
    """`value` (dataclasses, enums, tuples, mappings, scalars) as what the json module writes strictly."""
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: encode(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, (list, tuple)):
        return [encode(v) for v in value]
    if isinstance(value, dict):
        return {str(k): encode(v) for k, v in value.items()}
    return value


def decode(kind: type[T], data: Any) -> T:
    """The dataclass `kind` from what `encode` gave. Unknown keys are ignored; a missing key takes the field's default.

    Raises TypeError where a field without a default is missing.
    """
    hints = typing.get_type_hints(kind)
    present = {f.name: _decode(hints[f.name], data[f.name]) for f in fields(kind) if f.name in data}  # type: ignore[arg-type]
    return kind(**present)


def _decode(hint: Any, data: Any) -> Any:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        if data is None:
            return None
        return _decode(next(a for a in args if a is not type(None)), data)
    if origin is tuple:
        if len(args) == 2 and args[1] is Ellipsis:
            return tuple(_decode(args[0], v) for v in data)
        return tuple(_decode(a, v) for a, v in zip(args, data, strict=True))
    if origin is dict:
        return {k: _decode(args[1], v) for k, v in data.items()}
    if isinstance(hint, type):
        if is_dataclass(hint):
            return decode(hint, data)
        if issubclass(hint, Enum):
            return hint(data)
        if hint is float:
            return _WORDS[data] if isinstance(data, str) else float(data)
    return data
