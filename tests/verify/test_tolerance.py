"""Tolerances begin at the type's precision, grow with what was measured, and never become a flat large number."""

from __future__ import annotations

import math

import pytest

from tfmigrate.verify.tolerance import FACTOR, HORIZON, MODEL_CAP, Floor, Tolerance, judge_floor

COLUMN = ("main.py:10", 0)


def measured(differences: list[float], informative: bool = True) -> Floor:
    return judge_floor(
        {COLUMN: tuple(enumerate(differences, start=1))}, {"W": (differences[-1], differences[-1])}, informative
    )


def test_the_first_run_has_the_precision_of_the_type() -> None:
    allowed = Tolerance().value(COLUMN, 1, "float32")
    assert (allowed.rtol, allowed.atol) == (1e-5, 1e-6)
    assert Tolerance().value(COLUMN, 1, "float64").rtol < 1e-7
    assert Tolerance().value(COLUMN, 1, "float16").rtol > 1e-3


def test_without_a_floor_the_model_grows_by_the_run_and_stops() -> None:
    tolerance = Tolerance()
    at = [tolerance.value(COLUMN, p, "float32").rtol for p in (1, 2, 10, 50, 100, 10_000)]
    assert at == sorted(at)
    assert at[2] == pytest.approx(1e-4)
    assert at[-1] == pytest.approx(MODEL_CAP * 1e-5)


def test_a_measured_floor_gives_a_tighter_base_than_the_model() -> None:
    floor = measured([1e-8] * 50)
    assert Tolerance((floor,)).value(COLUMN, 50, "float32").rtol < 0.2 * Tolerance().value(COLUMN, 50, "float32").rtol


def test_the_floor_counts_by_its_largest_value_so_far() -> None:
    floor = measured([0.0, 1e-6, 1e-4, 1e-5, 1e-5])
    tolerance = Tolerance((floor,))
    third, fifth = (tolerance.value(COLUMN, p, "float32") for p in (3, 5))
    assert third.floor == fifth.floor == 1e-4
    assert third.rtol == pytest.approx(FACTOR * 1e-4 + 1e-5 * math.sqrt(3))


def test_chaos_is_not_judged() -> None:
    tolerance = Tolerance((measured([1e-7 * 10**k for k in range(8)]),))
    judged = [tolerance.value(COLUMN, p, "float32").judged for p in range(1, 9)]
    assert judged[0]
    assert not judged[-1]
    assert judged == sorted(judged, reverse=True)
    assert all(tolerance.value(COLUMN, p, "float32").rtol <= HORIZON for p, j in enumerate(judged, start=1) if j)


def test_a_floor_that_differs_at_once_is_none() -> None:
    floor = measured([0.1, 0.1])
    assert not floor.informative
    assert Tolerance((floor,)).value(COLUMN, 2, "float32").rtol == Tolerance().value(COLUMN, 2, "float32").rtol
    assert "first run" in floor.note


def test_a_sudden_parting_widens_nothing_after_it() -> None:
    floor = measured([1e-8, 1e-8, 1e-8, 0.5, 0.5])
    assert floor.usable_until == 3
    assert Tolerance((floor,)).value(COLUMN, 5, "float32").rtol < 1e-4
    assert "run 4" in floor.note


def test_parting_over_many_runs_without_values_is_amplified_rounding() -> None:
    columns = {COLUMN: ((1, 1e-8), (2, 1e-8), (52, 0.01))}
    floor = judge_floor(columns, {}, True)
    assert floor.usable_until == math.inf
    assert not Tolerance((floor,)).value(COLUMN, 52, "float32").judged


def test_a_line_between_two_runs_with_values_may_belong_to_the_later() -> None:
    floor = judge_floor({COLUMN: ((1, 1e-8), (52, 1e-3))}, {}, True)
    tolerance = Tolerance((floor,))
    assert tolerance.output(40).floor == 1e-3
    assert tolerance.value(COLUMN, 40, "float32").floor == 1e-8
    assert tolerance.output(60).floor == 1e-3
    assert tolerance.output(1).floor == 1e-8


def test_counts_have_the_floor_of_their_own_run_only() -> None:
    columns = {COLUMN: ((1, 0.4), (2, 0.0), (3, 0.0))}
    floor = judge_floor(columns, {}, True, frozenset([COLUMN]))
    tolerance = Tolerance((floor,))
    assert not tolerance.value(COLUMN, 1, "float32").judged
    assert tolerance.value(COLUMN, 2, "float32").floor == 0.0


def test_an_unmeasured_value_gets_what_is_usual_among_the_others() -> None:
    tolerance = Tolerance((measured([1e-6, 1e-6]),))
    assert tolerance.value(("main.py:99", 0), 2, "float32").floor == 1e-6


def test_the_change_of_a_variable_is_tight() -> None:
    allowed = Tolerance((measured([1e-8] * 20),)).change("W", 20, "float32")
    assert allowed.rtol < 1e-3
    assert allowed.atol < 1e-5
