"""A trace together with its arrays, and the distance between two arrays.

NumPy comes with TensorFlow, which verification needs anyway; conversion never imports this module.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tfmigrate.verify.trace import Trace, Value, VariableState

Array = NDArray[Any]


@dataclass(frozen=True)
class Recorded:
    """A run with the arrays that its values name. `folder` is where it lies on disk, None for one made in memory."""

    trace: Trace
    arrays: Mapping[str, Array] = field(default_factory=dict)
    folder: Path | None = None

    def array(self, value: Value | None) -> Array | None:
        """The value's array (a strided sample of a large one), flattened; None where it has none."""
        if value is None or value.key is None or value.key not in self.arrays:
            return None
        found = np.asarray(self.arrays[value.key]).reshape(-1)
        return None if found.dtype.kind in "OSUV" else found

    def own_initial(self, variable: VariableState) -> Value | None:
        """What the program itself gave the variable before the legacy value was put in; the latter if untold."""
        return variable.initial if variable.own is None else variable.own


def load_arrays(path: Path) -> dict[str, Array]:
    """All arrays of a values.npz, or none where the file is missing or was cut short. Pickled objects are never
    loaded.
    """
    try:
        with np.load(path, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except (OSError, ValueError, EOFError, KeyError):
        return {}


@dataclass(frozen=True)
class Distance:
    """How far two arrays are apart: largest absolute and relative difference, and the largest multiple of the
    tolerance.
    """

    absolute: float
    relative: float
    excess: float
    count: int


def root_mean_square(array: Array) -> float:
    """Over the finite elements, in float64; 0 where there are none."""
    finite = _wide(array)
    finite = finite[np.isfinite(finite)]
    return float(np.sqrt(np.mean(np.abs(finite) ** 2))) if finite.size else 0.0


def distance(old: Array, new: Array, first_scale: float, rtol: float, atol: float) -> Distance:
    """Compare two flat arrays of numbers of one length.

    A difference is relative to max(|old|, root mean square of old, `first_scale`): an element near zero in an array
    of ones carries the rounding of the ones. NaN equals NaN, an infinity itself; any other meeting with these is
    infinitely far. Integers and booleans are exact: `relative` is then the share of elements that differ, and any
    difference exceeds.
    """
    if old.dtype.kind in "biu" and new.dtype.kind in "biu":
        unequal = old.astype(np.int64) != new.astype(np.int64)
        if not unequal.any():
            return Distance(0.0, 0.0, 0.0, old.size)
        apart = np.abs(old.astype(np.float64) - new.astype(np.float64)).max()
        return Distance(float(apart), float(unequal.mean()), float("inf"), old.size)
    a, b = _wide(old), _wide(new)
    with np.errstate(invalid="ignore", over="ignore"):
        apart = np.abs(a - b)
        same = (a == b) | (np.isnan(a) & np.isnan(b))
        apart = np.where(same, 0.0, np.where(np.isnan(apart), np.inf, apart))
        scale = np.maximum(np.where(np.isfinite(a), np.abs(a), 0.0), max(root_mean_square(old), first_scale))
        relative = apart / np.maximum(scale, np.finfo(np.float64).tiny)
        excess = apart / (atol + rtol * scale) if atol or rtol else np.where(apart > 0, np.inf, 0.0)
    if not a.size:
        return Distance(0.0, 0.0, 0.0, 0)
    # Relative to a scale of rounding size a difference means nothing: below atol it counts by atol.
    shown = np.where(apart <= atol, np.minimum(relative, apart), relative)
    return Distance(float(apart.max()), float(shown.max()), float(excess.max()), int(np.isfinite(a).sum()))


def _wide(array: Array) -> Array:
    if array.dtype.kind == "c":
        return np.concatenate([array.real, array.imag]).astype(np.float64)
    return array.astype(np.float64)
