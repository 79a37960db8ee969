"""Compare what two runs printed: line by line, numbers as numbers, clock times, durations, addresses and folders
left out.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tfmigrate.verify.results import Comparison
from tfmigrate.verify.tolerance import Allowance
from tfmigrate.verify.trace import Trace

_NUMBER = re.compile(r"(?<![A-Za-z_\d.])[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?|\b(?:nan|inf)\b")
_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_NUMPY_SCALAR = re.compile(r"\bnp\.(?:float|int|uint|bool|str|bytes)\w*\(([^()]*)\)")
_ADDRESS = re.compile(r"0x[0-9a-fA-F]+")
_DATE = re.compile(
    r"(?:\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w*,? +)?"
    r"(?:\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\w* +\d{1,2},? +(?=\d))"
    r"|\b\d{4}[-/]\d{2}[-/]\d{2}(?:T(?=\d))?"
)
_CLOCK = re.compile(r"\b\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: +\d{4}\b)?(?:\s?[AaPp][Mm]\b)?")
_FOLDER = re.compile(r"(?<![\w.])(?:~|[A-Za-z]:)?(?:/[\w.@+\-]+)+/(?=[\w.@+\-])")
_TIME_WORD = (
    r"(?:elapsed|duration|runtime|took|taken|speed|throughput|eta|remaining|cost time|secs?|seconds?|timing"
    r"|time(?:[ _-]?(?:cost|used|spent|taken|elapsed|per \w+))?)"
)
_AFTER_WORD = re.compile(
    rf"(?i)\b({_TIME_WORD}(?: *\((?:s|ms|sec|secs|seconds)\))?(?: is| was| of| for \w+)?[\s:=]{{0,6}})"
    r"([-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?)"
)
_BEFORE_UNIT = re.compile(
    r"(?<![\w.])[-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?(?=\s*(?:ms|us|µs|s|secs?|seconds?|mins|minutes?|hours?|hrs?)\b"
    r"|\s*(?:\w+ ?/ ?(?:s|sec|second)|(?:s|sec|seconds?|ms) ?/ ?\w+|it/s|fps)\b)",
    re.IGNORECASE,
)
_GRAPH_OBJECT = re.compile(
    r"Tensor\(\"|<tf\.(?:Tensor|Variable|Operation)|<tensorflow\.|name: \"\w|SparseTensor\(|object at <address>"
)
_CHATTER = re.compile(r"^(?:Extracting|Successfully downloaded|Downloading) ")
COARSE = 300  # units of tolerance in one unit of the last printed digit, above which a differing digit is a rare event
RARE = 50  # numbers printed for each such event let pass
_MANY = 4000  # lines in the part that differs above which alignment is by position


@dataclass(frozen=True)
class Line:
    """A printed line: its text with numbers taken out, and these with the digits they were printed with."""

    number: int
    text: str
    skeleton: str
    figures: tuple[tuple[float, float, bool], ...]  # value, unit of the last printed digit, is an integer
    foreign: bool = False  # shows a graph object or progress of a download: cannot be equal


@dataclass(frozen=True)
class OutputResult:
    """The comparison and what must be told beside it."""

    comparison: Comparison
    notes: tuple[str, ...] = ()


@dataclass
class _Count:
    numbers: int = 0
    absolute: float = 0.0
    relative: float = 0.0
    left_out: int = 0
    tied: int = 0
    problems: list[str] = field(default_factory=list)
    worst: float = -1.0
    allowance: Allowance = field(default_factory=lambda: Allowance(0.0, 0.0, 0.0))
    first: int | None = None
    coarse: list[tuple[int, str]] = field(default_factory=list)


def printed(trace: Trace) -> str:
    """What a run printed, without the versions of what it ran on: these differ, whatever was converted."""
    text = trace.stdout
    for package in ("tensorflow", "numpy", "python"):
        version = trace.environment.get(package)
        if version:
            text = re.sub(rf"(?<![\w.]){re.escape(version)}(?!\.?\w)", f"<{package} version>", text)
    return text


def read_lines(text: str) -> list[Line]:
    """Normalised lines; of a line that a carriage return overwrote, the last state. Empty lines are left out."""
    found = []
    for number, raw in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
        shown = _ESCAPE.sub("", [part for part in raw.split("\r") if part.strip()][-1] if raw.strip() else "").strip()
        if shown:
            found.append(_read(number, shown))
    return found


def _read(number: int, shown: str) -> Line:
    text = shown
    while (plain := _NUMPY_SCALAR.sub(r"\1", text)) != text:
        text = plain
    text = _ADDRESS.sub("<address>", text)
    text = _FOLDER.sub("<folder>/", text)
    text = _CLOCK.sub("<time>", _DATE.sub("<date>", text))
    text = _AFTER_WORD.sub(r"\1<duration>", text)
    text = _BEFORE_UNIT.sub("<duration>", text)
    figures = tuple(_figure(m.group()) for m in _NUMBER.finditer(text))
    skeleton = re.sub(r"\s+", " ", _NUMBER.sub("#", text))
    skeleton = re.sub(r"([\[(]) | (?=[\])])", r"\1", skeleton)
    foreign = bool(_GRAPH_OBJECT.search(text) or _CHATTER.search(text))
    return Line(number, shown, skeleton, figures, foreign)


def _figure(text: str) -> tuple[float, float, bool]:
    value = float(text)
    if not math.isfinite(value):
        return value, 0.0, False
    mantissa, _, exponent = text.lower().partition("e")
    decimals = len(mantissa.partition(".")[2])
    integer = "." not in mantissa and not exponent
    return value, 0.0 if integer else 10.0 ** (int(exponent or 0) - decimals), integer


def align(old: Sequence[Line], new: Sequence[Line]) -> tuple[list[tuple[Line, Line]], list[Line], list[Line]]:
    """Pairs of lines, lines only before, lines only after. Equal skeletons meet; replaced blocks of one length meet
    line by line.
    """
    a, b = [line.skeleton for line in old], [line.skeleton for line in new]
    if len(a) == len(b) and (a == b or len(a) > _MANY):
        return list(zip(old, new, strict=True)), [], []
    pairs: list[tuple[Line, Line]] = []
    missing: list[Line] = []
    extra: list[Line] = []
    head = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    pairs += zip(old[:head], new[:head], strict=True)
    a, b = a[head:], b[head:]
    if max(len(a), len(b)) > _MANY:
        common = min(len(a), len(b))
        pairs += zip(old[head : head + common], new[head : head + common], strict=True)
        return pairs, list(old[head + common :]), list(new[head + common :])
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        mine, theirs = old[head + i1 : head + i2], new[head + j1 : head + j2]
        if tag == "equal" or (tag == "replace" and len(mine) == len(theirs)):
            pairs += zip(mine, theirs, strict=True)
        else:
            missing += mine
            extra += theirs
    return pairs, missing, extra


def compare_output(
    old: str,
    new: str,
    allowance: Callable[[float], Allowance],
    repetitions: Sequence[str] = (),
    tied: Sequence[tuple[float, float]] = (),
) -> OutputResult:
    """Compare two standard outputs.

    `allowance` gives the tolerance at a share (0 to 1) of the run. `repetitions` are outputs of other runs of the
    legacy program: a number that differs there by more than its tolerance is no result (a time, an unseeded draw) and
    is left out. `tied` are pairs of counted figures already let pass; printing them is let pass too.
    """
    before, after = read_lines(old), read_lines(new)
    restless = _restless(before, repetitions, allowance)
    pairs, missing, extra = align(before, after)
    count = _Count()
    total = max(len(before), 1)
    for position, (mine, theirs) in enumerate(pairs):
        _compare_line(count, mine, theirs, allowance((position + 1) / total), restless, tied)
    for title, lines in (("printed before only", missing), ("printed after only", extra)):
        named = [
            line
            for line in lines
            if not line.foreign and (title.endswith("after only") or (line.number, -1) not in restless)
        ]
        count.left_out += len(lines) - len(named)
        if named:
            first = named[0]
            more = f" and {len(named) - 1} more" if len(named) > 1 else ""
            count.problems.append(f"{title}, line {first.number}: {_clip(first.text)}{more}")
            if title.endswith("before only"):
                count.first = min(count.first or first.number, first.number)
    if len(count.coarse) > count.numbers // RARE:
        count.problems += [words for _, words in count.coarse]
        count.first = min(count.first or count.coarse[0][0], count.coarse[0][0])
    notes = []
    if count.left_out:
        notes.append(f"{count.left_out} times, paths, graph objects or restless numbers left out")
    if count.tied:
        notes.append(f"{count.tied} counted figures differ by one example")
    if not before and not after:
        notes.append("nothing is printed on either side")
    comparison = Comparison(
        "standard output",
        "",
        count.first,
        len(pairs) + count.numbers,
        count.absolute,
        count.relative,
        count.allowance.rtol,
        count.allowance.atol,
        not count.problems,
        "behaviour",
        "output",
        count.allowance.floor,
        "; ".join(count.problems[:3] + notes),
    )
    return OutputResult(comparison, tuple(notes))


def _compare_line(
    count: _Count,
    mine: Line,
    theirs: Line,
    allowance: Allowance,
    restless: set[tuple[int, int]],
    tied: Sequence[tuple[float, float]],
) -> None:
    if mine.foreign or (mine.number, -1) in restless:
        count.left_out += 1
        return
    if mine.skeleton != theirs.skeleton or len(mine.figures) != len(theirs.figures):
        count.first = min(count.first or mine.number, mine.number)
        count.problems.append(f"line {mine.number}: {_clip(mine.text)} before, {_clip(theirs.text)} after")
        return
    largest = (
        max((abs(v) for v, _, integer in mine.figures if not integer and math.isfinite(v)), default=0.0)
        if "[" in mine.text
        else 0.0
    )
    over = []
    for place, (a, b) in enumerate(zip(mine.figures, theirs.figures, strict=True)):
        if (mine.number, place) in restless:
            count.left_out += 1
            continue
        count.numbers += 1
        excess = _excess(a, b, largest, allowance)
        if 0.0 < excess <= 1.0 and _is_coarse(a, b, largest, allowance) and not _is_tie(a, b, tied):
            count.coarse.append(
                (mine.number, f"line {mine.number}: {_clip(mine.text)} before, {_clip(theirs.text)} after")
            )
        if excess > 1.0 and _is_tie(a, b, tied):
            count.tied += 1
            continue
        apart = 0.0 if _equal(a[0], b[0]) else abs(a[0] - b[0])
        if math.isfinite(apart):
            count.absolute = max(count.absolute, apart)
            count.relative = max(count.relative, apart / max(abs(a[0]), largest, 1e-30) if apart else 0.0)
        if excess > count.worst:
            count.worst, count.allowance = excess, allowance
        if excess > 1.0:
            over.append(place)
    if over:
        count.first = min(count.first or mine.number, mine.number)
        count.problems.append(f"line {mine.number}: {_clip(mine.text)} before, {_clip(theirs.text)} after")


def _equal(a: float, b: float) -> bool:
    return a == b or (math.isnan(a) and math.isnan(b))


def _excess(a: tuple[float, float, bool], b: tuple[float, float, bool], largest: float, allowance: Allowance) -> float:
    """The difference in multiples of what is allowed: one unit of the last printed digit and the numeric tolerance.
    Integers are exact.
    """
    if _equal(a[0], b[0]):
        return 0.0
    if (a[2] and b[2]) or not math.isfinite(a[0]) or not math.isfinite(b[0]):
        return math.inf
    if not allowance.judged:
        return 0.0
    digit = max(a[1], b[1])
    return abs(a[0] - b[0]) / (1.0001 * digit + allowance.rtol * max(abs(a[0]), largest) + allowance.atol)


def _is_coarse(
    a: tuple[float, float, bool], b: tuple[float, float, bool], largest: float, allowance: Allowance
) -> bool:
    """Whether one unit of the last printed digit is so much more than the tolerance that rounding rarely moves it."""
    numeric = allowance.rtol * max(abs(a[0]), largest) + allowance.atol
    return allowance.judged and max(a[1], b[1]) > COARSE * numeric and abs(a[0] - b[0]) > numeric


def _is_tie(a: tuple[float, float, bool], b: tuple[float, float, bool], tied: Sequence[tuple[float, float]]) -> bool:
    digit = max(a[1], b[1], 1e-9)
    for factor in (1.0, 100.0):
        for old, new in tied:
            if abs(factor * old - a[0]) <= digit and abs(factor * new - b[0]) <= digit:
                return True
    return False


def _restless(
    lines: Sequence[Line], repetitions: Sequence[str], allowance: Callable[[float], Allowance]
) -> set[tuple[int, int]]:
    """(line, place) of numbers that other legacy runs print differently; place -1 where the line as a whole is
    absent or other text there.
    """
    found: set[tuple[int, int]] = set()
    total = max(len(lines), 1)
    for text in repetitions:
        pairs, missing, _ = align(lines, read_lines(text))
        found |= {(line.number, -1) for line in missing}
        for position, (mine, theirs) in enumerate(pairs):
            if mine.skeleton != theirs.skeleton or len(mine.figures) != len(theirs.figures):
                found.add((mine.number, -1))
                continue
            allowed = allowance((position + 1) / total)
            for place, (a, b) in enumerate(zip(mine.figures, theirs.figures, strict=True)):
                if _excess(a, b, 0.0, allowed) > 1.0:
                    found.add((mine.number, place))
    return found


def _clip(text: str) -> str:
    return repr(text if len(text) <= 90 else text[:87] + "...")
