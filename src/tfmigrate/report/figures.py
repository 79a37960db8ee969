"""Figures as text: times, ratios, sizes and differences, with the digits that a reader can use and no more."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeGuard

from tfmigrate.verify.results import Growth, Interval

MISSING = "–"
_FIGURE_SPACE = "\u2007"  # as wide as a digit
_PUNCTUATION_SPACE = "\u2008"  # as wide as a full stop


def is_number(value: float | None) -> TypeGuard[float]:
    """Whether there is a finite number."""
    return value is not None and math.isfinite(value)


def significant(value: float, digits: int = 3) -> str:
    """`value` to that many significant digits, without an exponent: 213.7 is "214", 0.04127 is "0.0413"."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value == 0:
        return "0"
    exponent = math.floor(math.log10(abs(value)))
    decimals = max(0, digits - 1 - exponent)
    if decimals > 9 or exponent > 14:
        return f"{value:.{digits - 1}e}".replace("-", "−")
    text = f"{value:,.{decimals}f}" if abs(value) >= 10_000 else f"{value:.{decimals}f}"
    return text.replace("-", "−")


def milliseconds(value: float | None) -> str:
    """A time given in milliseconds, in the unit that reads best: "840 µs", "8.94 ms", "1.21 s", "4.0 min"."""
    if value is None or math.isnan(value):
        return MISSING
    size = abs(value)
    if math.isinf(value):
        return f"{significant(value)} ms"
    if size >= 120_000:
        return f"{significant(value / 60_000)} min"
    if size >= 1_000:
        return f"{significant(value / 1_000)} s"
    if 0 < size < 1:
        return f"{significant(value * 1_000)} µs"
    return f"{significant(value)} ms"


def seconds(value: float | None) -> str:
    """A time given in seconds, in the unit that reads best."""
    return MISSING if value is None else milliseconds(value * 1_000)


def ratio(value: float | None) -> str:
    """A speed-up: "18.4×"."""
    if value is None or math.isnan(value):
        return MISSING
    return f"{significant(value, 2 if math.isfinite(value) and value < 1 else 3)}×"


def interval(value: Interval | None, unit: str = "×") -> str:
    """The bounds of an interval: "15.2× to 21.9×"; unit "ms" chooses the time unit for each bound."""
    if value is None or not is_number(value.median):
        return MISSING
    show = milliseconds if unit == "ms" else ratio
    return f"{show(value.low)} to {show(value.high)}"


def size(value: int | None) -> str:
    """Bytes in decimal units: "412 MB". Zero means that it was not measured."""
    if not value:
        return MISSING
    amount = float(value)
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if amount < 1_000 or unit == "TB":
            return f"{significant(amount)} {unit}"
        amount /= 1_000
    return MISSING


def difference(value: float | None) -> str:
    """A numerical difference or a tolerance: "0", "3.2e−07", "NaN"."""
    if value is None:
        return MISSING
    if value == 0:
        return "0"
    if not math.isfinite(value):
        return significant(value)
    if 0.001 <= abs(value) < 10_000:
        return significant(value, 2)
    return f"{value:.1e}".replace(".0e", "e").replace("-", "−")


def count(value: int) -> str:
    """A whole number with thousands separated."""
    return f"{value:,}"


def plural(n: int, one: str, many: str = "") -> str:
    """ "1 program", "3 programs"."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def growth(value: Growth | None) -> str:
    """How much longer each step takes than the last: "+11.2 ms", "flat", "–" where it was not measured."""
    if value is None or not is_number(value.ms_per_step):
        return MISSING
    if value.ms_low > 0:
        return f"+{milliseconds(value.ms_per_step)}"
    if value.ms_high < 0:
        return milliseconds(value.ms_per_step)
    return "flat"


def _fraction(text: str) -> str | None:
    if text == MISSING:
        return ""
    return text.partition(".")[2] if text.replace(",", "").replace(".", "", 1).isdigit() else None


def site(place: str, entry: str) -> str:
    """A run site "path:line" as the program's own reader knows it: "line 46" in the entry itself."""
    path, _, line = place.rpartition(":")
    return f"line {line}" if path == entry and line.isdigit() else place


def aligned(values: Sequence[str]) -> tuple[str, ...]:
    """Texts of one column padded with invisible digits: set flush right, their decimal points stand below each other.

    Only plain decimal numbers take part, and "–", which stands where the units do; words stay as they are.
    """
    fractions = [_fraction(v) for v in values]
    longest = max((len(f) for f in fractions if f is not None), default=0)
    padded = []
    for value, fraction in zip(values, fractions, strict=True):
        if fraction is None or longest == 0:
            padded.append(value)
        else:
            point = "" if "." in value else _PUNCTUATION_SPACE
            padded.append(value + point + _FIGURE_SPACE * (longest - len(fraction)))
    return tuple(padded)
