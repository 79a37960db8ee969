"""The list of mutants is sound: what it changes is there, and the numbers that are promised hold."""

from __future__ import annotations

import ast

import pytest
from mutation.mutants import AnchorError, Mutant, Subject
from mutation.run import SUBJECTS, convert

ALL = [(subject, mutant) for subject in SUBJECTS for mutant in subject.mutants]
BREAKS = [mutant for _, mutant in ALL if not mutant.equivalent]


def test_there_are_as_many_as_promised() -> None:
    assert len(BREAKS) >= 100
    assert len({mutant.kind for mutant in BREAKS}) >= 25
    assert len(SUBJECTS) >= 10
    assert sum(subject.public for subject in SUBJECTS) >= 5
    assert len({(s.path, m.words) for s, m in ALL}) == len(ALL)


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda s: s.path.stem)
def test_each_changes_the_program_and_leaves_it_python(subject: Subject) -> None:
    converted = convert(subject)
    for mutant in subject.mutants:
        changed = mutant.apply(converted.texts, converted.entry)
        assert changed != converted.texts, mutant.kind
        ast.parse(changed[mutant.file or converted.entry])


def test_a_lost_anchor_is_an_error() -> None:
    with pytest.raises(AnchorError, match=r"a\.py: epsilon: the anchor is gone"):
        Mutant("epsilon", "1e-8", "1e-7").apply({"a.py": "print(1)\n"}, "a.py")
