"""Verify one pair of programs.

Runs the legacy one, runs it again for its noise floor, runs the converted one, times both in turn, and judges.
"""

from __future__ import annotations

import importlib.util
import math
import shlex
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tfmigrate.errors import InputError
from tfmigrate.model import Program, Status
from tfmigrate.verify.assemble import assemble, unverified
from tfmigrate.verify.judge import gather
from tfmigrate.verify.launch import Progress, Settings, run_after, run_before, target_python
from tfmigrate.verify.legacy import LegacyRuns, read_golden, run_legacy
from tfmigrate.verify.modernized import modernizer
from tfmigrate.verify.output import printed
from tfmigrate.verify.pairing import Pairing, pair_again
from tfmigrate.verify.recorded import Recorded
from tfmigrate.verify.results import ScriptReport, Verdict
from tfmigrate.verify.timing import speedup
from tfmigrate.verify.trace import Trace
from tfmigrate.verify.turns import Turns
from tfmigrate.verify.verdict import Evidence, Ruling, rule, rule_on_runs

__all__ = ["target_python", "verify_pair"]

ROUNDS = 2  # before, after, before, after
CLEAR = 1.5  # a ratio of step times beyond this (or its inverse) is no accident of one round


def verify_pair(
    before_root: Path | None,
    after_root: Path,
    entry: str,
    *,
    oracle: str = "auto",
    time_limit: float = 300.0,
    max_steps: int = 50,
    args: Sequence[str] = (),
    conversion: Program | None = None,
    timing: bool = True,
    rounds: int = ROUNDS,
    progress: Progress | None = None,
    after_entry: str | None = None,
    record: Path | None = None,
    golden: Path | None = None,
    python: Path | None = None,
    turns: Turns | None = None,
) -> ScriptReport:
    """Verify the script `entry` of the tree (or folder of the file) `before_root` against `after_entry` (the same
    name) of `after_root`.

    `oracle`: auto | tf1 | compat | both. `time_limit`: seconds for each child. `max_steps`: runs of a site before a
    clean stop. `conversion`: the program's sites and variables, None for a pair migrated by hand. `rounds`: timing
    runs of each side, in turn, at most. `record`: a file that keeps the legacy run; `golden`: such a file, used in its
    place (`before_root` may be None then). `python`: the interpreter of the target TensorFlow, this one by default.
    `turns`: shared with other verifications that go side by side.

    Raises InputError for what is not there; whatever happens to the programs ends in a verdict.
    """
    if oracle not in ("auto", "tf1", "compat", "both"):
        raise InputError(f"--before {oracle}: must be auto, tf1, compat or both")
    settings = Settings(
        before_root if before_root is not None else after_root,
        after_root,
        entry,
        after_entry or entry,
        oracle,
        time_limit,
        max_steps,
        tuple(args),
        conversion,
        timing,
        rounds,
        turns or Turns(),
        record,
        golden,
        python or target_python(),
        progress or _silent,
        command_of(before_root, after_root, entry, oracle, time_limit, max_steps, args, golden),
        modernizer(before_root if before_root is not None else after_root),
    )
    begun = time.monotonic()
    if conversion is not None and conversion.status is not Status.NATIVE:
        return unverified(
            entry,
            f"the program was not converted ({conversion.status.value}), so there is nothing to compare",
            settings.command,
        )
    with tempfile.TemporaryDirectory(prefix="tfmigrate-verify-") as folder:
        report = _verify(settings, Path(folder))
    return replace(report, seconds=round(time.monotonic() - begun, 1))


def command_of(
    before: Path | None,
    after: Path,
    entry: str,
    oracle: str,
    time_limit: float,
    max_steps: int,
    args: Sequence[str],
    golden: Path | None,
) -> str:
    """The command that repeats this verification."""
    parts = ["tfmigrate", "verify", *([str(before)] if before is not None else []), str(after), "--entry", entry]
    if golden is not None:
        parts += ["--golden", str(golden)]
    elif oracle != "auto":
        parts += ["--before", oracle]
    parts += ["--time-limit", f"{time_limit:g}"] if time_limit != 300.0 else []
    parts += ["--max-steps", str(max_steps)] if max_steps != 50 else []
    parts += ["--", *args] if args else []
    return shlex.join(parts)


def _silent(text: str) -> None:
    """No progress is wanted."""


def _verify(settings: Settings, folder: Path) -> ScriptReport:
    if settings.python == Path(sys.executable) and importlib.util.find_spec("tensorflow") is None:
        return unverified(
            settings.entry,
            "TensorFlow is not installed here",
            settings.command,
            ("pip install 'tfmigrate[verify]', or set TFMIGRATE_TF2_PYTHON",),
        )
    if settings.golden is not None:
        settings, found = read_golden(settings, folder)
    else:
        found = run_legacy(settings, folder)
    if isinstance(found, ScriptReport):
        return found
    runs = found
    settings = replace(settings, seed=runs.before.trace.environment.get("seed", settings.seed))
    settings.progress("after: recording")
    after = run_after(settings, folder / "after", runs.before.trace, record=True)
    evidence = _compare(settings, runs, runs.before, after)
    stopped = rule_on_runs(runs.before.trace, after.trace, settings.command)
    if stopped is not None:
        return _report(settings, runs, stopped, after.trace, evidence if after.trace.events else None, [])
    ruling, evidence = _judge(settings, runs, after, evidence)
    timed = _time(settings, folder, runs, evidence.pairing) if settings.timing and settings.golden is None else []
    return _report(settings, runs, ruling, after.trace, evidence, timed)


def _report(
    settings: Settings,
    runs: LegacyRuns,
    ruling: Ruling,
    after: Trace,
    evidence: Evidence | None,
    timed: Sequence[tuple[Trace, Trace, Pairing]],
) -> ScriptReport:
    before = evidence.before if evidence is not None else runs.before.trace
    oracles = tuple(runs.oracles)
    return assemble(settings.entry, ruling, before, after, evidence, timed, oracles, settings.command)


def _compare(settings: Settings, runs: LegacyRuns, before: Recorded, after: Recorded) -> Evidence:
    return gather(before, after, settings.program, runs.floors, [printed(o.trace) for o in runs.others])


def _judge(settings: Settings, runs: LegacyRuns, after: Recorded, evidence: Evidence) -> tuple[Ruling, Evidence]:
    """The verdict by the judging oracle; where both were asked for, by the other too.

    Where the two oracles themselves part suddenly (a near tie decided otherwise, say), no converted program can follow
    both: one that follows the other oracle throughout, and the judging one until they part, is equal.
    """
    ruling = rule(evidence)
    if runs.rival is None:
        return ruling, evidence
    name, rival = runs.rival
    parted = next((f for f in runs.floors if f.usable_until != math.inf), None)
    if ruling.verdict is Verdict.DIFFERS:
        failed = [c for c in evidence.comparisons if not c.ok]
        if (
            parted is None
            or evidence.pairing.problems
            or any(_position(evidence, c.site, c.first_step) <= parted.usable_until for c in failed)
        ):
            return ruling, evidence
        second = _compare(settings, runs, rival, after)
        other = rule(second)
        if other.verdict is not Verdict.VERIFIED:
            return ruling, evidence
        runs.oracles = [replace(o, judged=o.name == name) for o in runs.oracles]
        reason = f"{other.reason}; by {name}, which the judging {runs.name} leaves: {parted.note}"
        return replace(other, reason=reason), second
    if settings.oracle != "both" or ruling.verdict is not Verdict.VERIFIED:
        return ruling, evidence
    second = _compare(settings, runs, rival, after)
    other = rule(second)
    failed = [c for c in second.comparisons if not c.ok]
    after_parting = parted is not None and all(
        _position(second, c.site, c.first_step) > parted.usable_until for c in failed
    )
    if other.verdict is Verdict.DIFFERS and not (after_parting and not second.pairing.problems):
        return replace(other, reason=f"by {name}: {other.reason} (equal by {runs.name})"), second
    runs.oracles = [replace(o, judged=True) if o.name == name else o for o in runs.oracles]
    return replace(ruling, reason=f"{ruling.reason}; equal by {runs.name} and by {name}"), evidence


def _position(evidence: Evidence, site: str, step: int | None) -> float:
    """The paired run in which a comparison first differs; what is compared at the end lies at the end."""
    found = next((s for s in evidence.pairing.sites if s.key == site), None)
    if found is None or step is None or step > len(found.before):
        return float("inf")
    return evidence.pairing.positions[found.before[step - 1].index]


def _time(settings: Settings, folder: Path, runs: LegacyRuns, reference: Pairing) -> list[tuple[Trace, Trace, Pairing]]:
    """Timing runs in turn: before, after, before, after. A round that fails on either side is the last, and left
    out; another is made only where the first one says that a side is a little faster.
    """
    sites = settings.program.sites if settings.program is not None else None
    found: list[tuple[Trace, Trace, Pairing]] = []
    with settings.turns.timing():
        for number in range(1, settings.rounds + 1):
            settings.progress(f"timing {number} of {settings.rounds}")
            old = run_before(settings, folder / f"time-before-{number}", runs.name, record=False).trace
            if rule_on_runs(old, None, "") is not None:
                break
            new = run_after(settings, folder / f"time-after-{number}", old, record=False).trace
            if rule_on_runs(old, new, "") is not None and not new.events:
                break
            found.append((old, new, pair_again(reference, old, new, sites)))
            ratio = speedup([pairing for _, _, pairing in found]).ratio
            if ratio is None or ratio.spans(1.0) or not 1 / CLEAR < ratio.median < CLEAR:
                break
    return found
