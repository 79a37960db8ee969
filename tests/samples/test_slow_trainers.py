"""The slow trainers get slower with every step before and no longer after: the blog posts' claim, as ratios."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfmigrate.model import Program
from tfmigrate.verify.results import ScriptReport, Verdict
from tfmigrate.verify.verification import verify_pair

LEGACY = Path(__file__).parents[2] / "samples" / "legacy"
TENFOLD = {"model_rebuilt_in_loop", "learning_rate_assign_in_loop"}
LEFT = 0.05  # share of the growth that may be left: slopes of a few microseconds are the machine's
TRAINERS = sorted(TENFOLD | {"saver_in_loop", "summary_merge_in_loop"})


def _wrong(name: str, report: ScriptReport) -> list[str]:
    """What of the claim the figures do not show. Growth is seen in its sign, gain in a ratio: no time is asked for."""
    before, after = report.before.growth, report.after.growth
    if before is None or after is None or report.last_tenth is None:
        return [f"no figures: {report.speedup_note}"]
    wrong = []
    if before.ms_low <= 0:
        wrong.append(f"no growth before: {before}")
    if after.ms_low > LEFT * before.ms_per_step:  # a machine that gets less busy meanwhile lets steps get faster
        wrong.append(f"growth after: {after}")
    if report.last_tenth.median < (10 if name in TENFOLD else 1):
        wrong.append(f"over the last tenth only {report.last_tenth}")
    return wrong


@pytest.mark.tf
@pytest.mark.tf1
@pytest.mark.slow
@pytest.mark.parametrize("name", TRAINERS)
def test_each_step_takes_longer_before_and_no_longer_after(
    name: str, converted: Path, programs: dict[str, Program], tf1_python: Path, tf2_python: Path
) -> None:
    entry, wrong = f"{name}.py", [""]
    for _ in range(2):  # a machine that is busy with other things blurs slopes: once more then
        report = verify_pair(LEGACY, converted, entry, oracle="tf1", conversion=programs[entry], python=tf2_python)
        assert report.verdict is Verdict.VERIFIED, report.reason
        assert report.before.growth is not None
        assert report.after.growth is not None
        assert report.before.growth.ops_low > 0
        assert report.after.growth.ops_per_step == 0
        wrong = _wrong(name, report)
        if not wrong:
            break
    assert not wrong
