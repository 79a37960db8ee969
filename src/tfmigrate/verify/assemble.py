"""Put a verdict, the evidence and the step times together as one ScriptReport."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tfmigrate.verify.pairing import PairedSite, Pairing
from tfmigrate.verify.results import Growth, Interval, Oracle, ScriptReport, Side, SitePair, Verdict
from tfmigrate.verify.timing import Speedup, side_total, site_ratios, site_timing, speedup, timed_sites
from tfmigrate.verify.trace import Event, Trace
from tfmigrate.verify.verdict import Evidence, Ruling

Round = tuple[Trace, Trace, Pairing]

MOST_COMPARISONS = 400  # kept in a report: failing ones first, then in order


def unverified(entry: str, reason: str, command: str, advice: tuple[str, ...] = ()) -> ScriptReport:
    """A report on a pair that was never run."""
    return ScriptReport(entry, Verdict.UNVERIFIED, reason, command=command, advice=advice)


def assemble(
    entry: str,
    ruling: Ruling,
    before: Trace,
    after: Trace | None,
    evidence: Evidence | None,
    rounds: Sequence[Round],
    oracles: tuple[Oracle, ...],
    command: str,
) -> ScriptReport:
    """The whole report. `rounds` are the timing runs with their pairings, () where none were made."""
    pairings = [p for _, _, p in rounds]
    ratio = speedup(pairings) if pairings else Speedup(None, None, "step time was not measured")
    sites = _sites(evidence.pairing if evidence else None, pairings)
    comparisons = evidence.comparisons if evidence else ()
    if len(comparisons) > MOST_COMPARISONS:
        failing = [c for c in comparisons if not c.ok]
        comparisons = tuple((failing + [c for c in comparisons if c.ok])[:MOST_COMPARISONS])
    return ScriptReport(
        entry=entry,
        verdict=ruling.verdict,
        reason=ruling.reason,
        tiers=ruling.tiers,
        comparisons=comparisons,
        before=_side(before, [b for b, _, _ in rounds], pairings, True, evidence),
        after=_side(after, [a for _, a, _ in rounds], pairings, False, evidence) if after is not None else Side(),
        speedup=ratio.ratio,
        last_tenth=ratio.last_tenth,
        speedup_note=ratio.note,
        first_difference=ruling.first_difference,
        evidence=ruling.evidence,
        sites=sites,
        unreached=evidence.pairing.unreached if evidence else (),
        variables=evidence.variables.matches if evidence else (),
        series=evidence.values.series[:40] if evidence else (),
        oracles=oracles,
        advice=(*ruling.advice, *_advice(ratio, sites)),
        command=command,
    )


def _sites(reference: Pairing | None, pairings: Sequence[Pairing]) -> tuple[SitePair, ...]:
    if reference is None:
        return ()
    rows = []
    for site in reference.sites:
        old = [s.before for p in pairings if (s := _same(p, site)) is not None]
        new = [s.after for p in pairings if (s := _same(p, site)) is not None]
        row = SitePair(site.key, site.name, site.kind, site.in_loop, site.after_site, site.runs_before, site.runs_after)
        if any(old) and any(new):
            whole, tenth = site_ratios(old, new)
            row = replace(row, before=site_timing(old), after=site_timing(new), speedup=whole, last_tenth=tenth)
        rows.append(row)
    return tuple(rows)


def _same(pairing: Pairing, site: PairedSite) -> PairedSite | None:
    return next((s for s in pairing.sites if s.key == site.key), None)


def _side(
    trace: Trace, timed: Sequence[Trace], pairings: Sequence[Pairing], before: bool, evidence: Evidence | None
) -> Side:
    iteration, call = side_total(pairings, before) if pairings else (None, None)
    last = trace.events[-1] if trace.events else None
    return Side(
        runtime=trace.runtime,
        exit=trace.exit,
        steps=evidence.pairing.paired if evidence else 0,
        iteration_ms=iteration,
        call_ms=call,
        growth=_growth(pairings, before),
        traces=last.traces if last else 0,
        variables=last.variables if last else len(trace.variables),
        python=trace.python,
        reason=trace.reason,
        seconds=round(trace.seconds, 3),
        peak_bytes=max([t.peak_bytes for t in timed], default=trace.peak_bytes),
        first_ms=_first(pairings, before),
    )


def _first(pairings: Sequence[Pairing], before: bool) -> float | None:
    """The first call of the program's first timed site, in milliseconds: tracing and set-up are in it."""
    events: list[Event] = [
        e for s in (timed_sites(pairings[0]) if pairings else []) for e in (s.before if before else s.after)[:1]
    ]
    return 1e3 * min(events, key=lambda e: e.start).seconds if events else None


def _growth(pairings: Sequence[Pairing], before: bool) -> Growth | None:
    """The growth at the site that runs most often: the program's step."""
    if not pairings:
        return None
    sites = timed_sites(pairings[0])
    if not sites:
        return None
    step = max(sites, key=lambda s: len(s.before))
    rounds = [s.before if before else s.after for p in pairings if (s := _same(p, step)) is not None]
    return site_timing(rounds).growth


def _advice(ratio: Speedup, sites: Sequence[SitePair]) -> tuple[str, ...]:
    """What would help a program that got slower."""
    interval: Interval | None = ratio.ratio
    if interval is None or interval.high >= 1.0:
        return ()
    advice = []
    small = [s for s in sites if s.after is not None and s.after.call_ms is not None and s.after.call_ms.median < 1.0]
    if small:
        advice.append(
            "slower: each call takes less than a millisecond, so calling is most of it; "
            "run several steps in one tf.function (a loop inside it), or larger batches"
        )
    retraced = [s for s in sites if s.after is not None and s.after.growth is not None and s.after.growth.ops_low > 0]
    if retraced:
        advice.append(
            f"slower: {retraced[0].name} is traced anew while it runs; give it tensors instead of Python numbers"
        )
    if not advice:
        advice.append("slower: look at the run sites' call_ms; profile the step with tf.profiler.experimental.start")
    return tuple(advice)
