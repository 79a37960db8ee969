"""Robust statistics: known answers, coverage of intervals, growth found and not invented."""

from __future__ import annotations

import random

import pytest

from tfmigrate.verify.results import Interval
from tfmigrate.verify.stats import median, median_interval, resampled_interval, theil_sen, thin, widened


def noise(seed: int, n: int, growth: float = 0.0, carry: float = 0.0) -> list[float]:
    generator, last, found = random.Random(seed), 0.0, []
    for i in range(n):
        last = carry * last + generator.gauss(0, 0.3)
        spike = 20.0 if generator.random() < 0.03 else 0.0
        found.append(10.0 + growth * i + last + spike)
    return found


def test_median() -> None:
    assert median([3.0, 1.0, 2.0]) == 2.0
    assert median([4.0, 1.0, 2.0, 3.0]) == 2.5
    with pytest.raises(ValueError, match="no values"):
        median([])


def test_median_interval_holds_the_median_and_covers() -> None:
    covered = 0
    for seed in range(200):
        values = noise(seed, 60)
        found = median_interval(values)
        assert found.low <= found.median <= found.high
        covered += found.low <= 10.0 <= found.high
    assert covered >= 180


def test_median_interval_of_one_value() -> None:
    assert median_interval([2.0]) == Interval(2.0, 2.0, 2.0)


def test_slope_of_growth_is_found_in_spite_of_spikes() -> None:
    found = theil_sen([noise(1, 300, growth=0.05)])
    assert found is not None
    assert found.median == pytest.approx(0.05, rel=0.1)
    assert found.low > 0.04


@pytest.mark.parametrize("carry", [0.0, 0.6])
def test_no_growth_is_not_called_growth(carry: float) -> None:
    wrong = sum(
        not found.spans(0.0) for seed in range(100) if (found := theil_sen([noise(seed, 120, carry=carry)])) is not None
    )
    assert wrong <= 12


def test_slope_does_not_cross_from_one_run_to_the_next() -> None:
    found = theil_sen([[1.0] * 10, [5.0] * 10])
    assert found is not None
    assert (found.median, found.low, found.high) == (0.0, 0.0, 0.0)


def test_slope_needs_four_points() -> None:
    assert theil_sen([[1.0, 2.0, 3.0]]) is None
    assert theil_sen([]) is None


def test_thin_keeps_both_ends() -> None:
    indices, values = thin([float(i) for i in range(1000)], 50)
    assert (indices[0], indices[-1]) == (0, 999)
    assert len(values) <= 50
    assert thin([1.0, 2.0], 50) == ([0, 1], [1.0, 2.0])


def test_resampled_interval_holds_its_estimate_and_repeats() -> None:
    samples = [noise(3, 80), noise(4, 80)]
    first = resampled_interval(samples, lambda s: median(s[0]) / median(s[1]))
    assert first.low <= first.median <= first.high
    assert first.spans(1.0)
    assert first == resampled_interval(samples, lambda s: median(s[0]) / median(s[1]))


def test_widened() -> None:
    assert widened(Interval(2.0, 1.5, 2.5), [1.0, 2.2]) == Interval(2.0, 1.0, 2.5)
