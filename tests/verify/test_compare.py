"""Comparing what comes back: what rounding explains passes, what a wrong constant does not."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from verify.synthetic import EVALUATE, TRAIN, Tape, event, program, trace, training

from tfmigrate.model import Place, RunSite, SiteKind
from tfmigrate.verify.compare import ValueResults, compare_values, is_count
from tfmigrate.verify.judge import measure_floor
from tfmigrate.verify.pairing import alone, pair
from tfmigrate.verify.recorded import Recorded, distance
from tfmigrate.verify.tolerance import Tolerance


def compare(
    before: Recorded, after: Recorded, tolerance: Tolerance | None = None, sites: object = program().sites
) -> ValueResults:
    pairing = pair(before.trace, after.trace, sites)  # type: ignore[arg-type]
    return compare_values(pairing, before, after, tolerance or Tolerance())


def series(
    before: list[float], after: list[float], dtype: str = "float32", sites: tuple[RunSite, ...] | None = None
) -> ValueResults:
    old, new = Tape(), Tape()
    a = Recorded(trace([event(i, TRAIN, values=[old.value(v, dtype)]) for i, v in enumerate(before)]), old.arrays)
    b = Recorded(trace([event(i, 30, "train_step", [new.value(v, dtype)]) for i, v in enumerate(after)]), new.arrays)
    return compare(a, b, sites=sites or program().sites)


def test_equal_runs_pass_and_count_every_number() -> None:
    result = compare(training("before"), training("after"))
    assert [(c.name, c.site, c.ok, c.n) for c in result.comparisons] == [
        ("loss", f"main.py:{TRAIN}", True, 20),
        ("accuracy", f"main.py:{EVALUATE}", True, 4),
    ]
    assert result.problems == ()
    assert [s.name for s in result.series] == ["loss", "accuracy"]


def test_rounding_passes() -> None:
    noise = np.random.default_rng(0)
    result = compare(training("before"), training("after", scale=lambda step: 1 + 2e-6 * noise.standard_normal()))
    assert all(c.ok for c in result.comparisons)


@pytest.mark.parametrize("factor", [1.001, 0.5, -1.0, 1.00005])
def test_a_factor_on_the_loss_is_found_in_the_first_run(factor: float) -> None:
    result = compare(training("before"), training("after", scale=lambda step: factor))
    bad = result.comparisons[0]
    assert not bad.ok
    assert bad.first_step == 1
    assert bad.max_rel == pytest.approx(abs(factor - 1), rel=0.01)


def test_a_difference_that_begins_later_is_named_by_its_run() -> None:
    result = compare(training("before"), training("after", scale=lambda step: 1.0 if step < 7 else 1.01))
    assert result.comparisons[0].first_step == 8


def test_a_slow_drift_is_found() -> None:
    result = compare(training("before"), training("after", scale=lambda step: 1 + 2e-3 * step / 20))
    assert not result.comparisons[0].ok


def test_a_loss_that_reaches_zero_is_judged_by_where_it_began() -> None:
    assert series([1.0, 0.1, 1e-7], [1.0, 0.1, 3e-7]).comparisons[0].ok
    assert not series([1.0, 0.1, 1e-7], [1.0, 0.1, 1e-3]).comparisons[0].ok


def test_nan_equals_nan_only() -> None:
    nan = math.nan
    assert series([1.0, nan, math.inf], [1.0, nan, math.inf]).comparisons[0].ok
    assert series([1.0, nan, 2.0], [1.0, 2.0, 2.0]).comparisons[0].first_step == 2
    assert series([1.0, 2.0, 2.0], [1.0, nan, 2.0]).comparisons[0].first_step == 2
    assert series([math.inf, 1.0], [-math.inf, 1.0]).comparisons[0].first_step == 1


def test_nan_counts_as_no_evidence() -> None:
    assert series([math.nan] * 4, [math.nan] * 4).comparisons[0].n == 0


def test_integers_are_exact() -> None:
    assert series([3, 4, 5], [3, 4, 5], "int64").comparisons[0].ok
    assert series([3, 4, 5], [3, 4, 6], "int64").comparisons[0].first_step == 3


def test_strings_are_exact() -> None:
    def text(word: str) -> Recorded:
        tape = Tape()
        value = replace(tape.value(0.0), key=None, text=word, dtype="string", norm=None)
        return Recorded(trace([event(0, TRAIN, "train_step", [value])]), {})

    site = program().sites[1]
    assert compare(text("a"), text("a"), sites=(site,)).comparisons[0].ok
    assert not compare(text("a"), text("b"), sites=(site,)).comparisons[0].ok


def test_a_share_of_examples_may_differ_by_one_example_now_and_then() -> None:
    old = [0.5 + k / 100 for k in range(20)]
    new = list(old)
    new[12] += 1 / 100
    result = series(old, new)
    assert result.comparisons[0].ok
    assert "differ by one example" in result.comparisons[0].note
    assert len(result.tied) == 1


def test_a_share_of_examples_that_differs_often_or_by_much_is_a_difference() -> None:
    old = [0.5 + k / 100 for k in range(20)]
    assert not series(old, [v + 1 / 100 if k % 3 else v for k, v in enumerate(old)]).comparisons[0].ok
    assert not series(old, [*old[:12], old[12] + 3 / 100, *old[13:]]).comparisons[0].ok
    assert not series(old, [old[0] + 1 / 100, *old[1:]]).comparisons[0].ok


def test_changed_shape_is_named() -> None:
    old, new = Tape(), Tape()
    a = Recorded(trace([event(i, TRAIN, values=[old.value([1.0, 2.0])]) for i in range(2)]), old.arrays)
    b = Recorded(trace([event(i, 30, "train_step", [new.value([[1.0, 2.0]])]) for i in range(2)]), new.arrays)
    result = compare(a, b)
    assert any("float64[2]" in p and "float64[1, 2]" in p for p in result.problems)


def test_missing_value_is_a_problem_of_the_interface() -> None:
    old, new = Tape(), Tape()
    a = Recorded(trace([event(0, TRAIN, values=[old.value(1.0), old.value(2.0)])]), old.arrays)
    b = Recorded(trace([event(0, 30, "train_step", [new.value(1.0)])]), new.arrays)
    assert compare(a, b).problems


def test_a_fetched_summary_is_no_value_and_its_parts_are_skipped() -> None:
    old, new = Tape(), Tape()
    runs = [event(i, TRAIN, values=[old.value(0.0, summary=True), old.value(2.0 + i)]) for i in range(2)]
    calls = [event(i, 30, "train_step", [new.value(7.0), new.value(2.0 + i)]) for i in range(2)]
    result = compare(Recorded(trace(runs), old.arrays), Recorded(trace(calls), new.arrays))
    assert result.problems == ()
    assert [c.ok for c in result.comparisons] == [True]


def test_values_in_another_order_are_matched_by_shape() -> None:
    old, new = Tape(), Tape()
    runs = [event(i, TRAIN, values=[old.value([1.0, 2.0]), old.value(3.0)]) for i in range(2)]
    calls = [event(i, 30, "train_step", [new.value(3.0), new.value([1.0, 2.0])]) for i in range(2)]
    result = compare(Recorded(trace(runs), old.arrays), Recorded(trace(calls), new.arrays))
    assert [c.ok for c in result.comparisons] == [True, True]


def test_sampled_arrays_are_judged_by_their_norm_too() -> None:
    old, new = Tape(), Tape()
    a = Recorded(trace([event(0, TRAIN, values=[old.value(np.ones(4), sampled=True, norm=100.0)])]), old.arrays)
    b = Recorded(trace([event(0, 30, "train_step", [new.value(np.ones(4), sampled=True, norm=101.0)])]), new.arrays)
    assert not compare(a, b).comparisons[0].ok


def test_beyond_the_horizon_nothing_is_judged_and_that_is_said() -> None:
    before = training("before")
    chaos = training("before", scale=lambda step: 1 + 1e-7 * 4.0**step)
    floor = measure_floor(alone(before.trace, program().sites), before, chaos, rounding=True)
    result = compare(before, training("after", scale=lambda step: 1 + 3e-7 * 4.0**step), Tolerance((floor,)))
    found = result.comparisons[0]
    assert found.ok
    assert 5 < found.n < 15
    assert "not judged" in found.note


def test_a_measured_floor_widens_later_runs_and_not_the_first() -> None:
    before = training("before")
    noisy = training("before", scale=lambda step: 1 + 2e-6 * step)
    floor = measure_floor(alone(before.trace, program().sites), before, noisy, rounding=True)
    tolerance = Tolerance((floor,))
    assert all(
        c.ok for c in compare(before, training("after", scale=lambda step: 1 + 1e-5 * step), tolerance).comparisons
    )
    assert not compare(before, training("after", scale=lambda step: 1 + 3e-5), tolerance).comparisons[0].ok


def test_distance_scales_small_elements_by_the_array() -> None:
    old = np.array([1e-8, 1.0], np.float32)
    assert distance(old, np.array([2e-7, 1.0], np.float32), 0.0, 1e-6, 0.0).excess < 1
    assert distance(old, np.array([1e-4, 1.0], np.float32), 0.0, 1e-6, 0.0).excess > 1


@pytest.mark.parametrize(
    ("values", "counts"),
    [
        ([1.0, 2.0, 3.0], True),
        ([0.25, 0.5], True),
        ([0.91, 0.97], True),
        ([0.6931472, 0.5123981], False),
        ([2.302585, 1.1], False),
        ([], False),
    ],
)
def test_is_count(values: list[float], counts: bool) -> None:
    assert is_count([float(np.float32(v)) for v in values]) is counts


def test_op_only_sites_give_no_comparison() -> None:
    site = RunSite(Place("main.py", TRAIN, 1), SiteKind.CALL, "train_step", (), (), True)
    a, b = trace([event(0, TRAIN)]), trace([event(0, 30, "train_step")])
    assert compare(Recorded(a), Recorded(b), sites=(site,)).comparisons == ()
