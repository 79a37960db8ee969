"""What a mutant is, how it is put into a converted program, and the list of all.

A mutant breaks the *converted* program: `old` is a piece of its text (an anchor), `new` what takes its place, once. The
programs are converted anew for each run, so that the list follows the converter; an anchor that is gone is an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "samples" / "legacy"
REPORTS = Path(__file__).parent / "programs"  # written after public reports of migrations that went wrong


class AnchorError(AssertionError):
    """The text that a mutant changes is not in the converted program: the mutant must be written anew."""


@dataclass(frozen=True)
class Mutant:
    """One break. `kind` names it as a reviewer would; `file` is the changed file where it is not the program itself.

    `equivalent` says why the change breaks nothing, "" for a true break: such a mutant must be verified. `often` marks
    those that the ordinary tests run too.
    """

    kind: str
    old: str
    new: str
    file: str = ""
    equivalent: str = ""
    often: bool = False
    also: Sequence[tuple[str, str]] = field(default=())

    def apply(self, texts: dict[str, str], entry: str) -> dict[str, str]:
        """The converted files with this break. Raises AnchorError."""
        name = self.file or entry
        text = texts[name]
        for old, new in ((self.old, self.new), *self.also):
            if old not in text:
                raise AnchorError(f"{entry}: {self.kind}: the anchor is gone from {name}: {old!r}")
            text = text.replace(old, new, 1)
        return {**texts, name: text}

    @property
    def words(self) -> str:
        """The change in one line."""
        return "; ".join(f"{_line(old)} => {_line(new)}" for old, new in ((self.old, self.new), *self.also))


@dataclass(frozen=True)
class Subject:
    """A legacy program and its mutants. `public` tells that it stands for a public report."""

    path: Path
    mutants: tuple[Mutant, ...]

    @property
    def public(self) -> bool:
        return self.path.parent == REPORTS


def _line(text: str) -> str:
    return " ".join(text.split()) or "(nothing)"
