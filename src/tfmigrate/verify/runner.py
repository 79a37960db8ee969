"""Runs one program in a child process, in a copy of its folder, within limits, and reads back what it left.

User code never runs in this process. The child gets a process group of its own; when it has ended, for whatever reason,
nothing of the group is left.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tfmigrate.errors import InputError
from tfmigrate.verify import files, store
from tfmigrate.verify.isolation import Watched, copy_tree, watch
from tfmigrate.verify.trace import Trace

SEED = 20170315
SOFT = 0.6  # part of the time limit after which the next step stops the program cleanly
ROOM = 20  # times as many steps as one side had runs until its own end, after which the other side is stopped


@dataclass(frozen=True)
class RunRequest:
    """One run.

    `root` is the project's folder, `entry` the script relative to it. `side`: before | after; `oracle`: tf1 | compat |
    tf2. `record`: values are recorded and randomness is aligned, else only times. `max_steps`: runs of one site, then a
    clean stop; `stop_at`: in its place, see `stop_of`. `time_limit` in seconds of the program, `memory_limit` in bytes
    (of the whole process group). `prepare` may change the copy before the program starts (a Python 2 script brought to
    Python 3). `initial`: the trace folder of the before-run whose initial values are put in; `pairs`: (legacy name,
    object path). `step_names`: functions whose calls count as steps, `counted_sites`: (path, line) of the runs that do;
    None: judged while running. `read_sites`: counted sites where runs that only read a variable stand too,
    `initializer_sites`: where variables or iterators are started too; those runs do not count. `loop_sites`: counted
    sites that stand in a loop: each is run at least twice before the stop. `cancelled` is asked now and then: once it
    is true the program is ended. `seed`: of Python, NumPy and TensorFlow, and of the draws that become initial values.
    `workdir` gets the folders `copy` and `trace`; a temporary one is made where it is None.
    """

    root: Path
    entry: str
    side: str
    oracle: str
    python: Path
    record: bool = True
    max_steps: int = 50
    stop_at: Mapping[str, int] = field(default_factory=dict)
    time_limit: float = 300.0
    memory_limit: int = 8 << 30
    args: tuple[str, ...] = ()
    initial: Path | None = None
    pairs: tuple[tuple[str, str], ...] = ()
    step_names: tuple[str, ...] | None = None
    counted_sites: tuple[tuple[str, int], ...] | None = None
    read_sites: tuple[tuple[str, int], ...] = ()
    initializer_sites: tuple[tuple[str, int], ...] = ()
    loop_sites: tuple[tuple[str, int], ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    workdir: Path | None = None
    prepare: Callable[[Path], None] | None = None
    cancelled: Callable[[], bool] = bool
    seed: int = SEED


def stop_of(trace: Trace, steps: int | None = None) -> Mapping[str, int]:
    """What `stop_at` must be for another run to end where `trace` did: at the same counted run where it was stopped at
    one, else by itself, for which there is ample room.

    A limit of the other run's own would stop it at another run: the two sides' sites differ, and so do their counts.
    `steps`: how many steps the trace has, where that is known better than the child that recorded it knew.
    """
    counted = int(trace.environment["counted"]) if steps is None else steps
    return {"runs": counted if trace.stopped_at else ROOM * max(len(trace.events), ROOM)}


def folder_of(trace: Trace) -> Path:
    """The trace's folder on disk."""
    return Path(trace.environment["folder"])


def run(request: RunRequest) -> Trace:
    """Runs the program and returns its trace, which is kept in `workdir/trace` too. Raises InputError where the script
    is not there.
    """
    if not (request.root / request.entry).is_file():
        raise InputError(f"{request.root / request.entry}: no such script")
    workdir = request.workdir or Path(tempfile.mkdtemp(prefix="tfmigrate-"))
    workdir.mkdir(parents=True, exist_ok=True)
    copy, out = workdir / "copy", workdir / "trace"
    out.mkdir(exist_ok=True)
    copy_tree(request.root, copy)
    if request.prepare is not None:
        request.prepare(copy)
    snapshot = files.snapshot(copy)
    settings = out / "settings.json"
    settings.write_text(json.dumps(_settings(request, copy, out)), encoding="utf-8")
    harness = Path(__file__).resolve().parent / "harness"
    begun = time.monotonic()
    process = subprocess.Popen(
        [str(request.python), str(harness), str(settings)],
        cwd=copy,
        env=_environment(request, copy),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    watched = watch(
        process, copy, request.time_limit, request.memory_limit, lambda: store.started(out), request.cancelled
    )
    return store.collect(out, _facts(request, watched, time.monotonic() - begun), files.written(copy, snapshot))


def _settings(request: RunRequest, copy: Path, out: Path) -> dict[str, Any]:
    return {
        "root": os.path.realpath(copy),
        "entry": request.entry,
        "out": str(out),
        "side": request.side,
        "oracle": request.oracle,
        "record": request.record,
        "max_steps": request.max_steps,
        "stop_at": dict(request.stop_at),
        "soft_limit": None if request.stop_at else request.time_limit * SOFT,
        "args": list(request.args),
        "initial": str(request.initial) if request.initial else None,
        "pairs": request.pairs,
        "step_names": request.step_names,
        "counted_sites": request.counted_sites,
        "read_sites": request.read_sites,
        "initializer_sites": request.initializer_sites,
        "loop_sites": request.loop_sites,
        "seed": request.seed,
    }


def _environment(request: RunRequest, copy: Path) -> dict[str, str]:
    env = dict(os.environ)
    env.setdefault("CUDA_VISIBLE_DEVICES", "-1")  # both sides on the same device, unless the user chose one
    env.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    env.update(
        MPLBACKEND="Agg",
        PYTHONHASHSEED="0",
        PYTHONUNBUFFERED="1",
        PYTHONIOENCODING="utf-8",
        PYTHONDONTWRITEBYTECODE="1",
    )
    env.update(request.env)
    if request.oracle == "compat":
        env["TF_USE_LEGACY_KERAS"] = "1"
    else:
        env.pop("TF_USE_LEGACY_KERAS", None)
    if "PYTHONPATH" in env:
        root = os.path.realpath(request.root)
        moved = []
        for part in env["PYTHONPATH"].split(os.pathsep):
            real = os.path.realpath(part)
            inside = real == root or real.startswith(root + os.sep)
            moved.append(str(copy.resolve() / os.path.relpath(real, root)) if inside else part)
        env["PYTHONPATH"] = os.pathsep.join(moved)
    return env


def _facts(request: RunRequest, watched: Watched, seconds: float) -> dict[str, Any]:
    return {
        "oracle": request.oracle,
        "exit": watched.exit,
        "reason": watched.reason,
        "seconds": seconds,
        "peak": watched.peak_bytes,
        "stdout": watched.stdout,
        "stderr": watched.stderr,
        "record": request.record,
        "entry": request.entry,
    }
