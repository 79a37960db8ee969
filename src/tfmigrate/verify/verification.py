"""Verify one pair of programs: run the legacy one, run it again for its noise floor, run the converted one, time both
in turn, judge.

This is the only module of the comparison that starts processes; what it learns is handed to `judge` and `timing`.
"""

from __future__ import annotations

import importlib.util
import os
import shlex
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tfmigrate.errors import InputError
from tfmigrate.model import Program, SiteKind, Status
from tfmigrate.verify import golden as golden_file
from tfmigrate.verify import runner, tf1env
from tfmigrate.verify.assemble import assemble, unverified
from tfmigrate.verify.judge import gather, measure_floor
from tfmigrate.verify.pairing import Pairing, alone, pair_again
from tfmigrate.verify.perturbation import write_moved_start
from tfmigrate.verify.recorded import Recorded, load_arrays
from tfmigrate.verify.results import Oracle, ScriptReport, Verdict
from tfmigrate.verify.tolerance import Floor
from tfmigrate.verify.trace import Trace
from tfmigrate.verify.verdict import Evidence, Ruling, rule, rule_on_runs

TIMING_STEPS = 300  # runs of a site in a timing run: growth must have room to show
TIMING_BUDGET = 20.0  # seconds of stepping in one timing run
ROUNDS = 2  # before, after, before, after

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Settings:
    """What to verify and within which limits; see `verify_pair`."""

    before_root: Path
    after_root: Path
    entry: str
    after_entry: str
    oracle: str
    time_limit: float
    max_steps: int
    args: tuple[str, ...]
    program: Program | None
    timing: bool
    rounds: int
    concurrent: bool
    record: Path | None
    golden: Path | None
    python: Path
    progress: Progress
    command: str


@dataclass
class _Runs:
    """What was run so far."""

    before: Recorded
    name: str  # of the judging oracle
    after: Recorded | None = None
    floors: list[Floor] = field(default_factory=list)
    oracles: list[Oracle] = field(default_factory=list)
    others: list[Recorded] = field(default_factory=list)
    rival: tuple[str, Recorded] | None = None  # the other oracle's run, begun from the same values


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
    concurrent: bool = False,
) -> ScriptReport:
    """Verify the script `entry` of the tree (or folder of the file) `before_root` against `after_entry` (the same
    name) of `after_root`.

    `oracle`: auto | tf1 | compat | both. `time_limit`: seconds for each child. `max_steps`: runs of a site before a
    clean stop. `conversion`: the program's sites and variables, None for a pair migrated by hand. `rounds`: timing
    runs of each side, in turn. `record`: a file that keeps the legacy run; `golden`: such a file, used in its place
    (`before_root` may be None then). `python`: the interpreter of the target TensorFlow, this one by default.
    `concurrent`: other scripts are verified at the same time.

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
        concurrent,
        record,
        golden,
        python or target_python(),
        progress or _silent,
        command_of(before_root, after_root, entry, oracle, time_limit, max_steps, args, golden),
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
    return replace(report, seconds=round(time.monotonic() - begun, 1), concurrent=concurrent)


def target_python() -> Path:
    """The interpreter of the target TensorFlow: TFMIGRATE_TF2_PYTHON, else this one."""
    return Path(os.environ.get("TFMIGRATE_TF2_PYTHON") or sys.executable)


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
    runs = _golden(settings, folder) if settings.golden is not None else _legacy(settings, folder)
    if isinstance(runs, ScriptReport):
        return runs
    settings.progress("after: recording")
    runs.after = _run_after(settings, folder / "after", runs.before.trace, record=True)
    stopped = rule_on_runs(runs.before.trace, runs.after.trace, settings.command)
    evidence: Evidence | None = None
    if stopped is None or runs.after.trace.events:
        evidence = _compare(settings, runs)
    ruling = stopped or _judge(settings, runs, evidence)
    timed = (
        []
        if stopped is not None or not settings.timing or settings.golden is not None
        else _time(settings, folder, runs)
    )
    return assemble(
        settings.entry,
        ruling,
        runs.before.trace,
        runs.after.trace,
        evidence,
        timed,
        tuple(runs.oracles),
        settings.command,
        settings.concurrent,
    )


def _legacy(settings: Settings, folder: Path) -> _Runs | ScriptReport:
    """The legacy program under the judging oracle, and again for the noise floor."""
    names = _oracles(settings)
    settings.progress(f"before ({names[0]}): recording")
    first = _run_before(settings, folder / "before", names[0], record=True)
    stopped = rule_on_runs(first.trace, None, settings.command)
    if stopped is not None and settings.oracle == "auto" and len(names) > 1 and _may_help(stopped):
        # The real 1.15 may lack a package that the target's environment has.
        settings.progress(f"before ({names[1]}): recording, since {names[0]} fails")
        second = _run_before(settings, folder / "before-other", names[1], record=True)
        if rule_on_runs(second.trace, None, settings.command) is None:
            failed = Oracle(names[0], first.trace.runtime, False, note=stopped.reason)
            runs = _Runs(second, names[1], oracles=[Oracle(names[1], second.trace.runtime, True), failed])
            _measure(settings, folder, runs, None)
            return runs
    if stopped is not None:
        oracles = (Oracle(names[0], first.trace.runtime, True, note=stopped.reason),)
        return assemble(
            settings.entry, stopped, first.trace, None, None, [], oracles, settings.command, settings.concurrent
        )
    runs = _Runs(first, names[0], oracles=[Oracle(names[0], first.trace.runtime, True)])
    _measure(settings, folder, runs, names[1] if len(names) > 1 else None)
    if settings.record is not None:
        twin = runs.others[0] if runs.others else None
        golden_file.write(
            settings.record,
            first,
            twin,
            entry=settings.entry,
            args=settings.args,
            max_steps=settings.max_steps,
            program=settings.program,
            root=settings.before_root,
        )
    return runs


def _may_help(ruling: Ruling) -> bool:
    return "missing" in ruling.reason


def _oracles(settings: Settings) -> list[str]:
    """The judging oracle first."""
    if settings.oracle in ("tf1", "compat"):
        names = [settings.oracle]
    else:
        names = ["tf1", "compat"] if tf1env.find() is not None else ["compat"]
        if settings.oracle == "both" and len(names) == 1:
            raise InputError("--before both: no TensorFlow 1.15 is installed; `tfmigrate tf1 install` sets one up")
    if names[0] == "tf1" and tf1env.find() is None:
        raise InputError("--before tf1: no TensorFlow 1.15 is installed; `tfmigrate tf1 install` sets one up")
    return names


def _measure(settings: Settings, folder: Path, runs: _Runs, other: str | None) -> None:
    """Add noise floors: by the other oracle from the same start, else by moved initial values, else by a mere
    repetition.
    """
    positions = alone(runs.before.trace, settings.program.sites if settings.program is not None else None)
    if other is not None:
        settings.progress(f"before ({other}): noise floor")
        twin = _run_before(settings, folder / "floor", other, record=True, initial=runs.before.folder)
        stopped = rule_on_runs(twin.trace, None, settings.command)
        floor = (
            Floor(note=stopped.reason)
            if stopped is not None
            else measure_floor(positions, runs.before, twin, rounding=True)
        )
        runs.oracles.append(Oracle(other, twin.trace.runtime, False, floor.first, floor.largest, floor.note))
        if floor.informative:
            runs.rival = (other, twin)
            runs.others.append(twin)
            runs.floors.append(floor)
            if floor.usable_until == float("inf"):
                return
    settings.progress(f"before ({runs.name}): noise floor")
    start = folder / "moved"
    initial = start if write_moved_start(runs.before, start) else runs.before.folder
    twin = _run_before(settings, folder / "again", runs.name, record=True, initial=initial)
    if rule_on_runs(twin.trace, None, settings.command) is not None:
        return
    floor = measure_floor(positions, runs.before, twin, rounding=initial == start and _start_moved(runs.before, twin))
    runs.others.insert(0, twin)
    runs.floors.append(floor)
    words = "initial values moved by one unit in the last place" if floor.informative else "repeated"
    judged = next(i for i, o in enumerate(runs.oracles) if o.judged)
    runs.oracles[judged] = replace(
        runs.oracles[judged],
        floor_first=floor.first,
        floor_max=floor.largest,
        note="; ".join(filter(None, (words, floor.note))),
    )


def _start_moved(reference: Recorded, other: Recorded) -> bool:
    """Whether the initial values were really put in: some are not equal to the bit."""
    twins = {v.name: v.initial for v in other.trace.variables}
    return any(
        v.initial is not None and (twin := twins.get(v.name)) is not None and twin.digest != v.initial.digest
        for v in reference.trace.variables
    )


def _golden(settings: Settings, folder: Path) -> _Runs | ScriptReport:
    assert settings.golden is not None
    kept = golden_file.read(settings.golden, folder / "golden")
    runs = _Runs(kept.recorded, "golden", oracles=[Oracle("golden", kept.recorded.trace.runtime, True)])
    changed = golden_file.changed_inputs(kept, settings.after_root)
    if changed:
        return unverified(
            settings.entry, f"inputs changed since the trace was recorded: {', '.join(changed[:5])}", settings.command
        )
    if kept.twin is not None:
        program = settings.program or kept.program
        positions = alone(kept.recorded.trace, program.sites if program is not None else None)
        runs.floors.append(measure_floor(positions, kept.recorded, kept.twin, rounding=True))
        runs.others.append(kept.twin)
    return runs


def _judge(settings: Settings, runs: _Runs, evidence: Evidence | None) -> Ruling:
    """The verdict by the judging oracle; where the two oracles themselves part suddenly, agreement with the other
    one from there on counts.
    """
    assert evidence is not None
    assert runs.after is not None
    ruling = rule(evidence)
    if (
        ruling.verdict is not Verdict.DIFFERS
        or runs.rival is None
        or not any(f.usable_until != float("inf") for f in runs.floors)
    ):
        return ruling
    name, rival = runs.rival
    second = gather(rival, runs.after, settings.program, runs.floors, [o.trace.stdout for o in runs.others])
    other = rule(second)
    parted = next(f for f in runs.floors if f.usable_until != float("inf"))
    early = [
        c for c in evidence.comparisons if not c.ok and _position(evidence, c.site, c.first_step) <= parted.usable_until
    ]
    if other.verdict is Verdict.VERIFIED and not early and not evidence.pairing.problems:
        text = f"{other.reason}; equal to {name} throughout, and to {runs.name} until {parted.note}"
        runs.oracles = [replace(o, judged=o.name == name) for o in runs.oracles]
        return replace(other, reason=text)
    return ruling


def _position(evidence: Evidence, site: str, step: int | None) -> float:
    """The paired run in which a comparison first differs; what is compared at the end lies at the end."""
    found = next((s for s in evidence.pairing.sites if s.key == site), None)
    if found is None or step is None or step > len(found.before):
        return float("inf")
    return evidence.pairing.positions[found.before[step - 1].index]


def _compare(settings: Settings, runs: _Runs) -> Evidence:
    assert runs.after is not None
    return gather(runs.before, runs.after, settings.program, runs.floors, [o.trace.stdout for o in runs.others])


def _time(settings: Settings, folder: Path, runs: _Runs) -> list[tuple[Trace, Trace, Pairing]]:
    """Timing runs in turn: before, after, before, after. A round that fails on either side is left out."""
    assert runs.after is not None
    sites = settings.program.sites if settings.program is not None else None
    reference = gather(runs.before, runs.after, settings.program).pairing
    found = []
    for number in range(1, settings.rounds + 1):
        settings.progress(f"timing {number} of {settings.rounds}")
        old = _run_before(settings, folder / f"time-before-{number}", runs.name, record=False)
        if rule_on_runs(old.trace, None, "") is not None:
            break
        new = _run_after(settings, folder / f"time-after-{number}", old.trace, record=False)
        if rule_on_runs(old.trace, new.trace, "") is not None and not new.trace.events:
            break
        found.append((old.trace, new.trace, pair_again(reference, old.trace, new.trace, sites)))
    return found


def _run_before(
    settings: Settings, workdir: Path, oracle: str, *, record: bool, initial: Path | None = None
) -> Recorded:
    tf1 = tf1env.find() if oracle == "tf1" else None
    counted, loops = _counted(settings.program)
    request = runner.RunRequest(
        root=settings.before_root,
        entry=settings.entry,
        side="before",
        oracle=oracle,
        python=tf1.python if tf1 is not None else settings.python,
        record=record,
        max_steps=settings.max_steps if record else max(settings.max_steps, TIMING_STEPS),
        time_limit=_limit(settings, record),
        args=settings.args,
        initial=initial,
        counted_sites=counted,
        loop_sites=loops,
        workdir=workdir,
    )
    return _recorded(request)


def _run_after(settings: Settings, workdir: Path, before: Trace, *, record: bool) -> Recorded:
    program = settings.program
    names = (
        tuple(sorted({s.name for s in program.sites if s.kind is SiteKind.CALL}))
        if program is not None and program.sites
        else None
    )
    folder = runner.folder_of(before) if record else None
    request = runner.RunRequest(
        root=settings.after_root,
        entry=settings.after_entry,
        side="after",
        oracle="tf2",
        python=settings.python,
        record=record,
        max_steps=settings.max_steps if record else max(settings.max_steps, TIMING_STEPS),
        stop_at=runner.stop_of(before),
        time_limit=settings.time_limit,
        args=settings.args,
        initial=folder,
        pairs=tuple((v.legacy_name, v.object_path) for v in program.variables) if program is not None else (),
        step_names=names,
        workdir=workdir,
    )
    return _recorded(request)


def _limit(settings: Settings, record: bool) -> float:
    """The child's time limit; the harness stops a program cleanly at a part of it, in timing runs at the budget."""
    return settings.time_limit if record else min(settings.time_limit, TIMING_BUDGET / runner.SOFT)


def _counted(program: Program | None) -> tuple[tuple[tuple[str, int], ...] | None, tuple[tuple[str, int], ...]]:
    if program is None or not program.sites:
        return None, ()
    calls = [s for s in program.sites if s.kind is SiteKind.CALL]
    places = tuple(sorted({(s.place.path, s.place.line) for s in calls}))
    return places, tuple(sorted({(s.place.path, s.place.line) for s in calls if s.in_loop}))


def _recorded(request: runner.RunRequest) -> Recorded:
    trace = runner.run(request)
    folder = runner.folder_of(trace)
    return Recorded(trace, load_arrays(folder / "values.npz") if request.record else {}, folder)
