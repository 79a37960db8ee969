"""What one run of a program left behind, as the harness recorded it; read by compare, timing and verdict.

On disk a trace is a folder: `trace.json` (this structure), `values.npz` (the arrays that `Value.key` names),
`stdout.txt`, `stderr.txt`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Value:
    """One fetched or returned value. Small arrays are kept whole under `key` of values.npz; of larger ones a strided
    sample.

    `norm` is the Euclidean norm over all elements in float64, `digest` a hash of the bytes. `summary` tells that it is
    a serialized summary (compared through the event files, not by bytes). Non-numeric values stand in `text`.
    """

    key: str | None
    shape: tuple[int, ...]
    dtype: str
    norm: float | None = None
    digest: str = ""
    sampled: bool = False
    text: str | None = None
    summary: bool = False


@dataclass(frozen=True)
class Event:
    """One outermost `Session.run` (before) or call of a function or concrete function (after).

    `path`, `line`: the user's frame that asked (relative to the program's folder). `name`: the function's name (after)
    or "" (before). `values`: what came back, flattened in structure order, ops' None left out. `start`: seconds since
    the program began; `seconds`: inside the call, recording left out. `ops`: operations in the graph after the call;
    `traces`: functions traced so far; `variables`: variables made so far. `fetches`: names of the fetched tensors
    (before). `effects`: what an op-only run did, for instance ("assign:W",), ("initializer",), ("iterator",); ("read",)
    where only variables or constants were looked at.
    """

    index: int
    path: str
    line: int
    name: str
    start: float
    seconds: float
    values: tuple[Value, ...] = ()
    ops: int = 0
    traces: int = 0
    variables: int = 0
    fetches: tuple[str, ...] = ()
    effects: tuple[str, ...] = ()
    error: str | None = None


@dataclass(frozen=True)
class VariableState:
    """A variable: its name without ":0", how it began and how it ended (keys of values.npz).

    `own` (after): what the program itself gave it, before the legacy program's value was put in; None where unknown.
    `drawn` (before): whether its initial value is drawn at random in the graph; None where the graph does not tell
    (fed, read from a file, computed by Python). `restored` (before): a checkpoint gave it its first value.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    trainable: bool
    initial: Value | None
    final: Value | None
    slot: bool = False
    own: Value | None = None
    drawn: bool | None = None
    restored: bool = False


@dataclass(frozen=True)
class SummaryValue:
    """One value read back from an event file: histograms as (min, max, num, sum, sum of squares)."""

    tag: str
    step: int
    numbers: tuple[float, ...]
    kind: str  # scalar | histogram | image | text | other


@dataclass(frozen=True)
class WrittenFile:
    """A file the program wrote or changed below its folder: checkpoint | event | text | array | image | other."""

    path: str
    kind: str
    digest: str
    size: int
    values: dict[str, Value] = field(default_factory=dict)  # a checkpoint's tensors by name


@dataclass(frozen=True)
class Trace:
    """A whole run. `exit` is the child's exit code; `reason` says why it ended early (time limit, memory limit, step
    limit, missing data …).
    """

    runtime: str  # "tf1 1.15.5", "compat 2.21.0", "tf2 2.21.0"
    python: str
    exit: int
    reason: str | None
    seconds: float
    peak_bytes: int
    events: tuple[Event, ...]
    variables: tuple[VariableState, ...]
    summaries: tuple[SummaryValue, ...]
    files: tuple[WrittenFile, ...]
    stdout: str
    stderr: str
    recorded: bool  # values were recorded (False in timing runs)
    stopped_at: dict[str, int] = field(default_factory=dict)  # "path:line" of sites cut at --max-steps: runs done
    environment: dict[str, Any] = field(default_factory=dict)
