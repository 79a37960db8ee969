"""Findings with their source lines, and gathered by reason: what stands in the way, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tfmigrate.model import Finding, Severity
from tfmigrate.reasons import REASONS
from tfmigrate.report.anchors import Anchors
from tfmigrate.report.view import FindingView, ReasonGroup


def views(findings: Iterable[Finding], texts: Mapping[str, str], anchors: Anchors) -> tuple[FindingView, ...]:
    """The findings of files, in order of place. `texts`: the legacy text of each path."""
    lines: dict[str, Sequence[str]] = {}
    shown = []
    for finding in sorted(findings, key=lambda f: (f.place.path, f.place.line, f.place.column, f.code)):
        place, reason = finding.place, REASONS.get(finding.code)
        source = lines.setdefault(place.path, texts.get(place.path, "").splitlines())
        shown.append(
            FindingView(
                anchor=anchors.give("finding", finding.code, place.path, place.line, place.column),
                code=finding.code,
                severity=finding.severity.value,
                title=reason.title if reason else "",
                message=finding.message,
                path=place.path,
                line=place.line,
                column=place.column,
                source=source[place.line - 1].strip() if 1 <= place.line <= len(source) else "",
                reason_anchor=_anchor(finding.code, finding.severity is Severity.ERROR),
            )
        )
    return tuple(shown)


def _anchor(code: str, error: bool) -> str:
    """Where the reason stands: a code that is an error at one place and a warning at another stands in both lists."""
    return f"{'reason' if error else 'note'}-{code}"


def by_reason(findings: Sequence[FindingView], *, errors: bool) -> tuple[ReasonGroup, ...]:
    """The findings that are errors (or those that are not), by reason; what would free the most files comes first."""
    chosen: dict[str, list[FindingView]] = {}
    codes_of_file: dict[str, set[str]] = {}
    for finding in findings:
        if finding.severity == Severity.ERROR.value:
            codes_of_file.setdefault(finding.path, set()).add(finding.code)
        if (finding.severity == Severity.ERROR.value) is errors:
            chosen.setdefault(finding.code, []).append(finding)
    groups = [_group(code, found, codes_of_file) for code, found in chosen.items()]
    return tuple(sorted(groups, key=lambda g: (-g.frees, -g.files, g.code)))


def _group(code: str, found: Sequence[FindingView], codes_of_file: Mapping[str, set[str]]) -> ReasonGroup:
    reason = REASONS.get(code)
    paths = {f.path for f in found}
    return ReasonGroup(
        anchor=_anchor(code, found[0].severity == Severity.ERROR.value),
        code=code,
        title=reason.title if reason else found[0].message,
        severity=found[0].severity,
        sentence=reason.sentence if reason else "",
        example=reason.example.strip("\n") if reason else "",
        advice=reason.advice if reason else "",
        files=len(paths),
        frees=sum(codes_of_file.get(p) == {code} for p in paths),
        findings=tuple(found),
    )
