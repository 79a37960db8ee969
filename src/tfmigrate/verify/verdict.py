"""From comparisons to one word, with its reason and the first difference.

"Verified" has a minimum of evidence (docs/verification.md); short of it the verdict is "unverified: too little
evidence" with what is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tfmigrate.model import SiteKind
from tfmigrate.verify.compare import ValueResults
from tfmigrate.verify.pairing import PairedSite, Pairing
from tfmigrate.verify.results import Comparison, Tier, Tiers, Verdict
from tfmigrate.verify.trace import Trace
from tfmigrate.verify.variables import VariableResults

_MISSING = re.compile(
    r"No such file|FileNotFoundError|NotFoundError|NotADirectoryError|does not exist|not a gzip|Unable to open"
    r"|OFFLINE|URLError|HTTPError|ConnectionError|ConnectionRefused|Name or service|download"
    r"|ImportError|ModuleNotFoundError|No module named",
    re.IGNORECASE,
)
_NO_MODULE = re.compile(r"No module named '?([\w.]+)'?")


@dataclass(frozen=True)
class Ruling:
    """The verdict on a pair."""

    verdict: Verdict
    reason: str
    tiers: Tiers = field(default_factory=Tiers)
    first_difference: str = ""
    evidence: str = ""
    advice: tuple[str, ...] = ()


@dataclass(frozen=True)
class Evidence:
    """All that was found out by comparing one legacy run with one run of the converted program."""

    before: Trace
    after: Trace
    pairing: Pairing
    values: ValueResults
    variables: VariableResults
    rest: tuple[Comparison, ...]  # output, summaries, checkpoints, files
    notes: tuple[str, ...] = field(default=())

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """Everything compared, numeric tier first."""
        return (*self.values.comparisons, *self.variables.comparisons, *self.rest)


def last_line(stderr: str) -> str:
    """The line that tells why a program ended: the last one of a traceback, else the last one at all."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    errors = [line for line in lines if re.match(r"^[\w.]*(?:Error|Exception|Interrupt|Exit)\b", line)]
    found = (errors or lines or ["no message"])[-1]
    return found if len(found) <= 240 else found[:237] + "..."


def crashed(trace: Trace) -> bool:
    """Whether the program ended by an exception or a signal; an exit code of its own choice is no crash."""
    if trace.exit == 0:
        return False
    return (
        bool(trace.environment.get("problem"))
        or not 0 < trace.exit < 128
        or "Traceback (most recent call last)" in trace.stderr
    )


def rule_on_runs(before: Trace, after: Trace | None, command: str) -> Ruling | None:
    """A verdict that needs no comparison, because one side did not run to an end; None where both did."""
    if (cut := _cut_short(before)) is not None:
        return Ruling(
            Verdict.UNVERIFIED, f"the legacy program {cut}", advice=("raise --time-limit, or lower --max-steps",)
        )
    if crashed(before):
        line = last_line(before.stderr)
        if _MISSING.search(line) or _MISSING.search(before.stderr[-3000:]):
            return Ruling(
                Verdict.UNVERIFIED,
                f"the legacy program could not be run here, something it needs is missing: {line}",
                advice=(f"where the data is, run: {command}",),
            )
        return Ruling(Verdict.UNVERIFIED, f"the legacy program fails by itself: {line}", advice=(f"run: {command}",))
    if after is None:
        return None
    if (cut := _cut_short(after)) is not None:
        return Ruling(
            Verdict.UNVERIFIED,
            f"the converted program {cut}, the legacy one ended in {before.seconds:.0f} s",
            advice=("raise --time-limit",),
        )
    if crashed(after):
        line = last_line(after.stderr)
        module = _NO_MODULE.search(line)
        if (
            module
            and module.group(1).split(".")[0] not in ("tensorflow", "tensorflow_core", "keras")
            and "tensorflow" not in line
        ):
            name = module.group(1)
            return Ruling(
                Verdict.UNVERIFIED,
                f"the package {name} is missing where the converted program runs: {line}",
                advice=(f"install {name} beside the target TensorFlow, then run: {command}",),
            )
        where = f" after {len(after.events)} calls" if after.events else ""
        tiers = Tiers(interface=Tier.NONE, numeric=Tier.NONE, behaviour=Tier.FAIL)
        return Ruling(
            Verdict.DIFFERS,
            f"the converted program fails{where}, the legacy one does not: {line}",
            tiers,
            first_difference=line,
        )
    if before.exit != after.exit:
        return Ruling(
            Verdict.DIFFERS,
            f"exit code {before.exit} before, {after.exit} after",
            Tiers(behaviour=Tier.FAIL),
            first_difference=f"exit code {after.exit}",
        )
    return None


def _cut_short(trace: Trace) -> str | None:
    """What stopped a run from outside, in words. A stop at a run (step limit, time limit of steps) is no such thing."""
    reason = trace.reason or ""
    if reason.startswith(("time limit of", "memory limit of", "more than")) and reason != "time limit of steps":
        return f"was ended by the limit ({reason}) after {trace.seconds:.0f} s and {len(trace.events)} runs"
    if reason.startswith(("ended without", "killed by signal")):
        return f"{reason} after {trace.seconds:.0f} s: {last_line(trace.stderr)}"
    return None


def rule(evidence: Evidence) -> Ruling:
    """The verdict on two complete runs."""
    pairing = evidence.pairing
    problems = [*pairing.problems, *evidence.values.problems, *evidence.variables.problems]
    numeric = [c for c in evidence.comparisons if c.tier == "numeric"]
    behaviour = [c for c in evidence.comparisons if c.tier == "behaviour"]
    tiers = Tiers(
        Tier.FAIL if problems else Tier.PASS if pairing.paired or evidence.variables.matches else Tier.NONE,
        _tier(numeric),
        _tier(behaviour),
    )
    summary = describe_evidence(evidence)
    if Tier.FAIL in (tiers.interface, tiers.numeric, tiers.behaviour):
        first = first_difference(evidence)
        if problems:
            more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
            reason = f"interface: {problems[0]}{more}"
        else:
            tier = "numeric" if tiers.numeric is Tier.FAIL else "behaviour"
            reason = f"{tier}: {first}"
        return Ruling(Verdict.DIFFERS, reason, tiers, first or problems[0], summary)
    lacking = missing_evidence(evidence)
    if lacking:
        return Ruling(
            Verdict.UNVERIFIED, "too little evidence: " + "; ".join(lacking), tiers, "", summary, _advice(lacking)
        )
    return Ruling(Verdict.VERIFIED, summary, tiers, "", summary)


def _tier(comparisons: Sequence[Comparison]) -> Tier:
    if any(not c.ok for c in comparisons):
        return Tier.FAIL
    return Tier.PASS if any(c.n for c in comparisons) else Tier.NONE


def _advice(lacking: Iterable[str]) -> tuple[str, ...]:
    return ("raise --max-steps (and --time-limit)",) if any("run" in text for text in lacking) else ()


def first_difference(evidence: Evidence) -> str:
    """The earliest difference: of fetched values by the run in which it shows, then variables, then what is left
    behind.
    """
    sites = {s.key: s for s in evidence.pairing.sites}

    def position(comparison: Comparison) -> int:
        site = sites.get(comparison.site)
        if site is None or comparison.first_step is None or comparison.first_step > len(site.before):
            return 10**9
        return evidence.pairing.positions[site.before[comparison.first_step - 1].index]

    failed = [c for c in evidence.comparisons if not c.ok]
    if not failed:
        return ""
    first = min(failed, key=lambda c: (c.tier != "numeric", position(c)))  # min keeps the first of equals
    others = f" ({len(failed) - 1} other comparisons fail too)" if len(failed) > 1 else ""
    return describe_failure(first, sites.get(first.site)) + others


def describe_failure(comparison: Comparison, site: PairedSite | None) -> str:
    """One failing comparison in a sentence."""
    figures = f"off by {comparison.max_rel:.2g} relative where {comparison.rtol:.2g} is allowed"
    if comparison.max_rel > 1e6:  # relative to nothing
        figures = f"off by {comparison.max_abs:.2g}"
    if comparison.kind == "value" and site is not None:
        where = f"{comparison.name} of {site.name or 'the run'} at {site.key}"
        return f"{where} differs from run {comparison.first_step} on: {comparison.note or figures}"
    if comparison.kind in ("output", "file") and comparison.note:
        return f"{comparison.name}: {comparison.note}"
    words = f"{comparison.name} differs: "
    return words + (
        f"{figures} ({comparison.note})" if comparison.note and comparison.n else comparison.note or figures
    )


def missing_evidence(evidence: Evidence) -> list[str]:
    """What "verified" needs and is not there."""
    pairing = evidence.pairing
    calls = [s for s in pairing.sites if s.kind == SiteKind.CALL.value]
    reached = [s for s in calls if s.before]
    lacking: list[str] = []
    if calls and not reached:
        lacking.append(f"none of the {len(calls)} run sites was reached in this run")
    looped = [s for s in reached if s.in_loop]
    # A program that ended by itself ran its loops as often as it ever does; one that was cut must at least have gone
    # round.
    cut = bool(evidence.before.stopped_at) or evidence.before.reason is not None
    if cut and looped and max(len(s.before) for s in looped) < 2:
        lacking.append(f"no run site in a loop ran twice before the stop ({looped[0].key} ran once)")
    judged = {c.site for c in evidence.values.comparisons if c.n}
    for site in reached:
        if any(not v.summary for e in site.before for v in e.values) and site.key not in judged:
            lacking.append(f"no number of {site.name or 'the run'} at {site.key} could be judged")
    numeric = [s for s in looped if s.key in judged and len(s.before) >= 2]
    if numeric and all(evidence.values.steps.get(s.key, 0) < 2 for s in numeric):
        lacking.append("rounding alone drives the runs apart before the second run of any site in a loop")
    if not any(c.n for c in evidence.comparisons):
        lacking.append("the program prints nothing, returns no number and leaves nothing behind that could be compared")
    elif (
        reached
        and not any(c.n for c in evidence.comparisons if c.kind in ("value", "variable", "summary", "checkpoint"))
        and not _printed(evidence)
    ):
        lacking.append("the steps return nothing, change no variable and print nothing")
    return lacking


def _printed(evidence: Evidence) -> bool:
    return any(c.kind in ("output", "file") and c.n for c in evidence.rest)


def describe_evidence(evidence: Evidence) -> str:
    """What was compared, in numbers: "equal over …" is left to the caller's verdict."""
    values = evidence.values.comparisons
    reached = [s for s in evidence.pairing.sites if s.before]
    parts = []
    if values:
        numbers = sum(c.n for c in values)
        parts.append(
            f"{evidence.pairing.paired} runs of {len(reached)} {_plural('site', len(reached))} ({numbers:,} numbers)"
        )
    elif evidence.pairing.paired:
        parts.append(f"{evidence.pairing.paired} runs of {len(reached)} {_plural('site', len(reached))} without values")
    matched = [m for m in evidence.variables.matches if m.object_path and m.legacy_name]
    if matched:
        parts.append(f"{len(matched)} {_plural('variable', len(matched))}")
    for kind, word in (("summary", "summary tag"), ("checkpoint", "checkpoint"), ("file", "file")):
        count = sum(c.kind == kind for c in evidence.rest)
        if count:
            parts.append(f"{count} {_plural(word, count)}")
    lines = len([line for line in evidence.before.stdout.splitlines() if line.strip()])
    parts.append(f"{lines} printed {_plural('line', lines)}")
    missed = len(evidence.pairing.unreached)
    more = f"; not reached in this run: {missed} {_plural('site', missed)}" if missed else ""
    return "compared: " + ", ".join(parts) + more


def _plural(word: str, count: int) -> str:
    return word if count == 1 else word + "s"
