"""The slow trainers get slower with every step before and no longer after: the blog posts' claim, as ratios."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfmigrate.model import Program
from tfmigrate.verify.results import Growth, Verdict
from tfmigrate.verify.verification import verify_pair

LEGACY = Path(__file__).parents[2] / "samples" / "legacy"
TENFOLD = {"model_rebuilt_in_loop", "learning_rate_assign_in_loop"}
TRAINERS = sorted(TENFOLD | {"saver_in_loop", "summary_merge_in_loop"})


@pytest.mark.tf
@pytest.mark.tf1
@pytest.mark.slow
@pytest.mark.parametrize("name", TRAINERS)
def test_each_step_takes_longer_before_and_no_longer_after(
    name: str, converted: Path, programs: dict[str, Program], tf1_python: Path, tf2_python: Path
) -> None:
    entry = f"{name}.py"
    report = verify_pair(LEGACY, converted, entry, oracle="tf1", conversion=programs[entry], python=tf2_python)
    assert report.verdict is Verdict.VERIFIED, report.reason
    before, after = report.before.growth, report.after.growth
    assert isinstance(before, Growth), report.before
    assert isinstance(after, Growth), report.after
    assert before.ops_low > 0
    assert before.ms_low > 0, before
    assert after.ops_per_step == 0
    assert after.ms_low <= 0 <= after.ms_high, after
    assert report.after.traces <= len(report.sites), "a step function is traced again"
    assert report.last_tenth is not None, report.speedup_note
    if name in TENFOLD:
        assert report.last_tenth.median >= 10, report.last_tenth
    else:
        assert "faster" in report.speedup_note, report.speedup_note
