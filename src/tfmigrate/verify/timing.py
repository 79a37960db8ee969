"""Step times of both sides from runs made for timing alone: medians, growth and ratios per run site and over all of
them.

`iteration_ms` is the time from one start of a site to its next, which is what the user waits: graph building, saving
and feeding included. `call_ms` is the time inside. The ratio over all sites counts every moment once: each run is
charged the time until the next run of any paired site, and a side's total is the sum over sites of runs times median.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tfmigrate.verify.pairing import PairedSite, Pairing
from tfmigrate.verify.results import Growth, Interval, SiteTiming
from tfmigrate.verify.stats import median, median_interval, resampled_interval, theil_sen, thin, widened
from tfmigrate.verify.trace import Event

POINTS = 600  # of a series kept for charts
_LEAST = 3  # runs of a site below which it has no step time


@dataclass(frozen=True)
class Speedup:
    """Before / after over all paired sites, with what may be said of it."""

    ratio: Interval | None
    last_tenth: Interval | None
    note: str


def warm_up(runs: int) -> int:
    """How many first runs are left out of medians and slopes: they trace, choose kernels and fill caches."""
    return max(1, min(10, runs // 10)) if runs > _LEAST else 0


def site_timing(rounds: Sequence[Sequence[Event]]) -> SiteTiming:
    """One side's figures at one site, from the events of each timing run. The series is that of the first round."""
    rounds = [r for r in rounds if r]
    if not rounds:
        return SiteTiming(0)
    first = rounds[0]
    iterations = [_iterations(r) for r in rounds]
    settled_iterations = [i[warm_up(len(i)) :] for i in iterations]
    settled_calls = [[1e3 * e.seconds for e in r][warm_up(len(r)) :] for r in rounds]
    settled_ops = [[float(e.ops) for e in r][warm_up(len(r)) :] for r in rounds]
    growth = None
    slope = theil_sen(settled_iterations)
    ops = theil_sen(settled_ops)
    if slope is not None and ops is not None:
        growth = Growth(slope.median, ops.median, slope.low, slope.high, ops.low, ops.high)
    pooled = [v for part in settled_iterations for v in part]
    points, series = thin(iterations[0], POINTS)
    return SiteTiming(
        steps=len(first),
        first_ms=1e3 * first[0].seconds,
        iteration_ms=median_interval(pooled) if pooled else None,
        call_ms=median_interval([v for part in settled_calls for v in part]),
        growth=growth,
        iteration_series=tuple(round(v, 4) for v in series),
        call_series=tuple(round(1e3 * first[i].seconds, 4) for i in points),
        ops_series=tuple(float(first[i].ops) for i in points),
        steps_of_points=tuple(i + 1 for i in points),
    )


def site_ratios(
    before: Sequence[Sequence[Event]], after: Sequence[Sequence[Event]]
) -> tuple[Interval | None, Interval | None]:
    """Before / after of one site by iteration_ms: over all settled runs, and over the last tenth (at least 5 runs)."""
    old, new = [_iterations(r) for r in before], [_iterations(r) for r in after]
    whole = _ratio([i[warm_up(len(i)) :] for i in old], [i[warm_up(len(i)) :] for i in new])
    common = min([len(i) for i in old + new], default=0)  # growth is compared at equal steps
    tenth = max(5, common // 10)
    if common < 2 * tenth:
        return whole, None
    return whole, _ratio([i[common - tenth : common] for i in old], [i[common - tenth : common] for i in new])


def _iterations(events: Sequence[Event]) -> list[float]:
    return [1e3 * (b.start - a.start) for a, b in pairwise(events)]


def _ratio(old: list[list[float]], new: list[list[float]]) -> Interval | None:
    old, new = [o for o in old if o], [n for n in new if n]
    if not old or not new or min(len(o) for o in old + new) < _LEAST:
        return None

    def figure(samples: Sequence[Sequence[float]]) -> float:
        return median(samples[0]) / max(median(samples[1]), 1e-9)

    pooled = [[v for part in side for v in part] for side in (old, new)]
    rounds = [median(o) / max(median(n), 1e-9) for o, n in zip(old, new, strict=False)]
    return widened(resampled_interval(pooled, figure), rounds)


def timed_sites(pairing: Pairing) -> list[PairedSite]:
    """The sites that say something about step time: paired, and run often enough on both sides."""
    return [s for s in pairing.sites if s.kind == "call" and min(len(s.before), len(s.after)) > _LEAST]


def side_total(rounds: Sequence[Pairing], before: bool) -> tuple[Interval | None, Interval | None]:
    """iteration_ms and call_ms of a side over all its timed sites together: the mean time a run, each site by its
    median.
    """
    shares = [_shares(p, before) for p in rounds]
    calls = [_calls(p, before) for p in rounds]
    return _weighted(shares), _weighted(calls)


def _weighted(rounds: Sequence[dict[str, list[float]]]) -> Interval | None:
    names = sorted({n for r in rounds for n, v in r.items() if v})
    samples = [[v for r in rounds for v in r.get(n, [])] for n in names]
    if not samples:
        return None
    counts = [len(s) for s in samples]
    whole = sum(counts)
    return resampled_interval(
        samples, lambda drawn: sum(c * median(d) for c, d in zip(counts, drawn, strict=True)) / whole
    )


def _calls(pairing: Pairing, before: bool) -> dict[str, list[float]]:
    found = {}
    for site in timed_sites(pairing):
        events = site.before if before else site.after
        found[site.key] = [1e3 * e.seconds for e in events][warm_up(len(events)) :]
    return found


def _shares(pairing: Pairing, before: bool, last_tenth: bool = False) -> dict[str, list[float]]:
    """For each timed site, the milliseconds from each of its runs to the next run of any timed site, warm-up left
    out.
    """
    sites = timed_sites(pairing)
    owner: dict[int, str] = {}
    events: list[Event] = []
    for site in sites:
        for event in site.before if before else site.after:
            owner[event.index] = site.key
            events.append(event)
    events.sort(key=lambda e: e.start)
    found: dict[str, list[float]] = {site.key: [] for site in sites}
    for event, following in pairwise(events):
        found[owner[event.index]].append(1e3 * (following.start - event.start))
    for key, values in found.items():
        found[key] = values[-max(5, len(values) // 10) :] if last_tenth else values[warm_up(len(values)) :]
    return found


def speedup(rounds: Sequence[Pairing]) -> Speedup:
    """The ratio of step times over all timed sites of interleaved rounds, and the words for it."""
    whole = _overall(rounds, last_tenth=False)
    last = _overall(rounds, last_tenth=True)
    return Speedup(whole, last, describe(whole, last))


def _overall(rounds: Sequence[Pairing], last_tenth: bool) -> Interval | None:
    old = [_shares(p, True, last_tenth) for p in rounds]
    new = [_shares(p, False, last_tenth) for p in rounds]
    names = sorted({n for r in old for n in r if any(r[n]) and any(any(m.get(n, [])) for m in new)})
    if not names:
        return None
    runs = [min(sum(len(r.get(n, [])) for r in old), sum(len(r.get(n, [])) for r in new)) for n in names]

    def ratio(samples: Sequence[Sequence[float]]) -> float:
        half = len(names)
        above = sum(c * median(s) for c, s in zip(runs, samples[:half], strict=True))
        below = sum(c * median(s) for c, s in zip(runs, samples[half:], strict=True))
        return above / max(below, 1e-9)

    def pooled(side: Sequence[dict[str, list[float]]]) -> list[list[float]]:
        return [[v for r in side for v in r.get(n, [])] for n in names]

    single = [
        ratio(pooled([o]) + pooled([n]))
        for o, n in zip(old, new, strict=True)
        if all(o.get(name) and n.get(name) for name in names)
    ]
    return widened(resampled_interval(pooled(old) + pooled(new), ratio), single)


def describe(ratio: Interval | None, last_tenth: Interval | None) -> str:
    """The ratio in words. Says "slower" plainly, and "no difference" wherever the interval spans 1."""
    if ratio is None:
        return "step time not compared: no run site was run often enough on both sides"
    if ratio.spans(1.0):
        text = f"no difference in step time ({ratio.low:.2f} to {ratio.high:.2f})"
    elif ratio.low > 1.0:
        text = f"{ratio.median:.2f} times faster a step ({ratio.low:.2f} to {ratio.high:.2f})"
    else:
        text = f"{1 / ratio.median:.2f} times slower a step ({1 / ratio.high:.2f} to {1 / ratio.low:.2f})"
    if last_tenth is not None and last_tenth.low > 1.5 * ratio.median:
        text += f"; {last_tenth.median:.1f} times faster over the last tenth"
    return text
