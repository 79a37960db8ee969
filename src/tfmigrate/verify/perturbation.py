"""A legacy run's initial values moved by one unit in the last place: what the program makes of rounding."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np

from tfmigrate.verify.recorded import Array, Recorded


def moved(array: Array, generator: np.random.Generator) -> Array:
    """Each element to the next number of its type, up or down at random; zeros stay zeros."""
    up = generator.integers(0, 2, array.shape).astype(bool)
    next_up, next_down = (
        np.nextafter(array, np.asarray(np.inf, array.dtype)),
        np.nextafter(array, np.asarray(-np.inf, array.dtype)),
    )
    return np.where(array == 0, array, np.where(up, next_up, next_down)).astype(array.dtype)


def write_moved_start(recorded: Recorded, folder: Path) -> bool:
    """Write a trace folder whose initial values are moved; False where no variable begins with a number that can be."""
    if recorded.folder is None:
        return False
    generator = np.random.default_rng(7)
    arrays = {}
    for variable in recorded.trace.variables:
        key = variable.initial.key if variable.initial is not None else None
        if key is None or key not in recorded.arrays:
            continue
        array = recorded.arrays[key]
        can_move = array.dtype.kind == "f" and not variable.slot and variable.trainable
        arrays[key] = moved(array, generator) if can_move else array
    if not any(not np.array_equal(a, recorded.arrays[k], equal_nan=a.dtype.kind == "f") for k, a in arrays.items()):
        return False
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(recorded.folder / "trace.json", folder / "trace.json")
    np.savez(folder / "values.npz", **arrays)  # type: ignore[arg-type]
    return True
