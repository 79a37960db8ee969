"""Compare what the two programs left on disk: checkpoints by value, summaries by (tag, step, value), other files by
content.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence

import numpy as np

from tfmigrate.verify.output import compare_output
from tfmigrate.verify.recorded import Recorded, distance
from tfmigrate.verify.results import Comparison
from tfmigrate.verify.tolerance import Allowance
from tfmigrate.verify.trace import SummaryValue, Value, WrittenFile
from tfmigrate.verify.variables import MatchedVariable

_BUCKETS = 30  # of a TensorFlow 2 histogram
_SLOT = re.compile(r"/(?:Adam|Momentum|RMSProp|Adagrad|Adadelta|Ftrl)(?:_\d+)?$")
_STAMP = re.compile(r"\d{8,}|(?<=\.)\d{4,}(?=\.|$)")


def compare_summaries(
    old: Sequence[SummaryValue], new: Sequence[SummaryValue], allowance: Callable[[float], Allowance]
) -> list[Comparison]:
    """One Comparison for each tag: every (tag, step) is there on both sides, in number and value."""
    mine, theirs = _by_tag(old), _by_tag(new)
    results = [_compare_tag(tag, values, theirs.get(tag, []), allowance) for tag, values in mine.items()]
    for tag, values in theirs.items():
        if tag not in mine:
            results.append(_absent(f"summary {tag}", f"written after only, {len(values)} times", "summary"))
    return results


def _by_tag(values: Sequence[SummaryValue]) -> dict[str, list[SummaryValue]]:
    found: dict[str, list[SummaryValue]] = {}
    for value in values:
        if value.kind != "other":
            found.setdefault(value.tag, []).append(value)
    return found


def _absent(name: str, note: str, kind: str) -> Comparison:
    return Comparison(name, "", None, 0, math.inf, math.inf, 0.0, 0.0, False, "behaviour", kind, note=note)


def _compare_tag(
    tag: str, old: list[SummaryValue], new: list[SummaryValue], allowance: Callable[[float], Allowance]
) -> Comparison:
    name = f"summary {tag}"
    steps, others = [v.step for v in old], [v.step for v in new]
    if sorted(steps) != sorted(others):
        gone = sorted(set(steps) ^ set(others))[:5]
        words = f"{len(old)} values before, {len(new)} after" + (
            f"; steps on one side only: {', '.join(map(str, gone))}" if gone else ""
        )
        return _absent(name, words, "summary")
    old, new = sorted(old, key=lambda v: v.step), sorted(new, key=lambda v: v.step)
    scale = max((abs(n) for n in old[0].numbers if math.isfinite(n)), default=0.0) if old[0].kind == "scalar" else 0.0
    worst, largest, relative, first, count = -1.0, 0.0, 0.0, None, 0
    shown = allowance(1.0)
    for place, (a, b) in enumerate(zip(old, new, strict=True), start=1):
        allowed = allowance(place / len(old))
        if not allowed.judged:
            continue
        if a.kind != b.kind or len(a.numbers) != len(b.numbers):
            return _absent(name, f"a {a.kind} before, a {b.kind} after at step {a.step}", "summary")
        excess, apart, share = _excess(a, b, scale, allowed)
        count += max(len(a.numbers), 1)
        largest, relative = max(largest, apart), max(relative, share)
        if excess > worst:
            worst, shown = excess, allowed
        if excess > 1.0 and first is None:
            first = place
    return Comparison(
        name,
        "",
        first,
        count,
        largest,
        relative,
        shown.rtol,
        shown.atol,
        first is None,
        "behaviour",
        "summary",
        shown.floor,
        "" if first is None else f"first at step {old[first - 1].step}",
    )


def _excess(a: SummaryValue, b: SummaryValue, scale: float, allowed: Allowance) -> tuple[float, float, float]:
    if a.kind == "histogram" and len(a.numbers) >= 5:
        return _histogram(a.numbers, b.numbers, allowed)
    if a.kind != "scalar":
        same = a.numbers == b.numbers
        return (0.0, 0.0, 0.0) if same else (math.inf, 0.0, 0.0)
    found = distance(
        np.asarray(a.numbers, np.float64), np.asarray(b.numbers, np.float64), scale, allowed.rtol, allowed.atol
    )
    return found.excess, found.absolute, found.relative


def _histogram(a: Sequence[float], b: Sequence[float], allowed: Allowance) -> tuple[float, float, float]:
    """Compare (min, max, number, sum, sum of squares). TensorFlow 2 keeps 30 buckets only, from which sums are known
    to a bucket's width.
    """
    low, high, number = a[0], a[1], a[2]
    if not all(map(math.isfinite, [*a, *b])):
        return (0.0, 0.0, 0.0) if list(map(str, a)) == list(map(str, b)) else (math.inf, math.inf, math.inf)
    size = max(abs(low), abs(high))
    width = (high - low) / _BUCKETS
    edge = allowed.atol + 2 * allowed.rtol * size
    limits = [edge, edge, 0.5, number * (width + edge), number * (2 * width * size + 2 * edge * max(size, 1.0))]
    gaps = [abs(x - y) for x, y in zip(a[:5], b[:5], strict=True)]
    excess = max(gap / limit if limit else (math.inf if gap else 0.0) for gap, limit in zip(gaps, limits, strict=True))
    return excess, max(gaps[:2]), max(gaps[:2]) / size if size else 0.0


def compare_checkpoints(
    before: Recorded,
    after: Recorded,
    matched: Sequence[MatchedVariable],
    allowance: Callable[[float], Allowance],
    paths: dict[str, str],
) -> list[Comparison]:
    """One Comparison for each checkpoint that the legacy program left: its counterpart holds every variable with the
    same value.

    A name-based checkpoint is keyed by legacy names, an object-based one by paths: `paths` maps the first to the
    second. Where that says nothing, a tensor is found by its shape and value.
    """
    old = {f.path: f for f in before.trace.files if f.kind == "checkpoint" and f.values}
    new = {f.path: f for f in after.trace.files if f.kind == "checkpoint" and f.values}
    results = []
    slots = {v.name for v in before.trace.variables if v.slot}
    wanted = {m.old.name for m in matched}
    for path, file in old.items():
        name = f"checkpoint {_prefix(path)}"
        other = next((f for p, f in new.items() if _prefix(p) == _prefix(path)), None)
        if other is None:
            found = ", ".join(sorted(_prefix(p) for p in new)) or "none"
            results.append(_absent(name, f"not written after (there: {found})", "checkpoint"))
            continue
        keys = [k for k in file.values if k in wanted or (k not in slots and not _is_optimizer(k))]
        results.append(_compare_checkpoint(name, keys, file, other, before, after, allowance(1.0), paths))
    for path in new:
        if old and not any(_prefix(p) == _prefix(path) for p in old):
            results.append(_absent(f"checkpoint {_prefix(path)}", "written after only", "checkpoint"))
    return results


def _prefix(path: str) -> str:
    return re.sub(r"\.(?:index|meta|data-\d+-of-\d+)$", "", path)


def _is_optimizer(key: str) -> bool:
    return bool(_SLOT.search(key) or re.search(r"beta[12]_power", key))


def _compare_checkpoint(
    name: str,
    keys: list[str],
    old: WrittenFile,
    new: WrittenFile,
    before: Recorded,
    after: Recorded,
    allowed: Allowance,
    paths: dict[str, str],
) -> Comparison:
    free = dict(new.values)
    worst, largest, relative, count, missing = -1.0, 0.0, 0.0, 0, []
    wrong = ""
    for key in keys:
        a = before.array(old.values[key])
        if a is None:
            continue
        path = paths.get(key, key).replace(".", "/")
        named = [k for k in free if k == key or k.removesuffix("/.ATTRIBUTES/VARIABLE_VALUE") in (path, key)]
        fitting = [k for k in named or free if free[k].shape == old.values[key].shape]
        best, found = None, None
        for candidate in fitting:
            b = after.array(free[candidate])
            if b is None or b.size != a.size or (a.dtype.kind in "iub") != (b.dtype.kind in "iub"):
                continue
            apart = distance(a, b, 0.0, allowed.rtol, allowed.atol)
            if found is None or apart.excess < found.excess:
                best, found = candidate, apart
        if best is None or found is None:
            missing.append(key)
            continue
        del free[best]
        count += found.count
        largest, relative = max(largest, found.absolute), max(relative, found.relative)
        if found.excess > worst:
            worst = found.excess
            wrong = key if found.excess > 1.0 and allowed.judged else wrong
    missing += [f"slot of {key}" for key in _without_slot(old, free)]
    note = f"holds no {', '.join(missing[:3])}" if missing else f"{wrong} differs" if wrong else ""
    return Comparison(
        name,
        "",
        None,
        count,
        largest,
        relative,
        allowed.rtol,
        allowed.atol,
        not note,
        "behaviour",
        "checkpoint",
        allowed.floor,
        note,
    )


def _without_slot(old: WrittenFile, free: dict[str, Value]) -> list[str]:
    """Variables whose optimizer's slots the legacy checkpoint holds, for which the other holds nothing of their shape.

    How many slots there are, and what they hold, differs between the optimizers of the two versions; that there are
    none means that training cannot be gone on with.
    """
    left = [value.shape for value in free.values()]
    lacking = []
    for key in dict.fromkeys(_SLOT.sub("", k) for k in old.values if _SLOT.search(k)):
        if key not in old.values:
            continue
        if old.values[key].shape in left:
            left.remove(old.values[key].shape)
        else:
            lacking.append(key)
    return lacking


def compare_files(
    before: Recorded, after: Recorded, allowance: Callable[[float], Allowance]
) -> tuple[list[Comparison], list[str]]:
    """Other files: text as output, arrays as numbers, equal bytes as equal. A file that can only be told to differ
    is a note.
    """
    theirs = {_stable(f.path): f for f in after.trace.files if f.kind in _COMPARED}
    results: list[Comparison] = []
    notes: list[str] = []
    for file in before.trace.files:
        if file.kind not in _COMPARED:
            continue
        other = theirs.get(_stable(file.path))
        name = f"file {file.path}"
        if other is None:
            results.append(_absent(name, "not written after", "file"))
        elif file.digest and other.digest == file.digest:
            results.append(
                Comparison(
                    name, "", None, max(file.size, 1), 0.0, 0.0, 0.0, 0.0, True, "behaviour", "file", note="equal bytes"
                )
            )
        elif file.values and other.values:
            results.append(_compare_contents(name, file, other, before, after, allowance))
        else:
            notes.append(
                f"{file.path} differs in its bytes ({file.kind}, {file.size} bytes before, {other.size} after); "
                "not read further"
            )
    return results, notes


_COMPARED = ("text", "array", "image", "other")


def _stable(path: str) -> str:
    return _STAMP.sub("#", path)


def _compare_contents(
    name: str,
    old: WrittenFile,
    new: WrittenFile,
    before: Recorded,
    after: Recorded,
    allowance: Callable[[float], Allowance],
) -> Comparison:
    worst, shown, largest, relative, count, note = 0.0, allowance(1.0), 0.0, 0.0, 0, ""
    for key, value in old.values.items():
        other = new.values.get(key)
        if other is None:
            return _absent(name, f"holds no {key} after", "file")
        if value.text is not None and other.text is not None:
            text = compare_output(value.text, other.text, allowance).comparison
            if not text.ok:
                return Comparison(
                    name,
                    "",
                    text.first_step,
                    text.n,
                    text.max_abs,
                    text.max_rel,
                    text.rtol,
                    text.atol,
                    False,
                    "behaviour",
                    "file",
                    note=text.note,
                )
            count += text.n
            largest, relative = max(largest, text.max_abs), max(relative, text.max_rel)
            continue
        a, b = before.array(value), after.array(other)
        if a is None or b is None or a.size != b.size:
            return _absent(name, f"{key} has another form after", "file")
        found = distance(a, b, 0.0, shown.rtol, shown.atol)
        count += found.count
        largest, relative, worst = max(largest, found.absolute), max(relative, found.relative), max(worst, found.excess)
        note = note or (f"{key} differs" if found.excess > 1.0 else "")
    return Comparison(
        name,
        "",
        None,
        count,
        largest,
        relative,
        shown.rtol,
        shown.atol,
        worst <= 1.0,
        "behaviour",
        "file",
        shown.floor,
        note,
    )
