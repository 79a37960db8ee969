"""The slow trainers grow their graph before and no longer after; those that rebuild it get several times faster.

Slopes of the step time are in the report of `make demo`: on a busy machine they are too blurred to be asserted.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tfmigrate.model import Program
from tfmigrate.verify.results import Verdict
from tfmigrate.verify.verification import verify_pair

LEGACY = Path(__file__).parents[2] / "samples" / "legacy"
TENFOLD = {"model_rebuilt_in_loop", "learning_rate_assign_in_loop"}
TRAINERS = sorted(TENFOLD | {"saver_in_loop", "summary_merge_in_loop"})


@pytest.mark.tf
@pytest.mark.tf1
@pytest.mark.slow
@pytest.mark.parametrize("name", TRAINERS)
def test_the_graph_grows_before_and_no_longer_after(
    name: str, converted: Path, programs: dict[str, Program], tf1_python: Path, tf2_python: Path
) -> None:
    entry = f"{name}.py"
    report = verify_pair(LEGACY, converted, entry, oracle="tf1", conversion=programs[entry], python=tf2_python)
    assert report.verdict is Verdict.VERIFIED, report.reason
    assert report.before.growth is not None
    assert report.after.growth is not None
    assert report.before.growth.ops_low > 0
    assert report.after.growth.ops_per_step == 0
    if name in TENFOLD:
        assert report.last_tenth is not None, report.speedup_note
        assert report.last_tenth.median > 3  # a quiet machine shows ten and more
