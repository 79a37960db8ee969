"""The runs of a verification: which side, under which oracle, within which limits."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from tfmigrate.model import Program, SiteKind
from tfmigrate.verify import runner, tf1env
from tfmigrate.verify.grouping import called_name
from tfmigrate.verify.pairing import steps_at
from tfmigrate.verify.recorded import Recorded, load_arrays
from tfmigrate.verify.trace import Trace
from tfmigrate.verify.turns import Cancelled, Turns

TIMING_STEPS = 300  # runs of a site in a timing run: growth must have room to show
TIMING_BUDGET = 20.0  # seconds of stepping in one timing run

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
    turns: Turns
    record: Path | None
    golden: Path | None
    python: Path
    progress: Progress
    command: str
    prepare: Callable[[Path], None]  # what is done to a copy of `before_root` before it runs
    seed: int = runner.SEED


def target_python() -> Path:
    """The interpreter of the target TensorFlow: TFMIGRATE_TF2_PYTHON, else this one."""
    return Path(os.environ.get("TFMIGRATE_TF2_PYTHON") or sys.executable)


def run_before(
    settings: Settings,
    workdir: Path,
    oracle: str,
    *,
    record: bool,
    initial: Path | None = None,
    like: Trace | None = None,
) -> Recorded:
    """The legacy program. `like`: an earlier run of it, at whose last step this one stops too."""
    tf1 = tf1env.find() if oracle == "tf1" else None
    places = _places(settings.program)
    request = runner.RunRequest(
        root=settings.before_root,
        entry=settings.entry,
        side="before",
        oracle=oracle,
        python=tf1.python if tf1 is not None else settings.python,
        record=record,
        max_steps=settings.max_steps if record else max(settings.max_steps, TIMING_STEPS),
        stop_at=runner.stop_of(like) if like is not None else {},
        time_limit=_limit(settings, record),
        args=settings.args,
        initial=initial,
        counted_sites=places.counted,
        read_sites=places.reads,
        initializer_sites=places.initializers,
        loop_sites=places.loops,
        workdir=workdir,
        prepare=settings.prepare,
        cancelled=lambda: settings.turns.cancelled,
        seed=settings.seed,
    )
    return _recorded(settings, request)


def run_after(settings: Settings, workdir: Path, before: Trace, *, record: bool) -> Recorded:
    """The converted program, up to the step at which `before` ended. What counts as a step is what is paired later."""
    program = settings.program
    sites = program.sites if program is not None else ()
    names = tuple(sorted({called_name(s.name) for s in sites if s.kind is SiteKind.CALL})) if sites else None
    folder = runner.folder_of(before) if record else None
    request = runner.RunRequest(
        root=settings.after_root,
        entry=settings.after_entry,
        side="after",
        oracle="tf2",
        python=settings.python,
        record=record,
        stop_at=runner.stop_of(before, len(steps_at(before, sites)) if sites else None),
        time_limit=settings.time_limit,
        args=settings.args,
        initial=folder,
        pairs=tuple((v.legacy_name, v.object_path) for v in program.variables) if program is not None else (),
        step_names=names,
        workdir=workdir,
        cancelled=lambda: settings.turns.cancelled,
        seed=settings.seed,
    )
    return _recorded(settings, request)


def _limit(settings: Settings, record: bool) -> float:
    """The child's time limit; the harness stops a program cleanly at a part of it, in timing runs at the budget."""
    return settings.time_limit if record else min(settings.time_limit, TIMING_BUDGET / runner.SOFT)


Where = tuple[str, int]


@dataclass(frozen=True)
class _Places:
    """Places whose runs are steps (None: not known); those of them where reads or initializers stand too; those in
    loops.
    """

    counted: tuple[Where, ...] | None = None
    reads: tuple[Where, ...] = ()
    initializers: tuple[Where, ...] = ()
    loops: tuple[Where, ...] = ()


def _places(program: Program | None) -> _Places:
    if program is None or not program.sites:
        return _Places()
    calls = _at(program, SiteKind.CALL)
    starts = _at(program, SiteKind.INITIALIZER, SiteKind.REINITIALIZER, SiteKind.ITERATOR)
    loops = {(s.place.path, s.place.line) for s in program.sites if s.kind is SiteKind.CALL and s.in_loop}
    return _Places(
        tuple(sorted(calls)),
        tuple(sorted(calls & _at(program, SiteKind.READ))),
        tuple(sorted(calls & starts)),
        tuple(sorted(loops)),
    )


def _at(program: Program, *kinds: SiteKind) -> set[Where]:
    return {(s.place.path, s.place.line) for s in program.sites if s.kind in kinds}


def _recorded(settings: Settings, request: runner.RunRequest) -> Recorded:
    """Runs it. A timed run is one of a round, which holds the turn already."""
    with settings.turns.recording() if request.record else nullcontext():
        trace = runner.run(request)
    if settings.turns.cancelled:
        raise Cancelled
    folder = runner.folder_of(trace)
    return Recorded(trace, load_arrays(folder / "values.npz") if request.record else {}, folder)
