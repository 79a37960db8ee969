"""What a verification found, as values: one ScriptReport a pair of programs, with every figure the reports show.

`to_json` gives the object of one script in the verify schema (see `verify.schema`); `from_json` reads it back. Times
are in milliseconds unless the name says otherwise, memory in bytes. A figure that was not measured is None, never 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from tfmigrate.verify.codec import decode, encode


class Verdict(str, Enum):
    """What may be said of a pair: equal by evidence, different, or not known."""

    VERIFIED = "verified"
    DIFFERS = "differs"
    UNVERIFIED = "unverified"


class Tier(str, Enum):
    """The outcome of one tier; `none` means that nothing of it was compared."""

    PASS = "pass"
    FAIL = "fail"
    NONE = "none"


@dataclass(frozen=True)
class Tiers:
    """The three tiers: counterparts and variables agree; values of steps agree; what the program leaves behind
    agrees.
    """

    interface: Tier = Tier.NONE
    numeric: Tier = Tier.NONE
    behaviour: Tier = Tier.NONE


@dataclass(frozen=True)
class Comparison:
    """One quantity compared over all its occurrences.

    `tier`: "interface", "numeric" or "behaviour". `kind`: "value" (a fetch), "variable", "output", "checkpoint",
    "summary", "file" or "count". `site`: "path:line" in the legacy program, "" where there is none. `first_step`: the
    run (from 1) in which the first difference beyond the tolerance stands, None where there is none. `n`: how many
    numbers (or items) were compared. `max_abs`, `max_rel`: the largest difference, and the largest relative to
    max(|value|, |first value|). `rtol`, `atol`: the tolerance at the step of the worst excess. `floor`: the noise
    floor measured there (relative). `note`: what else must be said, in a sentence; a failure's own words.
    """

    name: str
    site: str
    first_step: int | None
    n: int
    max_abs: float
    max_rel: float
    rtol: float
    atol: float
    ok: bool
    tier: str = "numeric"
    kind: str = "value"
    floor: float = 0.0
    note: str = ""


@dataclass(frozen=True)
class Interval:
    """An estimate with its 95 % interval."""

    median: float
    low: float
    high: float

    def spans(self, value: float) -> bool:
        """Whether the interval holds `value`."""
        return self.low <= value <= self.high


@dataclass(frozen=True)
class Growth:
    """How the time of an iteration and the graph grow: Theil-Sen slopes, in ms per step and operations per step,
    with 95 % intervals.
    """

    ms_per_step: float
    ops_per_step: float
    ms_low: float = 0.0
    ms_high: float = 0.0
    ops_low: float = 0.0
    ops_high: float = 0.0

    @property
    def slows(self) -> bool:
        """Whether each step takes longer than the last: the slope's whole interval lies above zero."""
        return self.ms_low > 0.0


@dataclass(frozen=True)
class SiteTiming:
    """One side's step times at one run site. `first_ms` is the first call, tracing or kernel set-up included, left
    out of the medians.
    """

    steps: int
    first_ms: float | None = None
    iteration_ms: Interval | None = None
    call_ms: Interval | None = None
    growth: Growth | None = None
    iteration_series: tuple[float, ...] = ()  # ms of each iteration, at most 600 points
    call_series: tuple[float, ...] = ()
    ops_series: tuple[float, ...] = ()
    steps_of_points: tuple[int, ...] = ()  # the run (from 1) that each point of the series belongs to


@dataclass(frozen=True)
class SitePair:
    """A run site of the legacy program and its counterpart. `speedup` by iteration_ms, before / after; `last_tenth`
    over the last tenth of the runs.
    """

    site: str  # "path:line" in the legacy program
    name: str  # the step function, "" where there is none
    kind: str  # a SiteKind value
    in_loop: bool
    after_site: str  # "path:line" in the converted program, "" where unknown
    runs_before: int
    runs_after: int
    before: SiteTiming | None = None
    after: SiteTiming | None = None
    speedup: Interval | None = None
    last_tenth: Interval | None = None


@dataclass(frozen=True)
class Series:
    """A scalar fetch over the paired runs, before and after: what a loss overlay draws. Same length; at most 600
    points.
    """

    name: str
    site: str
    steps: tuple[int, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]


@dataclass(frozen=True)
class Side:
    """One side's runs: `exit` is None where it never ran; `steps` counts paired runs; the times are over all paired
    sites together.

    `peak_bytes` and `first_ms` come from the timing runs where there were any. `command` runs this side by hand.
    """

    runtime: str = ""
    exit: int | None = None
    steps: int = 0
    iteration_ms: Interval | None = None
    call_ms: Interval | None = None
    growth: Growth | None = None
    traces: int = 0
    variables: int = 0
    python: str = ""
    reason: str | None = None
    seconds: float = 0.0
    peak_bytes: int = 0
    first_ms: float | None = None
    command: str = ""


@dataclass(frozen=True)
class Oracle:
    """A way in which "before" was run, and the noise floor that it gave: the largest relative difference against the
    judging run, first step and overall.
    """

    name: str  # tf1 | compat | golden
    runtime: str
    judged: bool
    floor_first: float | None = None
    floor_max: float | None = None
    note: str = ""


@dataclass(frozen=True)
class VariableMatch:
    """How one variable was paired: `how` is "plan", "name", "order" or "unmatched"; shapes as text; `object_path` is
    "" where unmatched.
    """

    legacy_name: str
    object_path: str
    how: str
    ok: bool
    note: str = ""


@dataclass(frozen=True)
class ScriptReport:
    """Everything about one pair of programs. `entry` is the script relative to its tree; `reason` says why, in one
    sentence.

    `speedup`: step time before / after, above 1 is faster; `speedup_note`: what may be said of it in words ("3.1
    times faster", "no difference", "1.4 times slower: …"). `unreached`: run sites that this run never came to.
    `advice`: commands or hints that would help. `first_difference`: site, step and name of the first difference, ""
    where there is none. `evidence`: what was compared, in numbers.
    """

    entry: str
    verdict: Verdict
    reason: str
    tiers: Tiers = Tiers()
    comparisons: tuple[Comparison, ...] = ()
    before: Side = Side()
    after: Side = Side()
    speedup: Interval | None = None
    last_tenth: Interval | None = None
    speedup_note: str = ""
    first_difference: str = ""
    evidence: str = ""
    sites: tuple[SitePair, ...] = ()
    unreached: tuple[str, ...] = ()
    variables: tuple[VariableMatch, ...] = ()
    series: tuple[Series, ...] = ()
    oracles: tuple[Oracle, ...] = ()
    advice: tuple[str, ...] = ()
    command: str = ""
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """The object of this script in the verify schema."""
        data: dict[str, Any] = encode(self)
        return data

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> ScriptReport:
        """The report that `to_json` wrote; fields that it does not know are ignored."""
        return decode(cls, data)
