"""From a conversion and the results of its verification to the view: everything the reports decide is decided here."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import tfmigrate
from tfmigrate.model import Conversion, FileResult, Program, RunSite, Status
from tfmigrate.report import badges, charts, figures, file_views, findings, program_card
from tfmigrate.report.anchors import Anchors
from tfmigrate.report.file_views import HunkNumbers, Versions
from tfmigrate.report.view import (
    Advice,
    Badge,
    FileView,
    FindingView,
    Hunk,
    OtherFile,
    OverviewRow,
    ProgramCard,
    Share,
    Signature,
    SourcePair,
    Span,
    Stat,
    View,
)
from tfmigrate.verify.results import Interval, ScriptReport, Verdict

SCALE_WIDTH = 120.0
_DECADES = (0.01, 0.1, 1, 10, 100, 1_000, 10_000)
_TICKS = (*_DECADES, 0.2, 0.5, 2, 5, 20, 50)
_TICK_ROOM = 24.0


@dataclass(frozen=True)
class _Subject:
    """A program with all that is known of it."""

    entry: str
    program: Program | None
    report: ScriptReport | None


def view(
    conversion: Conversion | None,
    reports: Sequence[ScriptReport],
    *,
    sources: Sequence[SourcePair] = (),
    title: str = "tfmigrate report",
    coloured: bool = True,
) -> View:
    """The view model. Without a conversion the programs are those of the reports.

    `sources` gives the texts of pairs that no conversion holds, or that were changed by hand after it.
    """
    anchors = Anchors()
    subjects = _subjects(conversion, reports)
    found = _findings(conversion, anchors)
    low, high = _scale(reports)
    rows, cards = [], []
    shown: dict[str, str] = {}
    for subject in subjects:
        anchor = anchors.give("program", subject.entry)
        status = badges.of_status(subject.program.status) if subject.program else None
        speedup = subject.report.speedup if subject.report else None
        rows.append(program_card.row(anchor, subject.entry, status, subject.report, _span(speedup, low, high)))
        files = _files(conversion, subject, sources, found, anchors, shown, anchor, coloured)
        own = tuple(f for f in found if subject.program and f.path in subject.program.files)
        cards.append(program_card.card(anchor, subject.entry, subject.program, subject.report, files, own, anchors))
    return View(
        title=title,
        tool=f"tfmigrate {tfmigrate.__version__}",
        lead=_lead(conversion, subjects),
        verdicts=_shares(badges.VERDICTS, [r.verdict.value for r in reports]),
        statuses=_shares(badges.STATUSES, [f.status.value for f in conversion.files] if conversion else []),
        speedup=_speed_stat(reports),
        scale=_scale_ticks(low, high),
        rows=_with_aligned_times(rows),
        programs=tuple(cards),
        refusals=findings.by_reason(found, errors=True),
        notes=findings.by_reason(found, errors=False),
        others=_others(conversion),
        signatures=_signatures(conversion),
        packages=tuple(sorted({p for s in conversion.programs for p in s.packages})) if conversion else (),
        support=tuple(s.path for s in conversion.support) if conversion else (),
        next_steps=_next_steps(subjects),
        placed=placed(cards),
    )


def _subjects(conversion: Conversion | None, reports: Sequence[ScriptReport]) -> list[_Subject]:
    """Programs by what needs attention: differences first, then what is not verified, then the rest by name."""
    left = {r.entry: r for r in reversed(reports)}
    subjects = [_Subject(p.entry, p, left.pop(p.entry, None)) for p in (conversion.programs if conversion else ())]
    subjects += [_Subject(r.entry, None, r) for r in left.values()]
    order = {Verdict.DIFFERS: 0, Verdict.UNVERIFIED: 1, Verdict.VERIFIED: 2}
    return sorted(subjects, key=lambda s: (order[s.report.verdict] if s.report else 3, s.entry))


def _findings(conversion: Conversion | None, anchors: Anchors) -> tuple[FindingView, ...]:
    if conversion is None:
        return ()
    texts = {f.path: f.as_read or "" for f in conversion.tree.files}
    return findings.views((finding for f in conversion.files for finding in f.findings), texts, anchors)


def _files(
    conversion: Conversion | None,
    subject: _Subject,
    sources: Sequence[SourcePair],
    found: Sequence[FindingView],
    anchors: Anchors,
    shown: dict[str, str],
    card: str,
    coloured: bool,
) -> tuple[FileView, ...]:
    """The program's files; the diff of a shared file stands in the first card only, and `shown` remembers where."""
    numbers, views = HunkNumbers(), []
    own = {pair.before_path: pair for pair in sources if pair.entry == subject.entry}
    results = {f.path: f for f in conversion.files} if conversion else {}
    sites = subject.program.sites if subject.program else ()
    for path in subject.program.files if subject.program else ():
        result = results.get(path)
        if result is None or conversion is None:
            continue
        status = badges.of_status(result.status)
        if path in shown:
            views.append(FileView(anchors.give("file", path), path, path, status, (), 0, 0, 0, shown_in=shown[path]))
            continue
        shown[path] = card
        here = [f for f in found if f.path == path]
        versions = _versions(conversion, result)
        if pair := own.pop(path, None):
            versions = Versions(pair.before_path, pair.after_path, pair.before, pair.after)
        views.append(_file(versions, status, here, sites, anchors, numbers, coloured))
    for pair in own.values():
        if pair.before_path not in shown:
            versions = Versions(pair.before_path, pair.after_path, pair.before, pair.after)
            views.append(_file(versions, None, (), (), anchors, numbers, coloured))
    return tuple(views)


def _file(
    versions: Versions,
    status: Badge | None,
    found: Sequence[FindingView],
    sites: Sequence[RunSite],
    anchors: Anchors,
    numbers: HunkNumbers,
    coloured: bool,
) -> FileView:
    here = [s for s in sites if s.place.path == versions.path]
    return file_views.view(versions, status, found, here, anchors, numbers, coloured=coloured)


def placed(cards: Iterable[ProgramCard]) -> frozenset[str]:
    """The anchors of the findings that stand in the diffs of these cards."""
    hunks = (part for c in cards for file in c.files for part in file.parts if isinstance(part, Hunk))
    return frozenset(f.anchor for h in hunks for note in h.notes for f in note.findings)


def _versions(conversion: Conversion, result: FileResult) -> Versions:
    source = conversion.tree.file(result.path)
    before = source.as_read if source and source.as_read is not None else ""
    return Versions(result.path, result.path, before, result.output)


def _scale(reports: Sequence[ScriptReport]) -> tuple[float, float]:
    bounds = [v for r in reports if r.speedup for v in (r.speedup.low, r.speedup.median, r.speedup.high)]
    usable = [v for v in bounds if figures.is_number(v) and v > 0]
    return min([0.5, *(v / 1.1 for v in usable)]), max([2.0, *(v * 1.1 for v in usable)])


def _scale_ticks(low: float, high: float) -> tuple[tuple[float, str], ...]:
    """1 and as many round ratios on either side of it as have room for their text."""
    ticks: list[tuple[float, str]] = []
    for ratio in sorted((t for t in _TICKS if low <= t <= high), key=lambda t: (t != 1, t not in _DECADES, t)):
        at = charts.log_position(ratio, low, high, SCALE_WIDTH)
        if all(abs(at - other) >= _TICK_ROOM for other, _ in ticks):
            ticks.append((at, f"{ratio:g}×"))
    return tuple(sorted(ticks))


def _span(speedup: Interval | None, low: float, high: float) -> Span | None:
    if speedup is None or not figures.is_number(speedup.median):
        return None

    def at(value: float) -> float:
        return charts.log_position(value if figures.is_number(value) else high, low, high, SCALE_WIDTH)

    return Span(at(speedup.low), at(speedup.median), at(speedup.high), at(1.0))


def _with_aligned_times(rows: Sequence[OverviewRow]) -> tuple[OverviewRow, ...]:
    before, after = figures.aligned([r.before_ms for r in rows]), figures.aligned([r.after_ms for r in rows])
    return tuple(replace(r, before_ms=b, after_ms=a) for r, b, a in zip(rows, before, after, strict=True))


def _shares(kinds: Sequence[Badge], values: Sequence[str]) -> tuple[Share, ...]:
    return tuple(Share(b, values.count(b.key)) for b in kinds if b.key in values)


def _lead(conversion: Conversion | None, subjects: Sequence[_Subject]) -> str:
    reports = [s.report for s in subjects if s.report]
    sentences = []
    if reports:
        counts = [(v, sum(r.verdict is v for r in reports)) for v in Verdict]
        parts = [f"{n:,} {_says(v, n)}" for v, n in counts if n]
        if len(parts) > 1:
            sentences.append(f"Of {figures.plural(len(reports), 'program')}, {', '.join(parts)}.")
        else:
            verdict = reports[0].verdict
            subject = f"All {len(reports):,} programs" if len(reports) > 1 else "The program"
            sentences.append(f"{subject} {_says(verdict, len(reports))}.")
    if conversion:
        total = conversion.totals()
        legacy = sum(total.values()) - total[Status.UNCHANGED.value]
        sentences.append(f"{total[Status.NATIVE.value]:,} of {figures.plural(legacy, 'TensorFlow 1 file')} converted.")
    return " ".join(sentences) or "Nothing was converted or verified."


def _says(verdict: Verdict, n: int) -> str:
    if verdict is Verdict.DIFFERS:
        return "differ" if n > 1 else "differs"
    return f"{'are' if n > 1 else 'is'} {verdict.value}"


def _speed_stat(reports: Sequence[ScriptReport]) -> Stat | None:
    measured = [r for r in reports if r.speedup and figures.is_number(r.speedup.median)]
    ratios = [r.speedup.median for r in measured if r.speedup]
    if not ratios:
        return None
    if len(ratios) == 1:
        tone = program_card.speed_words(measured[0])[1]
        says = {"bad": "; slower", "good": ""}.get(tone, "; no difference")
        remark = f"{figures.interval(measured[0].speedup)}{says}"
        return Stat("Speed-up", "", figures.ratio(ratios[0]), remark, tone)
    slower = sum(program_card.speed_words(r)[1] == "bad" for r in measured)
    remark = f"{figures.ratio(min(ratios))} to {figures.ratio(max(ratios))} over {len(ratios)} programs"
    remark += f"; {slower} slower" if slower else ""
    middle = statistics.median(ratios)
    return Stat("Median speed-up", "", figures.ratio(middle), remark, "bad" if middle < 1 and slower else "")


def _others(conversion: Conversion | None) -> tuple[OtherFile, ...]:
    if conversion is None:
        return ()
    inside = {path for p in conversion.programs for path in p.files}
    return tuple(OtherFile(f.path, badges.of_status(f.status)) for f in conversion.files if f.path not in inside)


def _signatures(conversion: Conversion | None) -> tuple[Signature, ...]:
    return tuple(Signature(str(s.place), s.before, s.after) for s in conversion.signatures) if conversion else ()


def _next_steps(subjects: Sequence[_Subject]) -> tuple[Advice, ...]:
    """Commands that would settle what is not settled, each once."""
    open_ends = [s.report for s in subjects if s.report and s.report.verdict is Verdict.UNVERIFIED]
    return tuple(program_card.advice(line) for line in dict.fromkeys(line for r in open_ends for line in r.advice))
