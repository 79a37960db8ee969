"""Step times: ratios said honestly, growth measured, every moment counted once."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest
from verify.synthetic import EVALUATE, TRAIN, event, program, trace

from tfmigrate.verify.pairing import Pairing, pair
from tfmigrate.verify.results import Interval
from tfmigrate.verify.timing import describe, side_total, site_ratios, site_timing, speedup
from tfmigrate.verify.trace import Event


def steps(
    side: str, n: int, milliseconds: Callable[[int], float], seed: int = 0, growing_ops: int = 0, evaluate: float = 0.0
) -> list[Event]:
    generator, now, events = random.Random(seed), 0.0, []
    for k in range(n):
        length = milliseconds(k) * (1 + 0.05 * generator.random()) / 1e3
        line, name = (TRAIN, "") if side == "before" else (30, "train_step")
        events.append(event(len(events), line, name, start=now, seconds=0.6 * length, ops=100 + growing_ops * k))
        now += length
        if evaluate and k % 10 == 9:
            line, name = (EVALUATE, "") if side == "before" else (33, "compute_accuracy")
            events.append(event(len(events), line, name, start=now, seconds=evaluate / 1e3))
            now += evaluate / 1e3
    return events


def rounds(
    before: Callable[[int], float],
    after: Callable[[int], float],
    n: int = 100,
    growing_ops: int = 0,
    evaluate: float = 0.0,
) -> list[Pairing]:
    found = []
    for seed in range(2):
        old = trace(steps("before", n, before, seed, growing_ops, evaluate))
        new = trace(steps("after", n, after, 10 + seed, 0, evaluate))
        found.append(pair(old, new, program().sites))
    return found


def test_faster_is_told_with_its_interval() -> None:
    found = speedup(rounds(lambda k: 30.0, lambda k: 10.0))
    assert found.ratio is not None
    assert found.ratio.median == pytest.approx(3.0, rel=0.05)
    assert 2.5 < found.ratio.low <= found.ratio.median <= found.ratio.high < 3.5
    assert "times faster" in found.note


def test_slower_is_told_plainly() -> None:
    found = speedup(rounds(lambda k: 10.0, lambda k: 15.0))
    assert found.ratio is not None
    assert found.ratio.high < 1
    assert found.ratio.median == pytest.approx(10 / 15, rel=0.03)
    assert re.match(r"1\.(49|50|51) times slower", found.note)


def test_equal_is_no_difference() -> None:
    found = speedup(rounds(lambda k: 10.0, lambda k: 10.0))
    assert found.ratio is not None
    assert found.ratio.spans(1.0) or abs(found.ratio.median - 1) < 0.01
    assert "no difference" in describe(Interval(1.05, 0.9, 1.2), None)


def test_rounds_that_disagree_widen_the_interval() -> None:
    first, second = rounds(lambda k: 20.0, lambda k: 10.0)
    slow = rounds(lambda k: 9.0, lambda k: 10.0)[1]
    assert speedup([first, second]).ratio is not None
    mixed = speedup([first, slow]).ratio
    assert mixed is not None
    assert mixed.spans(1.0)


def test_growth_is_a_figure_before_and_zero_after() -> None:
    found = rounds(lambda k: 10.0 + 0.5 * k, lambda k: 5.0, growing_ops=16)
    sites = [next(s for s in p.sites if s.name == "train_step") for p in found]
    old, new = site_timing([s.before for s in sites]), site_timing([s.after for s in sites])
    assert old.growth is not None
    assert new.growth is not None
    assert old.growth.slows
    assert old.growth.ms_per_step == pytest.approx(0.5, rel=0.1)
    assert old.growth.ops_per_step == 16
    assert not new.growth.slows
    assert new.growth.ms_low <= 0 <= new.growth.ms_high
    assert new.growth.ops_per_step == 0


def test_last_tenth_shows_growth() -> None:
    found = rounds(lambda k: 10.0 + k, lambda k: 5.0)
    site = [next(s for s in p.sites if s.name == "train_step") for p in found]
    whole, tenth = site_ratios([s.before for s in site], [s.after for s in site])
    assert whole is not None
    assert tenth is not None
    assert tenth.median == pytest.approx(105 / 5, rel=0.1)
    assert tenth.low > whole.high
    together = speedup(found)
    assert "over the last tenth" in together.note


def test_the_first_call_is_apart() -> None:
    site = site_timing([steps("after", 50, lambda k: 500.0 if k == 0 else 5.0)])
    assert site.first_ms is not None
    assert site.first_ms > 250
    assert site.iteration_ms is not None
    assert site.iteration_ms.high < 6


def test_every_moment_counts_once_over_sites() -> None:
    (first, _) = rounds(lambda k: 10.0, lambda k: 10.0, evaluate=100.0)
    total, calls = side_total([first], before=True)
    assert total is not None
    assert calls is not None
    spent = (10.25 * 100 + 100.0 * 10) / 110  # what a run costs until the next one, on average
    assert total.median == pytest.approx(spent, rel=0.05)


def test_too_few_runs_have_no_ratio() -> None:
    found = speedup(rounds(lambda k: 10.0, lambda k: 5.0, n=3))
    assert found.ratio is None
    assert "not compared" in found.note


def test_series_are_bounded_and_name_their_runs() -> None:
    site = site_timing([steps("before", 2000, lambda k: 1.0)])
    assert len(site.iteration_series) <= 600
    assert len(site.iteration_series) == len(site.ops_series) == len(site.steps_of_points)
    assert site.steps_of_points[0] == 1
    assert site.steps == 2000


def test_nothing_was_run() -> None:
    assert site_timing([]).iteration_ms is None
    assert speedup([]).ratio is None
