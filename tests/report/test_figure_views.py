"""Which charts a program gets, and what their titles say."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from report import sample_data

from tfmigrate.report import figure_views
from tfmigrate.report.anchors import Anchors
from tfmigrate.report.view import Figure
from tfmigrate.verify.results import Comparison, Growth, ScriptReport, Series


def _figures(report: ScriptReport) -> tuple[Figure, ...]:
    return figure_views.of(report, Anchors())


def _slow() -> ScriptReport:
    return sample_data.report("a.py", "slow", random.Random(1))


def _titles(report: ScriptReport) -> list[str]:
    return [f.title for f in _figures(report)]


def test_a_growing_program_is_told_by_its_slopes() -> None:
    time, graph, loss = _titles(_slow())
    assert time == "Each step took 7.40 ms longer than the last; now the time is flat"
    assert graph == "The graph grew by 236 operations a step; now it does not"
    assert loss.startswith("loss agrees to ")


def test_a_slope_too_small_to_matter_heads_no_chart() -> None:
    report = sample_data.report("a.py", "flat", random.Random(1))
    site = report.sites[0]
    assert site.before is not None
    growth = Growth(1e-4, 0.0, 5e-5, 2e-4)
    slight = replace(report, sites=(replace(site, before=replace(site.before, growth=growth)),))
    assert _titles(slight)[0].startswith("Step time: ")


def test_a_start_up_is_left_out_and_named() -> None:
    first = _figures(_slow())[0]
    assert "The first step is not drawn (276 ms before, 87.9 ms after)." in first.caption
    assert first.chart.x_axis.low == 2


def test_a_long_run_says_that_its_lines_are_medians() -> None:
    long_run = sample_data.report("a.py", "slow", random.Random(1), steps=400)
    assert "Lines are medians, bands all values." in _figures(long_run)[0].caption
    assert "medians" not in _figures(_slow())[0].caption


def test_a_loss_comes_before_other_series_and_a_difference_before_a_loss() -> None:
    report = _slow()
    site = report.series[0].site
    weight = Series("weight", site, (1, 2, 3), (1.0, 2.0, 3.0), (1.0, 2.0, 3.0))
    assert [t.split()[0] for t in _titles(replace(report, series=(weight, *report.series)))][2:] == ["loss"]
    off = Comparison("weight", site, 2, 3, 1.0, 1.0, 1e-5, 1e-6, False)
    differing = replace(report, series=(*report.series, weight), comparisons=(*report.comparisons, off))
    assert _titles(differing)[2:] == ["weight differs from run 2 on"]


def test_the_table_holds_the_very_figures() -> None:
    report = _slow()
    loss = _figures(report)[2]
    series = report.series[0]
    assert loss.columns == ("step", "before", "after")
    for step, before, after in loss.table:
        i = series.steps.index(int(step))
        assert float(before) == pytest.approx(series.before[i], rel=1e-5)
        assert float(after) == pytest.approx(series.after[i], rel=1e-5)


def test_two_points_are_no_line() -> None:
    assert [f for f in _figures(sample_data.report("a.py", "slow", random.Random(1), steps=3)) if f.unit == "ms"] == []
