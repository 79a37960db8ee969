"""Variables: paired by plan, name and order; shape, type, trainability, start, end and change compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from verify.synthetic import Tape, trace

from tfmigrate.model import VariablePair
from tfmigrate.verify.recorded import Recorded
from tfmigrate.verify.tolerance import Tolerance
from tfmigrate.verify.trace import VariableState
from tfmigrate.verify.variables import VariableResults, compare_variables, is_slot, pair_variables, same_start


def state(
    name: str, shape: tuple[int, ...] = (3,), dtype: str = "float32", trainable: bool = True, slot: bool = False
) -> VariableState:
    return VariableState(name, shape, dtype, trainable, None, None, slot)


def paired(
    old: Sequence[VariableState], new: Sequence[VariableState], plan: Sequence[VariablePair] = ()
) -> dict[str, tuple[str, str]]:
    return {m.old.name: (m.new.name if m.new else "", m.how) for m in pair_variables(old, new, plan)}


def test_by_plan_then_name_then_order() -> None:
    old = [state("a"), state("b"), state("dense/kernel", (3, 4)), state("c")]
    new = [state("other/c"), state("x"), state("net/dense/kernel", (3, 4)), state("b")]
    assert paired(old, new, [VariablePair("a", "x")]) == {
        "a": ("x", "plan"),
        "b": ("b", "plan"),
        "dense/kernel": ("net/dense/kernel", "order"),
        "c": ("other/c", "order"),
    }


def test_order_needs_equal_shapes() -> None:
    assert paired([state("a", (3,)), state("b", (4,))], [state("p", (4,)), state("q", (3,))]) == {
        "a": ("q", "order"),
        "b": ("p", "order"),
    }


def test_equal_names_pair_in_order_of_creation() -> None:
    old = [state("W"), state("W_1")]
    new = [state("W"), state("W")]
    assert [m.new is n for m, n in zip(pair_variables(old, new, ()), new, strict=True)] == [True, True]


def test_slots_take_no_part() -> None:
    names = {"W", "W/Adam", "beta1_power"}
    assert is_slot(state("W/Adam", trainable=False), names)
    assert is_slot(state("beta1_power_1", (), trainable=False), names)
    assert not is_slot(state("W/ExponentialMovingAverage", trainable=False), names)
    assert not is_slot(state("Adam/kernel"), names)
    assert paired([state("W"), state("W/Adam", trainable=False)], [state("W"), state("adam/W_m", slot=True)]) == {
        "W": ("W", "name")
    }


def test_a_step_counter_may_live_in_the_optimizer() -> None:
    old = [state("global_step", (), "int32", False)]
    new = [state("sgd/iteration", (), "int64", False, slot=True)]
    assert paired(old, new)["global_step"] == ("sgd/iteration", "order")


def recorded(name: str, begin: Any, end: Any, trainable: bool = True) -> Recorded:
    tape = Tape()
    first, last = tape.value(begin), tape.value(end)
    return Recorded(trace([], [VariableState(name, first.shape, first.dtype, trainable, first, last)]), tape.arrays)


def with_own(run: Recorded, own: Any) -> Recorded:
    """The run whose only variable the program itself began with `own`."""
    tape = Tape()
    value = replace(tape.value(own), key="own")
    variable = replace(run.trace.variables[0], own=value)
    return Recorded(replace(run.trace, variables=(variable,)), {**run.arrays, "own": np.asarray(own)})


def drawn(run: Recorded, told: bool) -> Recorded:
    """The run whose only variable is told to begin with drawn numbers, or with others."""
    return Recorded(replace(run.trace, variables=(replace(run.trace.variables[0], drawn=told),)), run.arrays)


def compare(old: Recorded, new: Recorded, steps: int = 10) -> VariableResults:
    return compare_variables(old, new, (), Tolerance(), steps)


ONES = np.ones(20, np.float32)


def test_equal_variables_give_start_end_and_change() -> None:
    found = compare(recorded("W", ONES, 1.5 * ONES), recorded("W", ONES, 1.5 * ONES))
    assert [c.name for c in found.comparisons] == ["initial W", "variable W", "change of W"]
    assert all(c.ok for c in found.comparisons)


def test_a_small_step_on_large_weights_shows_in_the_change() -> None:
    old, new = recorded("W", 100 * ONES, 100.005 * ONES), recorded("W", 100 * ONES, 100.0055 * ONES)
    found = {c.name: c.ok for c in compare(old, new).comparisons}
    assert found["variable W"]
    assert not found["change of W"]


def test_rounding_of_large_weights_is_no_change() -> None:
    end = np.nextafter(1000 * ONES, np.float32(2000))
    assert all(
        c.ok for c in compare(recorded("W", 1000 * ONES, 1000 * ONES), recorded("W", 1000 * ONES, end)).comparisons
    )


@pytest.mark.parametrize(
    ("new", "words"),
    [
        (recorded("W", np.ones(19, np.float32), np.ones(19, np.float32)), "shape"),
        (recorded("W", np.ones(20), np.ones(20)), "float64"),
        (recorded("W", ONES, ONES, trainable=False), "trainable"),
        (Recorded(trace([])), "no counterpart"),
    ],
)
def test_the_interface_names_what_differs(new: Recorded, words: str) -> None:
    found = compare(recorded("W", ONES, ONES), new)
    assert any(words in p and "W" in p for p in found.problems)
    assert not all(m.ok for m in found.matches)


def test_counters_of_greater_width_are_noted_only() -> None:
    found = compare(recorded("n", np.int32(0), np.int32(9), False), recorded("n", np.int64(0), np.int64(9), False))
    assert found.problems == ()
    assert any("int64" in n for n in found.notes)
    assert all(c.ok for c in found.comparisons)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (np.int64(9), np.int32(9)),
        (np.arange(4, dtype=np.int64), np.arange(4, dtype=np.int32)),
        (np.arange(4, dtype=np.int32), np.arange(4, dtype=np.int64)),
    ],
)
def test_narrower_counters_and_arrays_of_other_integers_differ(old: np.generic, new: np.generic) -> None:
    found = compare(recorded("n", old, old, False), recorded("n", new, new, False))
    assert any(str(new.dtype) in p for p in found.problems)


def test_a_new_trainable_variable_is_a_problem_a_constant_that_went_is_none() -> None:
    new = recorded("W", ONES, ONES)
    extra = VariableState("extra", (20,), "float32", True, None, None)
    grown = Recorded(trace([], [*new.trace.variables, extra]), new.arrays)
    assert any("extra" in p for p in compare(recorded("W", ONES, ONES), grown).problems)
    constant = compare(recorded("c", ONES, ONES, trainable=False), Recorded(trace([])))
    assert constant.problems == ()
    assert any("never changes" in n for n in constant.notes)


def test_constants_must_begin_equal() -> None:
    found = compare(recorded("b", 0 * ONES, ONES), recorded("b", 0.1 * ONES, ONES))
    assert not next(c for c in found.comparisons if c.name == "initial b").ok


def test_random_starts_of_one_distribution_are_equal_and_of_another_scale_not() -> None:
    generator = np.random.default_rng(0)
    wrong = 0
    for _ in range(50):
        a, b = (generator.standard_normal(400).astype(np.float32) * 0.1 for _ in range(2))
        wrong += (
            not compare(recorded("W", a, ONES[:1].repeat(400)), recorded("W", b, ONES[:1].repeat(400)))
            .comparisons[0]
            .ok
        )
    assert wrong == 0
    a, b = (generator.standard_normal(4000).astype(np.float32) * s for s in (0.1, 0.12))
    found = compare(recorded("W", a, a), recorded("W", b, a))
    assert not found.comparisons[0].ok
    assert "standard deviation" in found.comparisons[0].note


def test_the_programs_own_start_counts_not_the_one_put_in() -> None:
    new = recorded("W", ONES, 2 * ONES)
    told = with_own(new, 0.5 * ONES)
    found = compare(recorded("W", ONES, 2 * ONES), told)
    assert [c.name for c in found.comparisons if not c.ok] == ["initial W"]


def test_what_the_graph_does_not_draw_must_begin_equal() -> None:
    line = np.linspace(0, 1, 10, dtype=np.float32)
    old, new = recorded("W", line, line), recorded("W", line * 1.05, line)
    other = line[[3, 1, 4, 0, 5, 9, 2, 6, 8, 7]]
    assert compare(drawn(old, True), recorded("W", other, line)).comparisons[0].ok
    assert not compare(drawn(old, False), new).comparisons[0].ok


def test_the_same_draws_stretched_are_of_another_scale() -> None:
    few = np.array([0.1, -0.3, 0.2, 0.7], np.float32)
    old = drawn(recorded("W", few, few), True)
    assert compare(old, recorded("W", few, few)).comparisons[0].ok
    found = compare(old, with_own(recorded("W", few, few), few * np.float32(1.1))).comparisons[0]
    assert (found.name, found.ok, found.note) == ("initial W", False, "the same draws, of another scale")


def test_a_single_drawn_number_is_judged_where_another_variable_shows_that_draws_are_alike() -> None:
    few, one = np.array([0.1, -0.3, 0.2], np.float32), np.array([0.4], np.float32)
    for other, judged in ((few, True), (few[::-1], False)):
        tape = Tape()

        def state(name: str, begin: Any, own: Any, tape: Tape = tape) -> VariableState:
            value = tape.value(begin)
            return VariableState(name, value.shape, "float32", True, value, value, own=tape.value(own), drawn=True)

        run = Recorded(trace([], [state("W", few, other), state("b", one, one * np.float32(1.5))]), tape.arrays)
        found = [c for c in compare(run, run).comparisons if c.name == "initial b"]
        assert [c.ok for c in found] == ([False] if judged else [])


def test_a_small_drawn_value_is_no_constant() -> None:
    few = np.array([0.1, -0.3, 0.2], np.float32)
    old = drawn(recorded("W", few, few), True)
    assert not compare(old, recorded("W", 0 * few, few)).comparisons[0].ok
    assert [c.name for c in compare(old, recorded("W", few[::-1], few)).comparisons if c.name == "initial W"] == []


def test_uniform_is_told_from_normal_of_one_spread() -> None:
    generator = np.random.default_rng(1)
    normal, other = (generator.standard_normal(20000).astype(np.float32) for _ in range(2))
    uniform = (generator.uniform(-1, 1, 20000) * np.sqrt(3)).astype(np.float32)
    old = drawn(recorded("W", normal, normal), True)
    assert compare(old, recorded("W", other, normal)).comparisons[0].ok
    assert not compare(old, recorded("W", uniform, normal)).comparisons[0].ok


def test_same_start() -> None:
    assert same_start(recorded("W", ONES, ONES), recorded("W", np.nextafter(ONES, np.float32(2)), ONES))
    assert not same_start(recorded("W", ONES, ONES), recorded("W", 1.1 * ONES, ONES))


@pytest.mark.parametrize(("begin", "right"), [(1.0, True), (1.5, False)])
def test_restored_values_are_compared_as_the_program_had_them(begin: float, right: bool) -> None:
    old = recorded("W", ONES, 2 * ONES)
    variable = replace(old.trace.variables[0], restored=True)
    old = Recorded(replace(old.trace, variables=(variable,)), old.arrays)
    new = with_own(recorded("W", begin * ONES, 2 * ONES), 0 * ONES)  # `own` is what it was before it was restored
    assert {c.name: c.ok for c in compare(old, new).comparisons}["restored W"] is right
