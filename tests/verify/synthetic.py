"""Traces made in memory: a training loop whose numbers come from a formula, so that every difference is put there on
purpose.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tfmigrate.model import Place, Program, RunSite, SiteKind, Status, VariablePair
from tfmigrate.verify.recorded import Recorded
from tfmigrate.verify.trace import Event, Trace, Value, VariableState, WrittenFile

TRAIN, EVALUATE = 10, 14  # lines of the legacy program's two run sites


class Tape:
    """Collects arrays under fresh keys, as a run's recorder does."""

    def __init__(self) -> None:
        self.arrays: dict[str, Any] = {}

    def value(self, array: Any, dtype: str | None = None, **changes: Any) -> Value:
        """A whole recorded value."""
        kept = np.asarray(array, dtype)
        key = f"v{len(self.arrays)}"
        self.arrays[key] = kept
        wide = kept.astype(np.float64) if kept.dtype.kind != "c" else np.abs(kept)
        made = Value(
            key, kept.shape, str(kept.dtype), float(np.linalg.norm(wide.reshape(-1))), kept.tobytes().hex()[:32]
        )
        return replace(made, **changes)


def event(index: int, line: int, name: str = "", values: Sequence[Value] = (), **changes: Any) -> Event:
    """A run or call at main.py:`line`, ten milliseconds after the one before."""
    made = Event(index, "main.py", line, name, 0.01 * index, 0.004, tuple(values), ops=100)
    return replace(made, **changes)


def trace(events: Sequence[Event], variables: Sequence[VariableState] = (), stdout: str = "", **changes: Any) -> Trace:
    """A run that ended well."""
    made = Trace("tf1 1.15.5", "3.7.16", 0, None, 1.0, 10**8, tuple(events), tuple(variables), (), (), stdout, "", True)
    return replace(made, **changes)


def loss(step: int) -> float:
    """What the training loop fetches."""
    return float(np.float32(2.0 / (1.0 + 0.1 * step)))


def weights(steps: int) -> Any:
    """The variable after so many steps."""
    return np.linspace(-1.0, 1.0, 12, dtype=np.float32) * np.float32(1.0 + 0.01 * steps)


def training(
    side: str,
    steps: int = 20,
    *,
    scale: Callable[[int], float] = lambda step: 1.0,
    rate: float = 1.0,
    stdout: str | None = None,
    evaluate_every: int = 5,
    **changes: Any,
) -> Recorded:
    """A training loop with an evaluation every fifth step.

    `scale` multiplies the loss of a step (0 is the first), `rate` the change of the weights: what a wrong constant
    would do.
    """
    tape, events = Tape(), []
    if side == "before":
        events.append(event(0, 8, effects=("initializer",), fetches=("init",)))
    printed = []
    for step in range(steps):
        value = np.float32(loss(step) * scale(step))
        where = (TRAIN, "") if side == "before" else (30, "train_step")
        fetches = ("train_op", "Mean:0") if side == "before" else ()
        effects = ("assign:W",) if side == "before" else ()
        events.append(event(len(events), *where, [tape.value(value)], fetches=fetches, effects=effects))
        if step % evaluate_every == 0:
            where = (EVALUATE, "") if side == "before" else (33, "compute_accuracy")
            fetches = ("Mean_1:0",) if side == "before" else ()
            events.append(event(len(events), *where, [tape.value(np.float32(step / 32.0))], fetches=fetches))
            printed.append(f"step {step} loss {value:.5f}")
    change = (weights(steps) - weights(0)) * np.float32(rate)
    variable = VariableState("W", (12,), "float32", True, tape.value(weights(0)), tape.value(weights(0) + change))
    text = "\n".join(printed) + "\n" if stdout is None else stdout
    made = trace(events, [variable], text, runtime="tf1 1.15.5" if side == "before" else "tf2 2.21.0", **changes)
    return Recorded(made, tape.arrays)


def program(**changes: Any) -> Program:
    """The conversion of that loop."""
    sites = (
        RunSite(Place("main.py", 8, 1), SiteKind.INITIALIZER),
        RunSite(Place("main.py", TRAIN, 9), SiteKind.CALL, "train_step", ("loss",), ("x",), True, 30),
        RunSite(Place("main.py", EVALUATE, 9), SiteKind.CALL, "compute_accuracy", ("accuracy",), ("x",), True, 33),
    )
    made = Program("main", "main.py", ("main.py",), Status.NATIVE, sites, (VariablePair("W", "W"),))
    return replace(made, **changes)


def with_files(recorded: Recorded, files: Sequence[WrittenFile]) -> Recorded:
    """The same run, having written files."""
    return Recorded(replace(recorded.trace, files=tuple(files)), recorded.arrays)
