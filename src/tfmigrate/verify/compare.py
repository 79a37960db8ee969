"""Compare what the runs of each site gave, and measure the noise floor by the same means."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from tfmigrate.verify.columns import match_columns, value_name
from tfmigrate.verify.pairing import PairedSite, Pairing, pair_with_itself
from tfmigrate.verify.recorded import Array, Recorded, distance, root_mean_square
from tfmigrate.verify.results import Comparison, Series
from tfmigrate.verify.stats import thin
from tfmigrate.verify.tolerance import Allowance, Column, Tolerance
from tfmigrate.verify.trace import Event, Value

POINTS = 600
_COUNTS = 20_000  # a share of up to so many examples is taken for a count


@dataclass(frozen=True)
class ValueResults:
    """Comparisons of all sites; `problems` of the interface in words; `steps` how many paired runs had a value
    judged, by site;
    `tied` the pairs of discrete figures that differ by one count and were let pass."""

    comparisons: tuple[Comparison, ...]
    series: tuple[Series, ...]
    problems: tuple[str, ...]
    notes: tuple[str, ...]
    steps: dict[str, int]
    tied: tuple[tuple[float, float], ...] = ()


@dataclass
class _Tally:
    """What is gathered over the runs of one column."""

    n: int = 0
    absolute: float = 0.0
    relative: float = 0.0
    worst: float = -1.0
    allowance: Allowance | None = None
    first: int | None = None
    unjudged: list[int] = field(default_factory=list)
    runs: int = 0
    exact: int = 0
    over: list[tuple[int, float, float]] = field(default_factory=list)
    scalars: list[tuple[float, float]] = field(default_factory=list)
    words: str = ""
    nonfinite: int = 0


def compare_values(pairing: Pairing, before: Recorded, after: Recorded, tolerance: Tolerance) -> ValueResults:
    """One Comparison for each fetched value of each paired site."""
    comparisons: list[Comparison] = []
    series: list[Series] = []
    problems: list[str] = []
    notes: list[str] = []
    steps: dict[str, int] = {}
    tied: list[tuple[float, float]] = []
    for site in pairing.sites:
        if not site.before:
            continue
        columns = match_columns(site, before, after, pairing.by_plan)
        if columns.problem:
            problems.append(f"{site.name or 'the step'} at {site.key}: {columns.problem}")
        if columns.note:
            notes.append(f"{site.key}: {columns.note}")
        for i, j in columns.pairs:
            comparison, runs = _column(site, (i, j), pairing, before, after, tolerance, tied)
            comparisons.append(comparison)
            steps[site.key] = max(steps.get(site.key, 0), runs)
            drawn = _series(site, (i, j), before, after)
            if drawn is not None:
                series.append(drawn)
    return ValueResults(
        tuple(comparisons), tuple(series), tuple(problems), tuple(dict.fromkeys(notes)), steps, tuple(tied)
    )


def _column(
    site: PairedSite,
    columns: tuple[int, int],
    pairing: Pairing,
    before: Recorded,
    after: Recorded,
    tolerance: Tolerance,
    tied: list[tuple[float, float]],
) -> tuple[Comparison, int]:
    """All runs of one value. Returns the comparison and how many runs were judged."""
    i, j = columns
    key: Column = (site.key, i)
    tally = _Tally()
    scale = 0.0
    for k, (run, call) in enumerate(zip(site.before, site.after, strict=True), start=1):
        if i >= len(run.values) or j >= len(call.values):
            _fail(tally, k, f"in run {k} the number of values changes")
            continue
        old, new = run.values[i], call.values[j]
        position = pairing.positions[run.index]
        allowance = tolerance.value(key, position, old.dtype)
        if not allowance.judged:
            tally.unjudged.append(k)
            continue
        a, b = before.array(old), after.array(new)
        if k == 1 and a is not None:
            scale = root_mean_square(a)
        _one(tally, k, old, new, a, b, scale, allowance)
    notes = [tally.words] if tally.words else []
    if tally.first is not None and _only_ties(tally):
        tied += [(x, y) for _, x, y in tally.over]
        notes.append(f"a count: {len(tally.over)} of {tally.runs} runs differ by one example")
        tally.first = None
    if tally.unjudged:
        notes.append(
            f"{len(tally.unjudged)} runs from run {tally.unjudged[0]} on not judged: rounding alone moves the value "
            "further than a comparison can tell"
        )
    if tally.nonfinite:
        notes.append(f"{tally.nonfinite} values are NaN or infinite on both sides")
    shown = tally.allowance or Allowance(0.0, 0.0, 0.0)
    comparison = Comparison(
        name=value_name(site, site.before[0], i),
        site=site.key,
        first_step=tally.first,
        n=tally.n,
        max_abs=tally.absolute,
        max_rel=tally.relative,
        rtol=shown.rtol,
        atol=shown.atol,
        ok=tally.first is None,
        floor=shown.floor,
        note="; ".join(notes),
    )
    return comparison, tally.runs


def _one(
    tally: _Tally, k: int, old: Value, new: Value, a: Array | None, b: Array | None, scale: float, allowance: Allowance
) -> None:
    """Judge one value of one run."""
    tally.runs += 1
    if old.shape != new.shape:
        _fail(tally, k, f"shape {list(old.shape)} before, {list(new.shape)} after in run {k}")
        return
    if a is None or b is None:
        if (a is None) != (b is None) or old.text != new.text or (old.text is None and old.digest != new.digest):
            _fail(tally, k, f"{_short(old.text)} before, {_short(new.text)} after in run {k}")
        else:
            tally.n += 1
        return
    if a.size != b.size:
        _fail(tally, k, f"{a.size} numbers before, {b.size} after in run {k}")
        return
    found = distance(a, b, scale, allowance.rtol, allowance.atol)
    excess = found.excess
    integers = a.dtype.kind in "biu" and b.dtype.kind in "biu"
    if integers and excess and found.relative <= _share_allowed(allowance, k):
        excess = 0.0
    if old.sampled and old.norm is not None and new.norm is not None and not integers:
        excess = max(excess, _norm_excess(old.norm, new.norm, allowance))
    if old.sampled and integers and old.digest != new.digest and not allowance.floor and old.dtype == new.dtype:
        excess = math.inf
    tally.n += found.count
    tally.nonfinite += a.size - found.count if a.dtype.kind != "c" else 0
    tally.absolute = max(tally.absolute, found.absolute)
    tally.relative = max(tally.relative, found.relative)
    tally.exact += found.absolute == 0.0
    if a.size == 1:
        tally.scalars.append((float(a[0].real), float(b[0].real)))
    if excess > tally.worst:
        tally.worst, tally.allowance = excess, allowance
    if excess > 1.0:
        if tally.first is None:
            tally.first = k
        if a.size == 1:
            tally.over.append((k, float(a[0].real), float(b[0].real)))
        else:
            tally.over.append((k, math.nan, math.nan))


def _fail(tally: _Tally, k: int, words: str) -> None:
    tally.first = min(tally.first or k, k)
    tally.absolute = tally.relative = math.inf
    tally.words = tally.words or words
    tally.over.append((k, math.nan, math.nan))


def _short(text: str | None) -> str:
    return "no text" if text is None else repr(text if len(text) <= 40 else text[:37] + "...")


def _share_allowed(allowance: Allowance, run: int) -> float:
    """The share of integers that may differ: none, but as many as the measured floor explains (for integers the
    floor is a share).
    """
    return min(0.05, 8.0 * allowance.floor) if run > 1 else 0.0


def _norm_excess(old: float, new: float, allowance: Allowance) -> float:
    if not math.isfinite(old) or not math.isfinite(new):
        return 0.0 if repr(old) == repr(new) else math.inf
    return abs(old - new) / (allowance.rtol * max(abs(old), abs(new)) + allowance.atol)


def _only_ties(tally: _Tally) -> bool:
    """Whether the figure is a share of counted examples (an accuracy) that now and then differs by one example.

    Such a figure jumps when an example lies on the boundary, by any rounding. It must be equal to the bit in nine of
    ten runs, and in the first.
    """
    if not tally.over or tally.runs < 3 or tally.over[0][0] == 1 or tally.exact < 0.9 * (tally.runs - 1):
        return False
    if not is_count([v for pair in tally.scalars for v in pair]):
        return False
    for _, old, new in tally.over:
        if not (math.isfinite(old) and math.isfinite(new)):
            return False
        step = _denominator(old, new)
        if step is None or round(abs(old - new) * step) != 1:
            return False
    return True


def _denominator(old: float, new: float) -> int | None:
    """The number of examples that both are shares of, by continued fractions; None where they look like no share."""
    if not (0.0 <= old <= 1.0 and 0.0 <= new <= 1.0):
        return None
    common = math.lcm(*(Fraction(v).limit_denominator(_COUNTS).denominator for v in (old, new)))
    return common if common <= _COUNTS else None  # two figures that are no shares have a common multiple far above


def is_count(values: Sequence[float]) -> bool:
    """Whether a series of scalars counts something: whole numbers, or shares of one number of examples."""
    if not values or not all(math.isfinite(v) for v in values):
        return False
    if all(v == round(v) for v in values):
        return True
    if not all(0.0 <= v <= 1.0 for v in values):
        return False
    broken = {v for v in values if v != round(v)}
    most = _COUNTS if len(broken) > 1 else 500  # a single figure is near to some fraction of large denominator anyway
    parts = [Fraction(v).limit_denominator(most) for v in broken]
    exact = all(abs(float(p) - v) < 4e-8 for p, v in zip(parts, broken, strict=True))
    return exact and math.lcm(*(p.denominator for p in parts)) <= most


def _series(site: PairedSite, columns: tuple[int, int], before: Recorded, after: Recorded) -> Series | None:
    """The curve of a scalar float that comes back at least three times."""
    i, j = columns
    if (
        len(site.before) < 3
        or site.before[0].values[i].shape != ()
        or not site.before[0].values[i].dtype.startswith(("float", "bfloat"))
    ):
        return None
    points: list[tuple[int, float, float]] = []
    for k, (run, call) in enumerate(zip(site.before, site.after, strict=True), start=1):
        a = before.array(run.values[i]) if i < len(run.values) else None
        b = after.array(call.values[j]) if j < len(call.values) else None
        if a is not None and b is not None and a.size == b.size == 1:
            points.append((k, float(a[0]), float(b[0])))
    if len(points) < 3:
        return None
    kept = [points[x] for x in thin(range(len(points)), POINTS)[0]]
    return Series(
        value_name(site, site.before[0], i),
        site.key,
        tuple(k for k, _, _ in kept),
        tuple(a for _, a, _ in kept),
        tuple(b for _, _, b in kept),
    )


def count_columns(pairing: Pairing, reference: Recorded) -> frozenset[Column]:
    """The values that are integers, booleans, counts or shares of counts."""
    found = set()
    for site in pairing.sites:
        for i, value in enumerate(site.before[0].values if site.before else ()):
            arrays = [reference.array(run.values[i]) for run in site.before if i < len(run.values)]
            known = [a for a in arrays if a is not None and a.size]
            if known and (
                known[0].dtype.kind in "biu"
                or (value.shape == () and known[0].dtype.kind == "f" and is_count([float(a[0]) for a in known]))
            ):
                found.add((site.key, i))
    return frozenset(found)


def measure_columns(
    pairing: Pairing, reference: Recorded, other: Recorded
) -> dict[Column, tuple[tuple[int, float], ...]]:
    """How far two legacy runs part at each paired run: relative difference by value and position (integers: share
    that differs).
    """
    counterpart = pair_with_itself(reference.trace, other.trace)
    found: dict[Column, list[tuple[int, float]]] = {}
    for site in pairing.sites:
        scales: dict[int, float] = {}
        for run in site.before:
            twin = counterpart.get(run.index)
            for i, difference in _differences(run, twin, reference, other, scales):
                found.setdefault((site.key, i), []).append((pairing.positions[run.index], difference))
    return {column: tuple(points) for column, points in found.items()}


def _differences(
    run: Event, twin: Event | None, reference: Recorded, other: Recorded, scales: dict[int, float]
) -> Sequence[tuple[int, float]]:
    if twin is None or len(twin.values) != len(run.values):
        return ()
    found = []
    for i, (old, new) in enumerate(zip(run.values, twin.values, strict=True)):
        a, b = reference.array(old), other.array(new)
        if a is None or b is None or a.size != b.size:
            continue
        scale = scales.setdefault(i, root_mean_square(a))
        found.append((i, distance(a, b, scale, 0.0, 1e-6 if old.dtype == "float32" else 0.0).relative))
    return found
