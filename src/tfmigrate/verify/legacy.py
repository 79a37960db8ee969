"""The legacy side of a verification: the judging run, the runs that give its noise floor, or a golden trace in their
place.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from pathlib import Path

from tfmigrate.errors import InputError
from tfmigrate.verify import golden as golden_file
from tfmigrate.verify import tf1env
from tfmigrate.verify.assemble import assemble, unverified
from tfmigrate.verify.judge import measure_floor
from tfmigrate.verify.launch import Settings, run_before
from tfmigrate.verify.pairing import alone
from tfmigrate.verify.perturbation import write_moved_start
from tfmigrate.verify.recorded import Recorded
from tfmigrate.verify.results import Oracle, ScriptReport
from tfmigrate.verify.runner import SEED
from tfmigrate.verify.tolerance import Floor
from tfmigrate.verify.trace import Trace
from tfmigrate.verify.verdict import Ruling, rule_on_runs

SEEDS = 4  # initial values that are tried until a training program learns something


@dataclass
class LegacyRuns:
    """What was run of the legacy program, and what it says about rounding."""

    before: Recorded
    name: str  # of the judging oracle
    floors: list[Floor] = field(default_factory=list)
    oracles: list[Oracle] = field(default_factory=list)
    others: list[Recorded] = field(default_factory=list)
    rival: tuple[str, Recorded] | None = None  # the other oracle's run, begun from the same values


def run_legacy(settings: Settings, folder: Path) -> LegacyRuns | ScriptReport:
    """The legacy program under the judging oracle, and again for the noise floor."""
    names = _oracles(settings)
    settings.progress(f"before ({names[0]}): recording")
    first = run_before(settings, folder / "before", names[0], record=True)
    for attempt in range(1, SEEDS):
        if not learns_nothing(first.trace):
            break
        settings.progress(
            f"before ({names[0]}): recording from other initial values, since from these nothing is learnt"
        )
        settings = replace(settings, seed=SEED + attempt)
        first = run_before(settings, folder / f"before-{attempt}", names[0], record=True)
    stopped = rule_on_runs(first.trace, None, settings.command)
    if stopped is not None and settings.oracle == "auto" and len(names) > 1 and _may_help(stopped):
        # The real 1.15 may lack a package that the target's environment has.
        settings.progress(f"before ({names[1]}): recording, since {names[0]} fails")
        second = run_before(settings, folder / "before-other", names[1], record=True)
        if rule_on_runs(second.trace, None, settings.command) is None:
            failed = Oracle(names[0], first.trace.runtime, False, note=stopped.reason)
            runs = LegacyRuns(second, names[1], oracles=[Oracle(names[1], second.trace.runtime, True), failed])
            _measure(settings, folder, runs, None)
            return runs
    if stopped is not None:
        oracles = (Oracle(names[0], first.trace.runtime, True, note=stopped.reason),)
        return assemble(settings.entry, stopped, first.trace, None, None, [], oracles, settings.command)
    runs = LegacyRuns(first, names[0], oracles=[Oracle(names[0], first.trace.runtime, True)])
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


def learns_nothing(trace: Trace) -> bool:
    """Whether steps assign to trainable variables and yet leave all of them as they began: units that are dead from the
    start, say. Such a run says nothing of rates and gradients.
    """
    weights = [v for v in trace.variables if v.trainable and not v.slot and v.dtype.startswith(("float", "bfloat"))]
    names = {v.name for v in weights}
    training = [e for e in trace.events if names & {effect.removeprefix("assign:") for effect in e.effects}]
    if not training or any("initializer" in e.effects and e.index > training[0].index for e in trace.events):
        return False  # begun anew: how the variables end says nothing of the steps before
    return all(v.initial is not None and v.final is not None and v.initial.digest == v.final.digest for v in weights)


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


def _measure(settings: Settings, folder: Path, runs: LegacyRuns, other: str | None) -> None:
    """Add noise floors: by the other oracle from the same start, else by moved initial values, else by a mere
    repetition.
    """
    positions = alone(runs.before.trace, settings.program.sites if settings.program is not None else None)
    if other is not None:
        settings.progress(f"before ({other}): noise floor")
        twin = run_before(
            settings, folder / "floor", other, record=True, initial=runs.before.folder, like=runs.before.trace
        )
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
            if floor.usable_until == math.inf:
                return
    settings.progress(f"before ({runs.name}): noise floor")
    start = folder / "moved"
    initial = start if write_moved_start(runs.before, start) else runs.before.folder
    twin = run_before(settings, folder / "again", runs.name, record=True, initial=initial, like=runs.before.trace)
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


def read_golden(settings: Settings, folder: Path) -> tuple[Settings, LegacyRuns | ScriptReport]:
    """A kept legacy run in place of a new one; what was kept with it (sites, arguments, steps) becomes the settings."""
    assert settings.golden is not None
    kept = golden_file.read(settings.golden, folder / "golden")
    settings = replace(
        settings, program=settings.program or kept.program, args=settings.args or kept.args, max_steps=kept.max_steps
    )
    changed = golden_file.changed_inputs(kept, settings.after_root)
    if changed:
        reason = f"inputs changed since the trace was recorded: {', '.join(changed[:5])}"
        return settings, unverified(settings.entry, reason, settings.command)
    runs = LegacyRuns(kept.recorded, "golden", oracles=[Oracle("golden", kept.recorded.trace.runtime, True)])
    if kept.twin is not None:
        positions = alone(kept.recorded.trace, settings.program.sites if settings.program is not None else None)
        floor = measure_floor(positions, kept.recorded, kept.twin, rounding=True)
        runs.floors.append(floor)
        runs.others.append(kept.twin)
        runs.oracles[0] = replace(runs.oracles[0], floor_first=floor.first, floor_max=floor.largest, note=floor.note)
    return settings, runs
