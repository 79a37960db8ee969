"""Two versions of a file side by side: changed regions with their context, like lines opposite each other.

Lines of a region are aligned by what they say, not by their place in it, so that a statement and its new form stand in
one row.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from tfmigrate.report import highlight
from tfmigrate.report.highlight import Piece

CONTEXT = 3
_ALIKE = 0.55  # two lines stand in one row from this share of common words on
_LARGEST_ALIGNMENT = 40_000  # cells of the table that aligns a region; larger regions are set by order
_BLANK = 0.6  # blank lines may stand opposite each other, but never at the cost of two statements
_MOST_MARKED = 0.7  # of a line's characters; where more differ, marking them tells nothing
_LONGEST = 400  # characters of a line that are looked at for likeness
_WORD = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True)
class Row:
    """One row: line numbers from 1 (0 where that side has no line) and the pieces of each side."""

    old: int
    new: int
    before: tuple[Piece, ...]
    after: tuple[Piece, ...]
    same: bool


@dataclass(frozen=True)
class Region:
    """Rows shown together. `changed` is False for context and for the surroundings of a finding in an unchanged place.

    `first`, `last`: the legacy lines that the region stands for; for an insertion the line before it.
    """

    rows: tuple[Row, ...]
    changed: bool
    first: int
    last: int


@dataclass(frozen=True)
class Gap:
    """Unchanged lines that are folded away: how many, from which line on either side, and their text."""

    lines: int
    old: int
    new: int
    text: str


@dataclass(frozen=True)
class SideBySide:
    """A whole file: regions and gaps in order; how many lines were taken away and added."""

    parts: tuple[Region | Gap, ...]
    removed: int
    added: int

    @property
    def changes(self) -> int:
        """How many changed regions there are."""
        return sum(isinstance(p, Region) and p.changed for p in self.parts)


def compare(before: str, after: str, *, marked: Sequence[int] = (), coloured: bool = True) -> SideBySide:
    """The two texts side by side. Lines of `marked` (legacy line numbers with a finding) are never folded away."""
    old, new = highlight.lines(before, coloured=coloured), highlight.lines(after, coloured=coloured)
    old_text, new_text = [highlight.text_of(r) for r in old], [highlight.text_of(r) for r in new]
    matcher = difflib.SequenceMatcher(None, old_text, new_text, autojunk=len(old_text) + len(new_text) > 6_000)
    blocks = _merged(matcher.get_opcodes(), old_text)
    shown = _shown_lines(blocks, {min(max(line, 1), len(old)) for line in marked}, len(old))
    parts: list[Region | Gap] = []
    removed = added = 0
    for same, i1, i2, j1, j2 in blocks:
        if not same:
            rows = _aligned(old, new, old_text, new_text, (i1, i2, j1, j2))
            removed += sum(not r.same and r.old > 0 for r in rows)
            added += sum(not r.same and r.new > 0 for r in rows)
            parts.append(Region(rows, True, i1 + 1 if i2 > i1 else i1, i2))
            continue
        i = i1
        while i < i2:
            end = i
            while end < i2 and (end + 1 in shown) == (i + 1 in shown):
                end += 1
            offset = j1 - i1
            if i + 1 in shown or end - i <= 1:
                rows = tuple(Row(n + 1, n + 1 + offset, old[n], new[n + offset], True) for n in range(i, end))
                parts.append(Region(rows, False, i + 1, end))
            else:
                parts.append(Gap(end - i, i + 1, i + 1 + offset, "\n".join(old_text[i:end])))
            i = end
    return SideBySide(tuple(parts), removed, added)


def _merged(
    opcodes: Sequence[tuple[str, int, int, int, int]], old: Sequence[str]
) -> list[tuple[bool, int, int, int, int]]:
    """Opcodes as (same, i1, i2, j1, j2); changes that only a blank line parts are one change."""
    blocks: list[tuple[bool, int, int, int, int]] = []
    for index, (tag, i1, i2, j1, j2) in enumerate(opcodes):
        same = tag == "equal"
        inner = 0 < index < len(opcodes) - 1
        if same and inner and i2 - i1 <= 2 and not "".join(old[i1:i2]).strip():
            same = False
        if blocks and not same and not blocks[-1][0]:
            _, a1, _, b1, _ = blocks.pop()
            i1, j1 = a1, b1
        blocks.append((same, i1, i2, j1, j2))
    return blocks


def _shown_lines(blocks: Sequence[tuple[bool, int, int, int, int]], marked: set[int], total: int) -> set[int]:
    shown: set[int] = set()
    for same, i1, i2, _, _ in blocks:
        if not same:
            shown |= set(range(i1 + 1 - CONTEXT, i2 + 1 + CONTEXT))
    for line in marked:
        shown |= set(range(line - 1, line + 2))
    return {n for n in shown if 1 <= n <= total}


def _aligned(
    old: Sequence[tuple[Piece, ...]],
    new: Sequence[tuple[Piece, ...]],
    old_text: Sequence[str],
    new_text: Sequence[str],
    region: tuple[int, int, int, int],
) -> tuple[Row, ...]:
    i1, i2, j1, j2 = region
    rows: list[Row] = []
    i, j = i1, j1
    for a, b in [*_pairs(old_text[i1:i2], new_text[j1:j2]), (i2 - i1, j2 - j1)]:
        if i1 + a - i == j1 + b - j:  # as many lines on either side: unlike as they are, they took each other's place
            rows += [_row(old, new, old_text, new_text, i + n, j + n) for n in range(i1 + a - i)]
        else:
            rows += [Row(n + 1, 0, old[n], (), False) for n in range(i, i1 + a)]
            rows += [Row(0, n + 1, (), new[n], False) for n in range(j, j1 + b)]
        i, j = i1 + a, j1 + b
        if i < i2 and j < j2:
            rows.append(_row(old, new, old_text, new_text, i, j))
            i, j = i + 1, j + 1
    return tuple(rows)


def _row(
    old: Sequence[tuple[Piece, ...]],
    new: Sequence[tuple[Piece, ...]],
    old_text: Sequence[str],
    new_text: Sequence[str],
    i: int,
    j: int,
) -> Row:
    """Two lines opposite each other."""
    if old_text[i] == new_text[j]:
        return Row(i + 1, j + 1, old[i], new[j], True)
    return Row(i + 1, j + 1, *_marked(old[i], new[j]), False)


def _pairs(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Which lines stand opposite each other, in order: the alignment with the greatest likeness in all."""
    if len(old) * len(new) > _LARGEST_ALIGNMENT:
        return []
    words_old, words_new = [_WORD.findall(t[:_LONGEST]) for t in old], [_WORD.findall(t[:_LONGEST]) for t in new]
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    likeness = [[_likeness(a, b) for b in words_new] for a in words_old]
    for i in range(len(old) - 1, -1, -1):
        for j in range(len(new) - 1, -1, -1):
            together = best[i + 1][j + 1] + likeness[i][j] if likeness[i][j] >= _ALIKE else 0.0
            best[i][j] = max(best[i + 1][j], best[i][j + 1], together)
    pairs, i, j = [], 0, 0
    while i < len(old) and j < len(new):
        if likeness[i][j] >= _ALIKE and best[i][j] == best[i + 1][j + 1] + likeness[i][j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def _likeness(a: Sequence[str], b: Sequence[str]) -> float:
    if not a or not b:
        return _BLANK if not a and not b else 0.0
    common, rest = 0, list(b)
    for word in a:
        if word in rest:
            rest.remove(word)
            common += 1
    return 2.0 * common / (len(a) + len(b))


def _marked(before: tuple[Piece, ...], after: tuple[Piece, ...]) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Both lines with the words that differ marked."""
    old, new = _words(before), _words(after)
    matcher = difflib.SequenceMatcher(None, [p.text for p in old], [p.text for p in new], autojunk=False)
    runs = [r for r in matcher.get_opcodes() if r[0] != "equal"]
    length = sum(len(p.text.strip()) for p in (*old, *new))
    apart = sum(len(p.text.strip()) for _, i1, i2, j1, j2 in runs for p in (*old[i1:i2], *new[j1:j2]))
    if apart > _MOST_MARKED * length:
        return before, after
    for _, i1, i2, j1, j2 in runs:
        _mark(old, i1, i2)
        _mark(new, j1, j2)
    return _joined(old), _joined(new)


def _mark(words: list[Piece], start: int, end: int) -> None:
    """Marks words, but not the space around them: a new indentation is no change worth a colour."""
    while start < end and words[start].text.isspace():
        start += 1
    while start < end and words[end - 1].text.isspace():
        end -= 1
    words[start:end] = [Piece(p.text, p.kind, True) for p in words[start:end]]


def _words(row: tuple[Piece, ...]) -> list[Piece]:
    return [Piece(word, p.kind) for p in row for word in re.findall(r"\w+|\s+|[^\w\s]", p.text)]


def _joined(words: Sequence[Piece]) -> tuple[Piece, ...]:
    row: list[Piece] = []
    for word in words:
        if row and (row[-1].kind, row[-1].changed) == (word.kind, word.changed):
            row[-1] = Piece(row[-1].text + word.text, word.kind, word.changed)
        else:
            row.append(word)
    return tuple(row)
