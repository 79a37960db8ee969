"""The geometry of charts."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfmigrate.report import charts
from tfmigrate.report.charts import Chart, Line


def _steps(n: int) -> tuple[float, ...]:
    return tuple(float(i) for i in range(1, n + 1))


def _points(path: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r"[ML]([\d.-]+) ([\d.-]+)", path)]


def _two(before: tuple[float, ...], after: tuple[float, ...], **options: bool) -> Chart:
    chart = charts.draw(
        [Line("before", "before", _steps(len(before)), before), Line("after", "after", _steps(len(after)), after)],
        **options,
    )
    assert chart is not None
    return chart


def test_a_wide_range_is_drawn_on_a_logarithmic_scale_and_a_narrow_one_is_not() -> None:
    assert _two((10.0, 400.0), (3.0, 3.0)).y_axis.log
    assert not _two((10.0, 20.0), (3.0, 3.0)).y_axis.log
    assert not _two((10.0, 400.0), (3.0, 3.0), logarithmic=False).y_axis.log
    assert not _two((10.0, 400.0), (0.0, 3.0)).y_axis.log, "zero has no place on a logarithmic scale"


def test_a_linear_scale_begins_at_zero_only_where_asked() -> None:
    assert _two((10.0, 11.0), (10.5, 10.0)).y_axis.low == 0
    assert _two((10.0, 11.0), (10.5, 10.0), zero=False).y_axis.low >= 9


def test_values_can_be_read_back_from_their_places() -> None:
    values = (24.0, 80.0, 481.3, 3.1)
    chart = _two(values, values)
    axis = chart.y_axis
    for value, (_, y) in zip(values, _points(chart.lines[0].path), strict=True):
        share = (chart.bottom - y) / (chart.bottom - chart.top)
        read = math.exp(math.log(axis.low) + share * (math.log(axis.high) - math.log(axis.low)))
        assert read == pytest.approx(value, rel=1e-3)


def test_labels_of_lines_that_end_together_are_moved_apart() -> None:
    chart = _two((1.0, 2.0), (1.0, 2.0))
    first, second = (line.label_y for line in chart.lines)
    assert abs(first - second) >= charts.LABEL_GAP
    low = _two((2.0, 0.0), (2.0, 0.0))
    assert max(line.label_y for line in low.lines) <= low.bottom


def test_a_gap_stands_where_a_value_is_missing() -> None:
    chart = _two((1.0, math.nan, 2.0, 3.0), (1.0, math.inf, 1.0, 1.0))
    assert [line.path.count("M") for line in chart.lines] == [2, 2]
    assert [len(_points(line.path)) for line in chart.lines] == [3, 3]


def test_there_is_no_chart_without_a_number() -> None:
    assert charts.draw([]) is None
    assert charts.draw([Line("before", "before", (1.0,), (math.nan,))]) is None


def test_a_long_series_is_drawn_as_medians_within_a_band_of_all_values() -> None:
    series = [10.0 + math.sin(i) for i in range(10_000)]
    series[6_321] = 500.0
    series[123] = -500.0
    points = charts.thin(_steps(10_000), series)
    assert len(points.x) <= charts.MOST_POINTS
    assert (max(points.high), min(points.low)) == (500.0, -500.0)
    assert 8.0 < min(points.y) <= max(points.y) < 12.0
    assert list(points.x) == sorted(points.x)
    assert (points.x[0], points.x[-1]) == (1.0, 10_000.0)
    chart = _two(tuple(series), (10.0,) * 10_000)
    assert [bool(line.band) for line in chart.lines] == [True, True]


def test_a_short_series_is_drawn_point_by_point() -> None:
    points = charts.thin((1.0, 2.0), (3.0, 4.0))
    assert (points.x, points.y, points.low, points.high) == ((1.0, 2.0), (3.0, 4.0), (), ())
    assert [line.band for line in _two((1.0, 2.0), (3.0, 4.0)).lines] == ["", ""]


def test_ticks_are_round_and_few() -> None:
    chart = _two((24.0, 467.0), (3.2, 3.0))
    assert [t.text for t in chart.y_ticks] == ["3", "10", "30", "100", "300"]
    steps = charts.draw([Line("before", "before", _steps(300), tuple(1.0 for _ in range(300)))])
    assert steps is not None
    assert [t.text for t in steps.x_ticks] == ["1", "100", "200", "300"]


numbers = st.floats(allow_nan=True, allow_infinity=True)


@given(
    st.lists(numbers, min_size=1, max_size=200),
    st.lists(numbers, min_size=1, max_size=200),
    st.booleans(),
    st.booleans(),
)
def test_every_point_lies_inside_the_chart(before: list[float], after: list[float], log: bool, zero: bool) -> None:
    lines = [
        Line("before", "before", _steps(len(before)), tuple(before)),
        Line("after", "after", _steps(len(after)), tuple(after)),
    ]
    chart = charts.draw(lines, logarithmic=log, zero=zero, unit_of="ms")
    if chart is None:
        return
    for line in chart.lines:
        for x, y in _points(line.path) + _points(line.band):
            assert chart.left - 0.1 <= x <= chart.right + 0.1
            assert chart.top - 0.1 <= y <= chart.bottom + 0.1
    assert all(chart.top - 0.1 <= t.at <= chart.bottom + 0.1 for t in chart.y_ticks)
    assert 1 <= len(chart.y_ticks) <= 8
    assert len({t.text for t in chart.y_ticks}) == len(chart.y_ticks)
