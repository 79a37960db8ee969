"""What the reports show, shaped but not rendered: the one view model of the terminal, Markdown and HTML reports.

Every text here is plain (renderers escape it), every figure already has its unit, and every decision about what to show
has been taken: a renderer only lays out. `report.shape.view` builds it.
"""

from __future__ import annotations

from dataclasses import dataclass

from tfmigrate.report.charts import Chart
from tfmigrate.report.diff import Gap, Region
from tfmigrate.report.explanations import Explanation


@dataclass(frozen=True)
class SourcePair:
    """A file before and after, for a pair that no conversion describes. `entry`: the report's entry it belongs to."""

    entry: str
    before_path: str
    after_path: str
    before: str
    after: str


@dataclass(frozen=True)
class Badge:
    """A word with a meaning that decides its sign and colour: a verdict, a status or a tier's outcome."""

    key: str
    label: str


@dataclass(frozen=True)
class Share:
    """A part of a bar: how many of the whole have this badge."""

    badge: Badge
    count: int


@dataclass(frozen=True)
class Span:
    """An interval on the overview's common logarithmic scale, in its units from the left; `one` is where 1 stands."""

    low: float
    median: float
    high: float
    one: float


@dataclass(frozen=True)
class OverviewRow:
    """A program in the overview's table. Times are in milliseconds with their decimal points aligned."""

    anchor: str
    entry: str
    status: Badge | None
    verdict: Badge | None
    speedup: str
    timed: bool
    slower: bool
    span: Span | None
    before_ms: str
    after_ms: str
    growth_before: str
    growth_after: str
    compared: str


@dataclass(frozen=True)
class FindingView:
    """A finding at its place: its reason's title, its own message, and the text of its line ("" where unknown)."""

    anchor: str
    code: str
    severity: str
    title: str
    message: str
    path: str
    line: int
    column: int
    source: str
    reason_anchor: str

    @property
    def place(self) -> str:
        """path:line:column"""
        return f"{self.path}:{self.line}:{self.column}"


@dataclass(frozen=True)
class Note:
    """What is said of one legacy line, above its row: what became of a run site, and findings."""

    line: int
    reasons: tuple[Explanation, ...]
    findings: tuple[FindingView, ...]


@dataclass(frozen=True)
class Hunk:
    """A region of a diff and what is to be said about it. `number` counts a program's changes from 1; 0 is context."""

    anchor: str
    number: int
    region: Region
    reasons: tuple[Explanation, ...]
    notes: tuple[Note, ...]

    def notes_at(self, line: int) -> tuple[Note, ...]:
        """What is said of that legacy line."""
        return tuple(n for n in self.notes if n.line == line)


@dataclass(frozen=True)
class FileView:
    """One file and the parts of its diff (none where it is copied or another program's card shows it)."""

    anchor: str
    path: str
    new_path: str
    status: Badge | None
    parts: tuple[Hunk | Gap, ...]
    removed: int
    added: int
    changes: int
    shown_in: str = ""  # the anchor of the card where a shared file's diff stands


@dataclass(frozen=True)
class ComparisonRow:
    """One comparison as text."""

    name: str
    site: str
    kind: str
    tier: str
    n: str
    first_step: str
    max_abs: str
    max_rel: str
    tolerance: str
    floor: str
    ok: bool
    note: str


@dataclass(frozen=True)
class SiteRow:
    """The step times of a run site and its counterpart."""

    site: str
    name: str
    after_site: str
    runs: str
    before: str
    after: str
    call_before: str
    call_after: str
    growth_before: str
    growth_after: str
    speedup: str
    range: str


@dataclass(frozen=True)
class Figure:
    """A chart: the finding it shows as its title, how it was made as its caption, some of its points as a table."""

    anchor: str
    title: str
    caption: str
    chart: Chart
    y_label: str
    description: str
    columns: tuple[str, ...]
    table: tuple[tuple[str, ...], ...]
    overlay: bool = False  # the before line is drawn broad, so that an after line on top of it stays visible
    unit: str = ""


@dataclass(frozen=True)
class Advice:
    """Something that would help: a command to type, or a sentence."""

    text: str
    command: bool


@dataclass(frozen=True)
class Stat:
    """A headline figure: what, before and after (or one value), and a remark. `tone`: "good", "bad" or "".

    `bars`: before and after as shares of the larger one, where their lengths tell something; else empty.
    """

    name: str
    before: str
    after: str
    remark: str
    tone: str = ""
    bars: tuple[float, ...] = ()


@dataclass(frozen=True)
class RunRow:
    """How one side was run: what a reader needs to run it again."""

    key: str
    side: str
    runtime: str
    python: str
    exit: str
    took: str
    first: str
    traces: str
    variables: str
    command: str
    reason: str


@dataclass(frozen=True)
class OracleRow:
    """One way in which "before" was run, and the noise floor it gave."""

    name: str
    runtime: str
    judged: bool
    floor: str
    note: str


@dataclass(frozen=True)
class VariableRow:
    """How a variable was paired."""

    legacy: str
    object_path: str
    how: str
    ok: bool
    note: str


@dataclass(frozen=True)
class ProgramCard:
    """Everything about one program."""

    anchor: str
    entry: str
    status: Badge | None
    verdict: Badge | None
    reason: str
    first_difference: str
    evidence: str
    tiers: tuple[tuple[str, Badge], ...]
    stats: tuple[Stat, ...]
    figures: tuple[Figure, ...]
    comparisons: tuple[ComparisonRow, ...]
    sites: tuple[SiteRow, ...]
    runs: tuple[RunRow, ...]
    oracles: tuple[OracleRow, ...]
    variables: tuple[VariableRow, ...]
    unreached: tuple[str, ...]
    advice: tuple[Advice, ...]
    command: str
    took: str
    packages: tuple[str, ...]
    files: tuple[FileView, ...]
    findings: tuple[FindingView, ...]

    @property
    def failed(self) -> tuple[ComparisonRow, ...]:
        """The comparisons beyond their tolerance."""
        return tuple(c for c in self.comparisons if not c.ok)

    @property
    def changes(self) -> int:
        """How many changed regions the card's diffs have."""
        return sum(f.changes for f in self.files)


@dataclass(frozen=True)
class ReasonGroup:
    """A reason, where it was met, and what to do. `frees`: how many files have no other error than this one."""

    anchor: str
    code: str
    title: str
    severity: str
    sentence: str
    example: str
    advice: str
    files: int
    frees: int
    findings: tuple[FindingView, ...]


@dataclass(frozen=True)
class OtherFile:
    """A file of no program, or one that was copied."""

    path: str
    status: Badge


@dataclass(frozen=True)
class Signature:
    """A public signature that changed."""

    place: str
    before: str
    after: str


@dataclass(frozen=True)
class View:
    """The whole report."""

    title: str
    tool: str
    lead: str
    verdicts: tuple[Share, ...]
    statuses: tuple[Share, ...]
    speedup: Stat | None
    scale: tuple[tuple[float, str], ...]  # ticks of the overview's scale of ratios
    rows: tuple[OverviewRow, ...]
    programs: tuple[ProgramCard, ...]
    refusals: tuple[ReasonGroup, ...]
    notes: tuple[ReasonGroup, ...]
    others: tuple[OtherFile, ...]
    signatures: tuple[Signature, ...]
    packages: tuple[str, ...]
    support: tuple[str, ...]
    next_steps: tuple[Advice, ...]
    placed: frozenset[str]  # anchors of findings that stand in a diff; the others stand in the lists of reasons
