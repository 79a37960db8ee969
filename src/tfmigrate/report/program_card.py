"""The card of one program: verdict, evidence and figures of its verification, and the diffs of its files."""

from __future__ import annotations

import re

from tfmigrate.model import Program
from tfmigrate.report import badges, figure_views, figures
from tfmigrate.report.anchors import Anchors
from tfmigrate.report.view import (
    Advice,
    Badge,
    ComparisonRow,
    FileView,
    FindingView,
    OracleRow,
    OverviewRow,
    ProgramCard,
    RunRow,
    SiteRow,
    Span,
    Stat,
    VariableRow,
)
from tfmigrate.verify.results import Comparison, Growth, Oracle, ScriptReport, Side, SitePair, Verdict

_PROGRAMS = ("tfmigrate", "python", "python3", "python3.7", "pip", "cd", "export", "mkdir", "cp", "ln")
SIDES = (("before", "Before"), ("after", "After"))


def card(
    anchor: str,
    entry: str,
    program: Program | None,
    report: ScriptReport | None,
    files: tuple[FileView, ...],
    findings: tuple[FindingView, ...],
    anchors: Anchors,
) -> ProgramCard:
    """The card; without a report it says what became of the files and no more."""
    r = report or ScriptReport(entry, Verdict.UNVERIFIED, "")
    return ProgramCard(
        anchor=anchor,
        entry=entry,
        status=badges.of_status(program.status) if program else None,
        verdict=badges.of_verdict(r.verdict) if report else None,
        reason=r.reason,
        first_difference=r.first_difference,
        evidence="" if r.evidence and r.evidence in r.reason else r.evidence,
        tiers=_tiers(r) if report else (),
        stats=_stats(r) if report else (),
        figures=figure_views.of(r, anchors),
        comparisons=tuple(_comparison(c, entry) for c in sorted(r.comparisons, key=lambda c: c.ok)),
        sites=tuple(_site(s, entry) for s in r.sites if s.before or s.after),
        runs=tuple(_run(key, side, getattr(r, key)) for key, side in SIDES) if report else (),
        oracles=tuple(_oracle(o) for o in r.oracles),
        variables=tuple(VariableRow(v.legacy_name, v.object_path, v.how, v.ok, v.note) for v in r.variables),
        unreached=r.unreached,
        advice=tuple(advice(line) for line in r.advice),
        command=r.command,
        took=figures.seconds(r.seconds) if r.seconds else "",
        packages=program.packages if program else (),
        files=files,
        findings=findings,
    )


def row(anchor: str, entry: str, status: Badge | None, report: ScriptReport | None, span: Span | None) -> OverviewRow:
    """The program's row of the overview; times are aligned later, over the whole column."""
    r = report
    compared = f"{sum(c.ok for c in r.comparisons)} of {len(r.comparisons)}" if r and r.comparisons else figures.MISSING
    return OverviewRow(
        anchor=anchor,
        entry=entry,
        status=status,
        verdict=badges.of_verdict(r.verdict) if r else None,
        speedup=figures.ratio(r.speedup.median) if r and r.speedup else figures.MISSING,
        timed=r is not None and (r.before.iteration_ms is not None or bool(r.comparisons)),
        slower=r is not None and speed_words(r)[1] == "bad",
        span=span,
        before_ms=_median_ms(r.before) if r else figures.MISSING,
        after_ms=_median_ms(r.after) if r else figures.MISSING,
        growth_before=figures.growth(r.before.growth) if r else figures.MISSING,
        growth_after=figures.growth(r.after.growth) if r else figures.MISSING,
        compared=compared,
    )


def advice(line: str) -> Advice:
    """A line of advice; it is a command where its first word is a program or an assignment to the environment."""
    first = line.split(maxsplit=1)[0] if line.strip() else ""
    return Advice(line, first in _PROGRAMS or bool(re.match(r"[A-Z_][A-Z0-9_]*=", first)))


def speed_words(report: ScriptReport) -> tuple[str, str]:
    """What may be said of the speed in words, and its tone: "good", "bad" or ""."""
    s = report.speedup
    if s is None or not figures.is_number(s.median):
        return report.speedup_note, ""
    if s.spans(1.0):
        return report.speedup_note or "no difference", ""
    if s.median < 1:
        slower = figures.significant(1 / s.median) if s.median > 0 else "∞"
        return report.speedup_note or f"{slower} times slower", "bad"
    return report.speedup_note or f"{figures.significant(s.median)} times faster", "good"


def _median_ms(side: Side) -> str:
    median = side.iteration_ms.median if side.iteration_ms else None
    return figures.significant(median) if figures.is_number(median) else figures.MISSING


def _tiers(report: ScriptReport) -> tuple[tuple[str, Badge], ...]:
    return tuple((name, badges.of_tier(getattr(report.tiers, name))) for name in badges.TIER_NAMES)


def _stats(r: ScriptReport) -> tuple[Stat, ...]:
    """The headline figures that were measured."""
    shown = []
    words, tone = speed_words(r)
    if r.speedup is not None and figures.is_number(r.speedup.median):
        tail = f"; last tenth {figures.ratio(r.last_tenth.median)}" if r.last_tenth else ""
        remark = f"{figures.interval(r.speedup)}{tail}" + ("" if tone == "good" else f"; {words}")
        shown.append(Stat("Speed-up", "", figures.ratio(r.speedup.median), remark, tone))
    if r.before.iteration_ms or r.after.iteration_ms:
        before, after = (s.iteration_ms and figures.milliseconds(s.iteration_ms.median) for s in (r.before, r.after))
        remark = f"median{_call_remark(r)}"
        shown.append(Stat("Step time", before or figures.MISSING, after or figures.MISSING, remark))
    if r.before.growth or r.after.growth:
        remark = _ops_remark(r.before.growth, r.after.growth)
        slopes = [figures.growth(g) for g in (r.before.growth, r.after.growth)]
        same = slopes[0] == slopes[1]
        shown.append(Stat("Growth a step", "" if same else slopes[0], slopes[1], remark))
    shown += _memory(r)
    if r.comparisons:
        ok = sum(c.ok for c in r.comparisons)
        worst = max((c.max_rel for c in r.comparisons if figures.is_number(c.max_rel)), default=0.0)
        remark = f"within tolerance; at most {figures.difference(worst)} relative"
        value = f"{ok} of {len(r.comparisons)}"
        shown.append(Stat("Comparisons", "", value, remark, "" if ok == len(r.comparisons) else "bad"))
    if words and r.speedup is None:
        shown.append(Stat("Speed", "", figures.MISSING, words))
    return tuple(shown)


def _call_remark(r: ScriptReport) -> str:
    before, after = r.before.call_ms, r.after.call_ms
    if before is None or after is None:
        return ""
    return f"; in the call {figures.milliseconds(before.median)} → {figures.milliseconds(after.median)}"


def _ops_remark(before: Growth | None, after: Growth | None) -> str:
    if before is None or not figures.is_number(before.ops_per_step):
        return "of the step time"
    if before.ops_per_step <= 0:
        return "of the step time; the graph stays as it is"
    text = f"graph: +{figures.significant(before.ops_per_step)}"
    if after is not None and figures.is_number(after.ops_per_step):
        text += f" → +{figures.significant(max(0.0, after.ops_per_step))}"
    return f"{text} operations"


def _memory(r: ScriptReport) -> tuple[Stat, ...]:
    before, after = r.before.peak_bytes, r.after.peak_bytes
    if before <= 0 or after <= 0:
        return ()
    change = 100 * (after - before) / before
    remark = "of the process; no change" if abs(change) < 1 else f"of the process; {change:+.0f} %".replace("-", "−")
    most = max(before, after)
    bars = (before / most, after / most)
    return (Stat("Peak memory", figures.size(before), figures.size(after), remark, bars=bars),)


def _comparison(c: Comparison, entry: str) -> ComparisonRow:
    exact = c.rtol == 0 and c.atol == 0
    return ComparisonRow(
        name=c.name,
        site=figures.site(c.site, entry),
        kind=c.kind,
        tier=c.tier,
        n=figures.count(c.n),
        first_step=str(c.first_step) if c.first_step is not None else "",
        max_abs=figures.difference(c.max_abs),
        max_rel=figures.difference(c.max_rel),
        tolerance="exact" if exact else f"{figures.difference(c.rtol)} rel, {figures.difference(c.atol)} abs",
        floor=figures.difference(c.floor) if c.floor else figures.MISSING,
        ok=c.ok,
        note=c.note,
    )


def _site(s: SitePair, entry: str) -> SiteRow:
    def time(side: str, which: str) -> str:
        timing = getattr(s, side)
        value = getattr(timing, which) if timing else None
        return figures.milliseconds(value.median) if value else figures.MISSING

    return SiteRow(
        site=figures.site(s.site, entry),
        name=s.name,
        after_site=figures.site(s.after_site, entry),
        runs=figures.count(s.runs_before)
        if s.runs_before == s.runs_after
        else f"{figures.count(s.runs_before)} / {figures.count(s.runs_after)}",
        before=time("before", "iteration_ms"),
        after=time("after", "iteration_ms"),
        call_before=time("before", "call_ms"),
        call_after=time("after", "call_ms"),
        growth_before=figures.growth(s.before.growth if s.before else None),
        growth_after=figures.growth(s.after.growth if s.after else None),
        speedup=figures.ratio(s.speedup.median) if s.speedup else figures.MISSING,
        range=figures.interval(s.speedup) if s.speedup else "",
    )


def _run(key: str, label: str, side: Side) -> RunRow:
    return RunRow(
        key=key,
        side=label,
        runtime=side.runtime or figures.MISSING,
        python=side.python or figures.MISSING,
        exit=figures.MISSING if side.exit is None else str(side.exit),
        took=figures.seconds(side.seconds) if side.seconds else figures.MISSING,
        first=figures.milliseconds(side.first_ms),
        traces=str(side.traces) if key == "after" and side.exit is not None else figures.MISSING,
        variables=str(side.variables) if side.exit is not None else figures.MISSING,
        command=side.command,
        reason=side.reason or "",
    )


def _oracle(o: Oracle) -> OracleRow:
    floor = figures.MISSING
    if o.floor_first is not None or o.floor_max is not None:
        floor = f"{figures.difference(o.floor_first)} first step, {figures.difference(o.floor_max)} overall"
    return OracleRow(o.name, o.runtime.removeprefix(o.name).strip(), o.judged, floor, o.note)
