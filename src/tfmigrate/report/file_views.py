"""The files of a program as side-by-side diffs, with the reason at each changed region and the findings by line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tfmigrate.model import RunSite, SiteKind
from tfmigrate.report import diff, explanations, highlight
from tfmigrate.report.anchors import Anchors
from tfmigrate.report.diff import Gap, Region
from tfmigrate.report.explanations import Explanation
from tfmigrate.report.view import Badge, FileView, FindingView, Hunk, Note


@dataclass
class HunkNumbers:
    """Counts the changed regions of one program over its files."""

    given: int = field(default=0)

    def next(self) -> int:
        """The next number, from 1."""
        self.given += 1
        return self.given


@dataclass(frozen=True)
class Versions:
    """A file's two versions. `after` is None where the file is copied as it is."""

    path: str
    new_path: str
    before: str
    after: str | None


def view(
    versions: Versions,
    status: Badge | None,
    findings: Sequence[FindingView],
    sites: Sequence[RunSite],
    anchors: Anchors,
    numbers: HunkNumbers,
    *,
    coloured: bool,
) -> FileView:
    """The file with its diff; a file without a new text has no diff, only findings."""
    anchor = anchors.give("file", versions.path)
    if versions.after is None:
        return FileView(anchor, versions.path, versions.path, status, (), 0, 0, 0)
    result = diff.compare(versions.before, versions.after, marked=[f.line for f in findings], coloured=coloured)
    elsewhere = frozenset(line.strip() for line in versions.after.splitlines())
    total = len(highlight.lines(versions.before, coloured=False))
    left = list(findings)
    parts: list[Hunk | Gap] = []
    for index, part in enumerate(result.parts):
        if isinstance(part, Gap):
            parts.append(part)
            continue
        last = index == len(result.parts) - 1
        here = [f for f in left if last or part.first <= min(max(f.line, 1), total) <= part.last]
        left = [f for f in left if f not in here]
        parts.append(_hunk(part, here, sites, elsewhere, anchors, numbers))
    return FileView(
        anchor, versions.path, versions.new_path, status, tuple(parts), result.removed, result.added, result.changes
    )


def _hunk(
    region: Region,
    findings: Sequence[FindingView],
    sites: Sequence[RunSite],
    elsewhere: frozenset[str],
    anchors: Anchors,
    numbers: HunkNumbers,
) -> Hunk:
    here = [s for s in sites if region.first <= s.place.line <= region.last]
    notes = _notes(region, findings, here if region.changed else ())
    if not region.changed:
        return Hunk("", 0, region, (), notes)
    old = [highlight.text_of(r.before) for r in region.rows if r.old and not r.same]
    new = [highlight.text_of(r.after) for r in region.rows if r.new and not r.same]
    idioms = explanations.of_region(old, new, elsewhere)
    if any(s.kind in (SiteKind.INITIALIZER, SiteKind.REINITIALIZER) for s in here):
        idioms = tuple(e for e in idioms if e.head != "Initializer")  # the run site's own note says it
    return Hunk(anchors.give("change"), numbers.next(), region, idioms, notes)


def _notes(region: Region, findings: Sequence[FindingView], sites: Sequence[RunSite]) -> tuple[Note, ...]:
    """What is to be said, line by line; a line that has no row of its own counts as the region's nearest one."""
    rows = sorted({r.old for r in region.rows if r.old}) or [0]

    def row_of(line: int) -> int:
        return max((r for r in rows if r <= line), default=rows[0])

    said: dict[int, tuple[list[Explanation], list[FindingView]]] = {}
    for site in sites:
        reasons = said.setdefault(row_of(site.place.line), ([], []))[0]
        if (reason := explanations.of_site(site)) not in reasons:
            reasons.append(reason)
    for finding in findings:
        said.setdefault(row_of(finding.line), ([], []))[1].append(finding)
    return tuple(Note(line, tuple(r), tuple(f)) for line, (r, f) in sorted(said.items()))
