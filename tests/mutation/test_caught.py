"""A part of `make mutation` for every run of the tests: breaks of many kinds, each to be called different.

The legacy runs are kept in `traces/`, so no TensorFlow 1 is needed. `python tests/mutation/run.py --kept FOLDER` makes
them anew where a program has changed.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from mutation.mutants import Mutant, Subject
from mutation.run import SUBJECTS, UNCHANGED, convert, judge, trace

from tfmigrate.verify.results import ScriptReport, Verdict

TRACES = Path(__file__).parent / "traces"
OFTEN = [(subject, mutant) for subject in SUBJECTS for mutant in subject.mutants if mutant.often]


@pytest.fixture(scope="module")
def reports(tf2_python: Path) -> dict[str, ScriptReport]:
    """The verdicts, two at a time."""

    def one(case: tuple[Subject, Mutant]) -> ScriptReport:
        subject, mutant = case
        golden = trace(subject, TRACES)
        assert golden.is_file(), f"{subject.path.name} has changed since {TRACES.name}/ was recorded"
        return judge(convert(subject), mutant, golden, tf2_python)

    cases = [*OFTEN, (OFTEN[0][0], UNCHANGED)]
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(map(name, cases), pool.map(one, cases), strict=True))


def name(case: tuple[Subject, Mutant]) -> str:
    return f"{case[0].path.stem}: {case[1].kind}"


@pytest.mark.tf
@pytest.mark.slow
@pytest.mark.parametrize("case", OFTEN, ids=name)
def test_a_break_is_caught(case: tuple[Subject, Mutant], reports: dict[str, ScriptReport]) -> None:
    report = reports[name(case)]
    assert report.verdict is Verdict.DIFFERS, report.reason


@pytest.mark.tf
@pytest.mark.slow
def test_the_unchanged_program_is_verified(reports: dict[str, ScriptReport]) -> None:
    report = reports[name((OFTEN[0][0], UNCHANGED))]
    assert report.verdict is Verdict.VERIFIED, report.reason
