"""Figures as text."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfmigrate.report import figures
from tfmigrate.verify.results import Growth, Interval


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (0.0, "0 ms"),
        (0.0004, "0.400 µs"),
        (0.84, "840 µs"),
        (8.9412, "8.94 ms"),
        (214.3, "214 ms"),
        (1_210.0, "1.21 s"),
        (240_000.0, "4.00 min"),
        (math.nan, "–"),
        (math.inf, "∞ ms"),
        (-3.0, "−3.00 ms"),
    ],
)
def test_a_time_takes_the_unit_that_reads_best(value: float | None, text: str) -> None:
    assert figures.milliseconds(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (3.2e-7, "3.2e−07"),
        (1e-5, "1e−05"),
        (0.21, "0.21"),
        (math.nan, "NaN"),
        (math.inf, "∞"),
        (12.0, "12"),
    ],
)
def test_a_difference_is_short(value: float, text: str) -> None:
    assert figures.difference(value) == text


def test_an_interval_names_both_bounds() -> None:
    assert figures.interval(Interval(18.4, 15.2, 21.9)) == "15.2× to 21.9×"
    assert figures.interval(Interval(1.0, 0.5, 2.0), "ms") == "500 µs to 2.00 ms"


@pytest.mark.parametrize(
    ("low", "high", "text"), [(6.9, 7.8, "+7.40 ms"), (-0.1, 0.2, "flat"), (-9.0, -7.0, "−8.00 ms"), (0.0, 0.0, "flat")]
)
def test_growth_is_named_only_where_its_whole_interval_lies_on_one_side(low: float, high: float, text: str) -> None:
    slope = -8.0 if high < 0 else 7.4
    assert figures.growth(Growth(slope, 0.0, low, high)) == text


def test_sizes_are_decimal_and_zero_is_not_measured() -> None:
    assert figures.size(612_000_000) == "612 MB"
    assert figures.size(1_500) == "1.50 kB"
    assert figures.size(0) == figures.MISSING


def test_decimal_points_stand_below_each_other() -> None:
    column = figures.aligned(("264", "3.22", "0.644", "–", "slow"))
    places = [len(v) - max(v.find("."), v.find("\u2008")) for v in column[:4]]
    assert len(set(places)) == 1
    assert column[4] == "slow"
    assert figures.aligned(("264", "17")) == ("264", "17")


@given(st.floats(allow_nan=True, allow_infinity=True), st.integers(1, 5))
def test_any_number_has_a_short_text(value: float, digits: int) -> None:
    text = figures.significant(value, digits)
    assert text
    assert len(text) < 30
    for show in (figures.milliseconds, figures.ratio, figures.difference):
        assert show(value)


@given(st.floats(min_value=1e-6, max_value=1e12))
def test_the_digits_shown_are_right(value: float) -> None:
    shown = float(figures.significant(value, 4).replace(",", "").replace("−", "-"))
    assert shown == pytest.approx(value, rel=6e-4)
