"""Compares what two runs printed: text as text, numbers as numbers."""

from __future__ import annotations

import math
import re

RTOL, ATOL = 5e-4, 5e-5

_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|inf|nan)(?![\w])")


def _split(text: str) -> tuple[list[str], list[float]]:
    """The text between the numbers, without white space, and the numbers."""
    between = ["".join(part.split()) for part in _NUMBER.split(text)]
    return between, [float(found) for found in _NUMBER.findall(text)]


def _close(value: float, other: float) -> bool:
    return math.isclose(value, other, rel_tol=RTOL, abs_tol=ATOL) or (math.isnan(value) and math.isnan(other))


def difference(expected: str, printed: str) -> str | None:
    """What is different first, in words; None where both say the same within RTOL and ATOL."""
    for number, (left, right) in enumerate(zip(expected.splitlines(), printed.splitlines(), strict=False), 1):
        (words, values), (other_words, other_values) = _split(left), _split(right)
        if words != other_words or len(values) != len(other_values):
            return f"line {number}: {left!r} became {right!r}"
        for value, other in zip(values, other_values, strict=True):
            if not _close(value, other):
                return f"line {number}: {value!r} became {other!r} in {right!r}"
    before, after = len(expected.splitlines()), len(printed.splitlines())
    return None if before == after else f"{before} lines became {after}"
