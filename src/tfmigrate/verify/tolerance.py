"""How far two runs of one program may part, and from what that is known.

Rounding differs between kernels and between orders of summation, and training amplifies it step by step. So the
tolerance starts at the precision of the type and grows with the *noise floor*: the distance between two runs of the
legacy program itself that differ by rounding alone (the two oracles, or initial values moved by one unit in the last
place). Where only repetitions of one oracle are at hand, and these agree to the bit, they say nothing about rounding;
then a documented growth model takes the floor's place. See docs/verification.md.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import median

FACTOR = 8.0  # how much more than the floor may be: the floor is one draw of what rounding can do
HORIZON = 0.05  # relative tolerance beyond which a comparison says nothing: the program is chaotic there
MODEL_CAP = 100  # the growth of the base stops here: at 1e-4 for float32 beside a measured floor, 1e-3 without
USABLE_FIRST = 1e-3  # a floor above this in the first run is no rounding
JUMP = (
    10.0  # a floor that doubles more often than this from one run to the next parted for another reason than rounding
)

_BASE: dict[str, tuple[float, float, float]] = {  # rtol, atol, unit in the last place
    "float16": (2e-3, 1e-3, 9.8e-4),
    "bfloat16": (1.6e-2, 1e-2, 7.8e-3),
    "float32": (1e-5, 1e-6, 1.2e-7),
    "float64": (1e-8, 1e-9, 2.3e-16),
}

Column = tuple[str, int]  # a run site's key and the position of a value in it


@dataclass(frozen=True)
class Allowance:
    """The tolerance of one comparison. `judged` is False beyond the horizon."""

    rtol: float
    atol: float
    floor: float
    judged: bool = True


@dataclass(frozen=True)
class Floor:
    """The noise floor as measured between two legacy runs.

    `columns`: for each value of a run site, (position, relative difference) in the order of the runs. `variables`:
    relative difference of the final values and of their change since the start. `informative`: the two runs differ by
    rounding, so that small figures mean something; False for repetitions of one computation. `numbers`: (line,
    number) of numbers in standard output that differ, with their relative difference. `usable_until`: the position
    after which the two runs parted for another reason than rounding.
    """

    columns: Mapping[Column, tuple[tuple[int, float], ...]] = field(default_factory=dict)
    variables: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    informative: bool = False
    first: float | None = None
    largest: float | None = None
    usable_until: float = math.inf
    note: str = ""
    counts: frozenset[Column] = (
        frozenset()
    )  # values that are counts or shares of counts: they jump, so their floor is that of the very run


def base(dtype: str) -> tuple[float, float, float]:
    """rtol, atol and unit in the last place of a floating type; complex types by their parts."""
    kind = {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)
    return _BASE.get(kind, _BASE["float32"])


class Tolerance:
    """Answers how much a value may differ at a position of the run. Built once from the measured floors."""

    def __init__(self, floors: tuple[Floor, ...] = ()) -> None:
        self._floors = floors
        self.informative = any(f.informative for f in floors)

    def value(self, column: Column, position: int, dtype: str) -> Allowance:
        """The tolerance of a value that comes back from the `position`-th paired run (from 1)."""
        rtol, atol, _ = base(dtype)
        floor = max((_floor_at(f, column, position) for f in self._floors), default=0.0)
        return self._allowance(rtol, atol, floor, position)

    def variable(self, name: str, position: int, dtype: str) -> Allowance:
        """The tolerance of a variable's final value after `position` paired runs."""
        rtol, atol, _ = base(dtype)
        floor = max(
            (f.variables.get(name, (0.0, 0.0))[0] for f in self._floors if position <= f.usable_until), default=0.0
        )
        return self._allowance(rtol, atol, floor, position)

    def change(self, name: str, position: int, dtype: str) -> Allowance:
        """The tolerance of a variable's change since the start, by Euclidean norm. It is tight: a constant that
        scales steps shows here first.
        """
        rtol, _, unit = base(dtype)
        floor = max(
            (f.variables.get(name, (0.0, 0.0))[1] for f in self._floors if position <= f.usable_until), default=0.0
        )
        allowed = self._allowance(3 * rtol, 0.0, floor, position)
        return Allowance(allowed.rtol, unit * math.sqrt(max(position, 1)), allowed.floor, allowed.judged)

    def output(self, position: int) -> Allowance:
        """The tolerance of a number printed at about the `position`-th paired run: by the floors of all values
        there, taken together. Which run a line belongs to is an estimate: between two runs with values it may be the
        later one's.
        """
        rtol, atol, _ = base("float32")
        floor = max(
            (
                _own_floor(f, c, _measured_from(f, position))
                for f in self._floors
                for c in f.columns
                if c not in f.counts
            ),
            default=0.0,
        )
        return self._allowance(rtol, atol, floor, position)

    def _allowance(self, rtol: float, atol: float, floor: float, position: int) -> Allowance:
        steps = min(max(position, 1), MODEL_CAP)
        if self.informative:
            allowed = rtol * math.sqrt(steps) + FACTOR * floor  # roundings of each step add up like a random walk
        else:
            allowed = rtol * steps + FACTOR * floor  # nothing is known of how the program amplifies them
        if position <= 1:  # the first run has nothing to amplify; only a floor of its own may widen it
            allowed = max(rtol, FACTOR * floor)
        return Allowance(allowed, atol * allowed / rtol, floor, allowed <= max(HORIZON, 4 * rtol))


def _floor_at(floor: Floor, column: Column, position: int) -> float:
    """The largest floor of this value up to the position, but no less than what is usual among the others by then."""
    own = _own_floor(floor, column, position)
    others = [_own_floor(floor, c, position) for c in floor.columns if c != column and c not in floor.counts]
    if column in floor.counts:
        return own
    return max(own, median(others)) if others else own


def _own_floor(floor: Floor, column: Column, position: int) -> float:
    until = min(position, floor.usable_until)
    if column in floor.counts:
        return max((d for p, d in floor.columns.get(column, ()) if p == position), default=0.0)
    return max((d for p, d in floor.columns.get(column, ()) if p <= until), default=0.0)


def _measured_from(floor: Floor, position: int) -> int:
    """The first run with a measured value at the position or behind it; the position itself where there is none."""
    later = (p for series in floor.columns.values() for p, _ in series if p >= position)
    return min(later, default=position)


def judge_floor(
    columns: Mapping[Column, tuple[tuple[int, float], ...]],
    variables: Mapping[str, tuple[float, float]],
    informative: bool,
    counts: frozenset[Column] = frozenset(),
) -> Floor:
    """A Floor from the differences between two legacy runs.

    It is cut where the two part by a jump and dropped where their first run already differs. Counts jump by nature
    and decide neither.
    """
    points = sorted((p, d) for column, series in columns.items() for p, d in series if column not in counts)
    first = max((d for p, d in points if p == points[0][0]), default=None) if points else None
    largest = max((d for _, d in points), default=None)
    if first is not None and first > USABLE_FIRST:
        note = f"the two legacy runs differ by {first:.1e} in the first run already: no noise floor"
        return Floor({}, {}, False, first, largest, 0, note)
    until, note, reached, last = math.inf, "", 1e-7, 0
    for position, difference in points:
        unseen = max(position - last - 1, 0)  # runs that returned nothing to compare: each may double it, too
        last = position
        if difference > 1e-4 and math.log2(difference / reached) > JUMP + unseen:
            until = position - 1
            note = f"the two legacy runs part suddenly at run {position} ({reached:.1e} to {difference:.1e})"
            break
        reached = max(reached, difference)
    return Floor(columns, variables, informative, first, largest, until, note, counts)
