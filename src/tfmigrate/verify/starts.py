"""How a converted program's variables would have begun by themselves, beside how the legacy program's did."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from tfmigrate.verify.recorded import Array, Recorded, distance
from tfmigrate.verify.results import Comparison
from tfmigrate.verify.tolerance import base
from tfmigrate.verify.trace import VariableState

_SURE = 5.0  # standard errors by which the spread of two random initial values may differ
_UNSURE = 1e-7  # chance that two samples of one distribution are told apart by their shape
_LEAST = 8  # elements below which nothing is said of a random value


def began(
    old: VariableState, new: VariableState, before: Recorded, after: Recorded, alike: bool = False
) -> Comparison | None:
    """How the new program itself would have begun: what is not drawn is equal, random values have one distribution.

    `alike`: another drawn variable begins with the same bits on both sides, so this one should. The harness puts the
    legacy program's initial values into the new one's variables, which would hide a wrong initializer. Skipped where
    the trace holds the transplanted values only. What a checkpoint gave is never put in, and is equal.
    """
    a, b = before.array(old.initial), after.array(new.initial if old.restored else after.own_initial(new))
    if a is None or b is None or a.size != b.size or not a.size or a.dtype.kind not in "fiub":
        return None
    name = f"{'restored' if old.restored else 'initial'} {old.name}"
    rtol, atol, _ = base(old.dtype)
    found = distance(a, b, 0.0, rtol, atol)
    if found.excess <= 1.0:
        return Comparison(
            name, "", None, found.count, found.absolute, found.relative, rtol, atol, True, "behaviour", "variable"
        )
    unlike = Comparison(
        name,
        "",
        None,
        found.count,
        found.absolute,
        found.relative,
        rtol,
        atol,
        False,
        "behaviour",
        "variable",
        note="the restored values differ" if old.restored else "the initial values differ",
    )
    if old.restored or old.drawn is False:
        return unlike
    if not old.drawn:
        if a.size < _LEAST:
            return unlike if _constant(a) or _constant(b) else None
        return unlike if _constant(a) or _constant(b) else _spread(name, a.astype(np.float64), b.astype(np.float64))
    if a.size > 1 and _constant(b):
        return unlike
    if _stretched(a, b) if a.size > 2 else alike:
        return replace(unlike, note="the same draws, of another scale")
    return _spread(name, a.astype(np.float64), b.astype(np.float64)) if a.size >= _LEAST else None


def _stretched(a: Array, b: Array) -> bool:
    """Whether one is the other, stretched and moved: the harness gives initial draws of both sides the same bits."""
    x, y = (v.astype(np.float64) - v.astype(np.float64).mean() for v in (a, b))
    norms = float(np.linalg.norm(x)), float(np.linalg.norm(y))
    return min(norms) > 0.0 and abs(float(x @ y)) > (1.0 - 1e-9) * norms[0] * norms[1]


def aligned(old: VariableState, new: VariableState, before: Recorded, after: Recorded) -> bool:
    """Whether a drawn value is the same on both sides, to the rounding of a scale."""
    a, b = before.array(old.initial), after.array(after.own_initial(new))
    if not old.drawn or new.own is None or a is None or b is None or a.size != b.size:
        return False
    return bool(np.allclose(a, b, rtol=1e-5, atol=0.0))


def _constant(array: Array) -> bool:
    return bool((array == array[0]).all())


def _spread(name: str, a: Array, b: Array) -> Comparison:
    """Mean and standard deviation of two samples, each within `_SURE` of its standard errors (from the samples' own
    kurtosis), and their shape by the two-sample test of Kolmogorov and Smirnov (so uniform is not taken for normal).
    """
    n = a.size
    spread = [float(np.std(x)) for x in (a, b)]
    pooled = math.sqrt((spread[0] ** 2 + spread[1] ** 2) / 2) or 1.0
    kurtosis = max(float(np.mean(((x - x.mean()) / (np.std(x) or 1.0)) ** 4)) for x in (a, b))
    by_mean = abs(float(a.mean() - b.mean())) / (pooled * math.sqrt(2.0 / n))
    by_spread = abs(math.log(max(spread[1], 1e-30) / max(spread[0], 1e-30))) / math.sqrt(
        2.0 * max(kurtosis - 1.0, 0.2) / (4.0 * n)
    )
    apart = _largest_gap(a, b)
    ok = by_mean <= _SURE and by_spread <= _SURE and apart <= math.sqrt(math.log(2.0 / _UNSURE) / n)
    note = (
        f"random on both sides: standard deviation {spread[0]:.4g} before, {spread[1]:.4g} after, "
        f"mean {a.mean():.3g} and {b.mean():.3g}, shares below a number at most {apart:.2g} apart"
    )
    relative = abs(spread[1] - spread[0]) / max(spread[0], 1e-30)
    limit = _SURE * math.sqrt(2.0 * max(kurtosis - 1.0, 0.2) / (4.0 * n))
    return Comparison(
        name, "", None, n, abs(spread[1] - spread[0]), relative, limit, 0.0, ok, "behaviour", "variable", 0.0, note
    )


def _largest_gap(a: Array, b: Array) -> float:
    """The largest distance between the empirical distribution functions of two samples."""
    points = np.sort(np.concatenate([a, b]))
    shares = [np.searchsorted(np.sort(x), points, side="right") / x.size for x in (a, b)]
    return float(np.abs(shares[0] - shares[1]).max())
