"""Which returned value of the converted step is which fetched value of the legacy run.

Usually the k-th is the k-th. A fetched summary comes back as the values it is made of, or not at all, so that the new
side may return more; a tensor fetched twice may come back once; a dictionary may be flattened in another order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tfmigrate.verify.pairing import PairedSite
from tfmigrate.verify.recorded import Recorded, distance
from tfmigrate.verify.trace import Event, Value

_FAR = 1e30


@dataclass(frozen=True)
class Columns:
    """Pairs (position in the legacy values, position in the new ones); `problem` says why there is none for some, in
    words.
    """

    pairs: tuple[tuple[int, int], ...]
    problem: str = ""
    note: str = ""


def match_columns(site: PairedSite, before: Recorded, after: Recorded, by_plan: bool) -> Columns:
    """Match by the first paired run; shapes and kinds of types must agree, order is kept where it can be."""
    if not site.before:
        return Columns(())
    run, call = site.before[0], site.after[0]
    old = _wanted(run)
    new = [i for i, v in enumerate(call.values) if not v.summary]
    if not old:
        return Columns(())
    alike = [[_alike(run.values[i], call.values[j]) for j in new] for i in old]
    if len(old) == len(new) and all(alike[k][k] for k in range(len(old))):
        return Columns(tuple(zip(old, new, strict=True)))
    cost = [
        [_cost(run.values[i], call.values[j], before, after) if alike[x][y] else _FAR for y, j in enumerate(new)]
        for x, i in enumerate(old)
    ]
    chosen = _in_order(cost) if len(new) >= len(old) else None
    note = ""
    if chosen is None:
        chosen = _any_order(cost)
        note = "values come back in another order"
    pairs = tuple((old[x], new[y]) for x, y in enumerate(chosen) if y is not None)
    missing = [x for x, y in enumerate(chosen) if y is None]
    if not missing:
        return Columns(pairs, note=note)
    names = ", ".join(value_name(site, run, old[x]) for x in missing)
    shapes = "; ".join(f"{_form(run.values[old[x]])}" for x in missing)
    found = ", ".join(_form(call.values[j]) for j in new) or "nothing"
    text = f"no counterpart of {names} ({shapes}); the step returns {found}"
    if by_plan or not pairs:
        return Columns(pairs, problem=text)
    return Columns(pairs, note=text)


def value_name(site: PairedSite, run: Event, position: int) -> str:
    """What a fetched value is called: its source text where the conversion knows it, else the tensor's name."""
    if len(site.fetches) == len(run.values) and site.fetches[position]:
        return site.fetches[position]
    names = tensor_names(run)
    if names:
        return names[position].removesuffix(":0")
    return f"value {position + 1}" if len(run.values) > 1 else "value"


def _wanted(run: Event) -> list[int]:
    """The legacy values to find: no summaries, and a tensor fetched several times once."""
    found: list[int] = []
    seen: set[str] = set()
    names = tensor_names(run)
    for i, value in enumerate(run.values):
        if value.summary or (names and names[i] in seen):
            continue
        seen.update(names[i : i + 1])
        found.append(i)
    return found


def tensor_names(run: Event) -> tuple[str, ...]:
    """The fetched tensors' names, one for each value; () where they do not correspond (sparse fetches). Operations
    have no output number.
    """
    names = tuple(f for f in run.fetches if ":" in f)
    return names if len(names) == len(run.values) else ()


def _kind(dtype: str) -> str:
    return "".join(c for c in dtype if c.isalpha()).replace("uint", "int")


def _alike(old: Value, new: Value) -> bool:
    return old.shape == new.shape and _kind(old.dtype) == _kind(new.dtype)


def _form(value: Value) -> str:
    return f"{value.dtype}{list(value.shape)}"


def _cost(old: Value, new: Value, before: Recorded, after: Recorded) -> float:
    a, b = before.array(old), after.array(new)
    if a is None or b is None or a.size != b.size:
        return 0.0 if old.text == new.text else 1.0
    return min(distance(a, b, 0.0, 0.0, 0.0).relative, 1e6)


def _in_order(cost: Sequence[Sequence[float]]) -> list[int | None] | None:
    """The order-keeping choice of columns with the least sum of costs, None where some value has no place. O(rows x
    columns).
    """
    rows, width = len(cost), len(cost[0]) if cost else 0
    best = [[0.0] * (width + 1)] + [[_FAR] * (width + 1) for _ in range(rows)]
    for x in range(1, rows + 1):
        for y in range(1, width + 1):
            best[x][y] = min(best[x][y - 1], best[x - 1][y - 1] + cost[x - 1][y - 1])
    if best[rows][width] >= _FAR:
        return None
    chosen: list[int | None] = [None] * rows
    x, y = rows, width
    while x:
        if best[x][y] == best[x][y - 1]:
            y -= 1
        else:
            chosen[x - 1] = y - 1
            x, y = x - 1, y - 1
    return chosen


def _any_order(cost: Sequence[Sequence[float]]) -> list[int | None]:
    """Each value its nearest free column, the surest first."""
    chosen: list[int | None] = [None] * len(cost)
    free = set(range(len(cost[0]) if cost else 0))
    for x in sorted(range(len(cost)), key=lambda row: min(cost[row], default=_FAR)):
        y = min(free, key=lambda column: cost[x][column], default=None)
        if y is not None and cost[x][y] < _FAR:
            chosen[x] = y
            free.remove(y)
    return chosen
