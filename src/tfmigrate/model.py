"""The frozen dataclasses that cross the stages of the pipeline.

A stage takes and gives these and knows nothing of the next one. All paths are POSIX paths relative to the root
of the tree that was given; lines start at 1, columns at 1.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path


class Status(str, Enum):
    """What became of a file."""

    NATIVE = "native"
    BRIDGED = "bridged"
    REFUSED = "refused"
    UNCHANGED = "unchanged"
    FAILED = "failed"


class Severity(str, Enum):
    """How much a finding weighs: an error keeps a file from being native, a warning tells of a kept oddity."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class SiteKind(str, Enum):
    """What a run site (a place where host code asks for values) became in the converted program."""

    CALL = "call"  # a call of a step function
    READ = "read"  # the value of a variable or of a constant tensor, read by the host
    ASSIGN = "assign"  # an eager assignment by the host
    INITIALIZER = "initializer"  # gone: variables are initialised when made
    REINITIALIZER = "reinitializer"  # a later run of an initializer, kept as assignments
    SAVE = "save"
    RESTORE = "restore"
    SUMMARY = "summary"
    ITERATOR = "iterator"  # an iterator (re-)initialised


class Strategy(str, Enum):
    """The forms of `--strategy`."""

    NONE = "none"
    DEFAULT = "default"
    MIRRORED = "mirrored"
    MULTIWORKER = "multiworker"
    TPU = "tpu"


class Optimizers(str, Enum):
    """The forms of `--optimizers`."""

    FUSED = "fused"
    KERAS = "keras"


@dataclass(frozen=True)
class Place:
    """A position in a source file."""

    path: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


@dataclass(frozen=True)
class Finding:
    """One thing to tell the user about one place; `code` is a key of `plan.reasons.REASONS`."""

    code: str
    severity: Severity
    place: Place
    message: str


@dataclass(frozen=True)
class SourceFile:
    """One file of the tree, decoded. `text` keeps its line ends; `problem` says why there is no text.

    Where the file is of Python 2, `text` is what it says in Python 3, line for line, `python2` the text as it was read,
    and `note` tells of it.
    """

    path: str
    text: str | None
    encoding: str = "utf-8"
    bom: bool = False
    problem: Finding | None = None
    python2: str | None = None
    note: Finding | None = None

    @property
    def as_read(self) -> str | None:
        """The text on disk."""
        return self.text if self.python2 is None else self.python2


@dataclass(frozen=True)
class SourceTree:
    """The Python files below one root, or a single file (`single`), in the order of their paths."""

    root: Path
    files: tuple[SourceFile, ...]
    single: bool = False
    others: tuple[str, ...] = ()  # files that are no Python, and symbolic links; copied, never read
    folders: tuple[str, ...] = ()  # folders that hold nothing; made in the output too, a program may write there
    notes: tuple[Finding, ...] = ()  # what of the tree could not be taken along, and why

    def file(self, path: str) -> SourceFile | None:
        """The file of that relative path, or None."""
        return next((f for f in self.files if f.path == path), None)


@dataclass(frozen=True)
class Options:
    """What the user asked of a conversion."""

    strategy: Strategy = Strategy.DEFAULT
    optimizers: Optimizers = Optimizers.FUSED


@dataclass(frozen=True)
class RunSite:
    """A place of the legacy program where values are asked for, and what it became.

    `name` is the step function called there, "" where none is (see `kind`). `fetches` are the source texts of what is
    fetched, in the order of the values returned (ops without a value left out); `parameters` the step function's.
    `in_loop` tells whether the site stands in a loop. `new_line` is the line of the call in the converted file.
    """

    place: Place
    kind: SiteKind
    name: str = ""
    fetches: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()
    in_loop: bool = False
    new_line: int = 0


@dataclass(frozen=True)
class VariablePair:
    """A variable's name in the legacy graph (without ":0") and the path of the object that holds it now."""

    legacy_name: str
    object_path: str
    trainable: bool = True


@dataclass(frozen=True)
class Program:
    """Connected files (they share a graph): one status. `entry` is the script that is run."""

    id: str
    entry: str
    files: tuple[str, ...]
    status: Status
    sites: tuple[RunSite, ...] = ()
    variables: tuple[VariablePair, ...] = ()
    packages: tuple[str, ...] = ()  # what the result needs beside TensorFlow, for instance "tensorboard"


@dataclass(frozen=True)
class FileResult:
    """What became of one input file. `output` is the whole new text where it changed, None where it is copied."""

    path: str
    status: Status
    output: str | None = None
    program: str | None = None
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class Support:
    """A file written beside a converted program (fused_optimizers.py, legacy_checkpoints.py, …)."""

    path: str
    text: str


@dataclass(frozen=True)
class SignatureChange:
    """A public function or class whose parameters changed by the conversion; both as source text."""

    place: Place
    before: str
    after: str


@dataclass(frozen=True)
class Conversion:
    """The result of `pipeline.convert` for one tree."""

    tree: SourceTree
    options: Options
    files: tuple[FileResult, ...]
    programs: tuple[Program, ...] = ()
    support: tuple[Support, ...] = ()
    signatures: tuple[SignatureChange, ...] = ()

    def totals(self) -> dict[str, int]:
        """How many files have each status."""
        return {s.value: sum(f.status is s for f in self.files) for s in Status}


@dataclass(frozen=True)
class Reason:
    """A documented finding: what `tfmigrate explain CODE` and docs/reasons.md print."""

    code: str
    title: str
    severity: Severity
    sentence: str
    example: str = ""
    advice: str = ""
    source: str = field(default="")
