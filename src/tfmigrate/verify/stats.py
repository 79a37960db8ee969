"""Robust statistics of step times: medians, slopes and ratios, each with a 95 % interval. Pure Python, no randomness
from outside.

Step times have heavy tails (garbage collection, other processes) and drift together, so means and least squares are
out of place.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from itertools import pairwise

from tfmigrate.verify.results import Interval

Z = 1.959964  # two-sided 95 %
RESAMPLES = 300
_ENOUGH = 150  # more points than this are thinned before pairwise slopes and resampling: n^2 pairs


def median(values: Sequence[float]) -> float:
    """The median; raises ValueError on nothing."""
    if not values:
        raise ValueError("median of no values")
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else 0.5 * (ordered[middle - 1] + ordered[middle])


def median_interval(values: Sequence[float]) -> Interval:
    """The median with its distribution-free interval: two order statistics, by the normal approximation of the
    binomial.
    """
    ordered = sorted(values)
    n = len(ordered)
    reach = 0.5 * Z * math.sqrt(n)
    low = max(0, math.floor(n / 2 - reach))
    high = min(n - 1, math.ceil(n / 2 + reach) - 1)
    return Interval(median(ordered), ordered[min(low, n - 1)], ordered[max(high, 0)])


def thin(values: Sequence[float], most: int) -> tuple[list[int], list[float]]:
    """At most `most` of the values at even distances, the first and last among them, with their indices."""
    n = len(values)
    if n <= most:
        return list(range(n)), list(values)
    indices = sorted({round(i * (n - 1) / (most - 1)) for i in range(most)})
    return indices, [values[i] for i in indices]


def theil_sen(series: Sequence[Sequence[float]]) -> Interval | None:
    """The median slope per index over all pairs of points within each series, with Sen's interval; None below four
    points.

    Several series are repetitions of one measurement: no slope is taken from one to the other. The interval is the
    one of Kendall's statistic (P. K. Sen, 1968), its variance enlarged for serial correlation as Hamed and Rao (1998)
    do, since neighbouring steps share whatever else the machine does.
    """
    slopes: list[float] = []
    variance = 0.0
    for values in series:
        indices, kept = thin(values, _ENOUGH)
        n = len(kept)
        if n < 4:
            continue
        own = [(kept[j] - kept[i]) / (indices[j] - indices[i]) for i in range(n) for j in range(i + 1, n)]
        slopes += own
        slope = median(own)
        inflation = _serial_inflation([v - slope * i for i, v in zip(indices, kept, strict=True)])
        variance += n * (n - 1) * (2 * n + 5) / 18.0 * inflation
    if not slopes:
        return None
    slopes.sort()
    reach = Z * math.sqrt(variance)
    count = len(slopes)
    low = max(0, math.floor((count - reach) / 2))
    high = min(count - 1, math.ceil((count + reach) / 2))
    return Interval(median(slopes), slopes[low], slopes[high])


def _serial_inflation(residuals: Sequence[float]) -> float:
    """How much serial correlation of rank order enlarges a variance: (1 + r) / (1 - r) of the lag-1 correlation r,
    from 1 to 9.
    """
    n = len(residuals)
    order = sorted(range(n), key=residuals.__getitem__)
    rank = [0.0] * n
    for position, index in enumerate(order):
        rank[index] = position - (n - 1) / 2.0
    power = sum(r * r for r in rank)
    if not power:
        return 1.0
    lag = sum(a * b for a, b in pairwise(rank)) / power
    lag = min(0.8, max(0.0, lag))
    return (1.0 + lag) / (1.0 - lag)


def resampled_interval(
    samples: Sequence[Sequence[float]], figure: Callable[[Sequence[Sequence[float]]], float]
) -> Interval:
    """`figure` of the samples with its percentile bootstrap interval, each sample drawn anew from itself. The
    generator is seeded.

    The interval always holds the estimate itself.
    """
    generator = random.Random(20)
    estimate = figure(samples)
    thinned = [thin(s, _ENOUGH)[1] for s in samples]
    drawn = sorted(figure([generator.choices(s, k=len(s)) for s in thinned]) for _ in range(RESAMPLES))
    low, high = drawn[int(0.025 * RESAMPLES)], drawn[int(0.975 * RESAMPLES)]
    return Interval(estimate, min(low, estimate), max(high, estimate))


def widened(interval: Interval, others: Sequence[float]) -> Interval:
    """The interval made to hold `others` too: what single rounds of the measurement gave."""
    return Interval(interval.median, min([interval.low, *others]), max([interval.high, *others]))
