"""The geometry of the report's charts: series in, lines, ticks and label positions out. No markup here.

All coordinates are in the units of the chart's view box, whose size is chosen so that text keeps its size in a column
of a wide page and on a phone.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tfmigrate.report.figures import is_number

WIDTH, HEIGHT = 360.0, 196.0
LEFT, RIGHT, TOP, BOTTOM = 46.0, 58.0, 10.0, 28.0
LOG_FROM = 12.0  # a y range of more than this ratio is drawn on a logarithmic scale
MOST_POINTS = 80
BUCKETS = 56
LABEL_GAP = 13.0
_DRAWABLE = 1e300  # beyond it the arithmetic of an axis overflows
_FLAT = 1e-4  # a relative range below this is drawn as a flat line: its ticks would all read the same


@dataclass(frozen=True)
class Line:
    """A series to draw. `key` is "before" or "after"; NaN and infinite points leave a gap."""

    key: str
    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]


@dataclass(frozen=True)
class Thinned:
    """A series with as many points as a chart shows; `low` and `high` bound each, empty where all points are there."""

    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()


@dataclass(frozen=True)
class Tick:
    """A mark on an axis at `at`, with its text."""

    at: float
    text: str


@dataclass(frozen=True)
class DrawnLine:
    """A line as drawn: an SVG path, the end point's place and the label's (moved apart from the other label).

    `band` is the path around all points where the line is only their median, else "".
    """

    key: str
    label: str
    path: str
    band: str
    end_x: float
    end_y: float
    label_y: float


@dataclass(frozen=True)
class Axis:
    """The domain of an axis, for reading values back from places."""

    low: float
    high: float
    log: bool


@dataclass(frozen=True)
class Chart:
    """A drawn line chart."""

    lines: tuple[DrawnLine, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    x_axis: Axis
    y_axis: Axis
    width: float = WIDTH
    height: float = HEIGHT
    left: float = LEFT
    right: float = WIDTH - RIGHT
    top: float = TOP
    bottom: float = HEIGHT - BOTTOM


def draw(lines: Sequence[Line], *, unit_of: str = "", logarithmic: bool = True, zero: bool = True) -> Chart | None:
    """A chart of the lines, or None where there is nothing finite to draw.

    `unit_of`: "ms" writes the y ticks as times. `logarithmic` allows a log scale where the range asks for one; `zero`
    makes a linear scale begin at 0 (right for times and counts, wrong for losses).
    """
    thinned = [(s, thin(s.x, tuple(_drawable(v) for v in s.y))) for s in lines]
    kept = [(s, t) for s, t in thinned if any(is_number(v) for v in t.y)]
    if not kept:
        return None
    values = [v for _, t in kept for v in (*t.y, *t.low, *t.high) if is_number(v)]
    steps = [v for _, t in kept for v in t.x]
    log = logarithmic and min(values) > 0 and max(values) / min(values) > LOG_FROM
    x_axis = Axis(min(steps), max(steps) if max(steps) > min(steps) else min(steps) + 1, False)
    y_axis, y_values = _log_axis(values) if log else _linear_axis(values, zero)
    drawn = [_line(s, t, x_axis, y_axis) for s, t in kept]
    return Chart(
        tuple(_spread(drawn)),
        tuple(Tick(_x(v, x_axis), _plain(v)) for v in _whole_ticks(x_axis)),
        tuple(Tick(_y(v, y_axis), _time(v) if unit_of == "ms" else _plain(v)) for v in y_values),
        x_axis,
        y_axis,
    )


def thin(x: Sequence[float], y: Sequence[float], most: int = MOST_POINTS) -> Thinned:
    """Every point where there are at most `most`; else buckets of neighbours: median, least and greatest value."""
    n = min(len(x), len(y))
    if n <= most:
        return Thinned(tuple(x[:n]), tuple(y[:n]))
    at, middle, low, high = [], [], [], []
    for b in range(BUCKETS):
        start, end = b * n // BUCKETS, (b + 1) * n // BUCKETS
        inside = [v for v in y[start:end] if is_number(v)]
        at.append(x[start] if b == 0 else x[end - 1] if b == BUCKETS - 1 else x[(start + end) // 2])
        middle.append(statistics.median(inside) if inside else math.nan)
        low.append(min(inside, default=math.nan))
        high.append(max(inside, default=math.nan))
    return Thinned(tuple(at), tuple(middle), tuple(low), tuple(high))


def log_position(value: float, low: float, high: float, width: float) -> float:
    """Where `value` stands on a logarithmic scale of that width, kept inside it."""
    if not (value > 0 and low > 0 and high > low):
        return 0.0
    inside = min(max(value, low), high)
    return round(width * (math.log(inside) - math.log(low)) / (math.log(high) - math.log(low)), 1)


def _drawable(value: float) -> float:
    if not math.isfinite(value) or abs(value) > _DRAWABLE:
        return math.nan
    return 0.0 if abs(value) < 1 / _DRAWABLE else value


def _line(line: Line, points: Thinned, x_axis: Axis, y_axis: Axis) -> DrawnLine:
    path, pen_down, end = [], False, (LEFT, TOP)
    for step, value in zip(points.x, points.y, strict=True):
        if not is_number(value):
            pen_down = False
            continue
        end = (_x(step, x_axis), _y(value, y_axis))
        path.append(f"{'L' if pen_down else 'M'}{_short(end[0], 1)} {_short(end[1], 2)}")
        pen_down = True
    if len(path) == 1:
        path.append("h.1")  # a single point shows as a dot of the line's round cap
    return DrawnLine(line.key, line.label, "".join(path), _band(points, x_axis, y_axis), end[0], end[1], end[1])


def _band(points: Thinned, x_axis: Axis, y_axis: Axis) -> str:
    """Along the greatest values and back along the least; a bucket without a number is passed over."""
    bounds = [b for b in zip(points.x, points.low, points.high, strict=False) if is_number(b[1])]
    there = [(_x(step, x_axis), _y(high, y_axis)) for step, _, high in bounds]
    back = [(_x(step, x_axis), _y(low, y_axis)) for step, low, _ in reversed(bounds)]
    path = "L".join(f"{_short(x, 1)} {_short(y, 1)}" for x, y in (*there, *back))
    return f"M{path}Z" if path else ""


def _short(value: float, decimals: int) -> str:
    return f"{value:.{decimals}f}".rstrip("0").rstrip(".")


def _spread(lines: list[DrawnLine]) -> list[DrawnLine]:
    """The labels moved apart where the ends of two lines stand close, and kept inside the chart."""
    placed: dict[str, float] = {}
    at = -math.inf
    for line in sorted(lines, key=lambda s: (s.end_y, s.key == "after")):
        at = max(line.end_y, at + LABEL_GAP, TOP + 4)
        placed[line.key] = at
    over = max(0.0, at - (HEIGHT - BOTTOM))
    return [replace(s, label_y=placed[s.key] - over) for s in lines]


def _x(value: float, axis: Axis) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * (value - axis.low) / (axis.high - axis.low)


def _y(value: float, axis: Axis) -> float:
    if axis.log:
        share = (math.log(value) - math.log(axis.low)) / (math.log(axis.high) - math.log(axis.low))
    else:
        share = (value - axis.low) / (axis.high - axis.low)
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * share


def _log_axis(values: Sequence[float]) -> tuple[Axis, list[float]]:
    low, high = min(values), max(values)
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = (1, 2, 5) if high / low < 60 else (1, 3) if high / low < 300 else (1,)
    axis = Axis(low / 1.15, high * 1.15, True)
    ticks = [m * 10.0**d for d in decades for m in steps if axis.low <= m * 10.0**d <= axis.high]
    while len(ticks) > 6:
        ticks = ticks[::2]
    return axis, ticks


def _linear_axis(values: Sequence[float], zero: bool) -> tuple[Axis, list[float]]:
    low, high = min(values), max(values)
    if zero:
        low, high = min(low, 0.0), max(high, 0.0)
    if high - low <= max(abs(high), abs(low)) * _FLAT:
        margin = abs(high) * 0.1 or 1.0
        low, high = (low, high + margin) if zero and low >= 0 else (low - margin, high + margin)
    step = _nice((high - low) / 4)
    first = math.floor(low / step + 1e-9)
    last = math.ceil(high / step - 1e-9)
    ticks = [i * step for i in range(first, last + 1)]
    return Axis(ticks[0], ticks[-1], False), ticks


def _nice(step: float) -> float:
    power = 10.0 ** math.floor(math.log10(step))
    return next((m * power for m in (1.0, 2.0, 2.5, 5.0) if m * power >= step * 0.999), 10.0 * power)


def _whole_ticks(axis: Axis) -> list[float]:
    span = axis.high - axis.low
    step = max(1.0, _nice(span / 4))
    if step == 2.5:
        step = 5.0
    first = math.ceil(axis.low / step) * step
    ticks = [first + i * step for i in range(int((axis.high - first) / step + 1e-9) + 1)]
    if axis.low >= 1 and (not ticks or ticks[0] - axis.low >= step * 0.4):
        ticks.insert(0, axis.low)
    return ticks


def _plain(value: float) -> str:
    size = abs(value)
    if size >= 10_000_000 or 0 < size < 0.001:
        return f"{value:.0e}".replace("e+0", "e").replace("e-0", "e−").replace("e+", "e").replace("e-", "e−")
    for limit, unit in ((1_000_000, "M"), (1_000, "k")):
        if size >= limit:
            return f"{value / (1_000 if unit == 'k' else 1_000_000):g}{unit}".replace("-", "−")
    return f"{value:.6g}".replace("-", "−")


def _time(value: float) -> str:
    size = abs(value)
    if size >= 1_000:
        return f"{value / 1_000:g} s"
    if 0 < size < 1:
        return f"{value * 1_000:g} µs"
    return f"{value:g} ms" if value else "0"
