"""Summaries of a converted program against those of TensorFlow 1.15's merged op, read back from the event files."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tfmigrate.rewrite import templates

PROGRAM = Path(__file__).parent / "programs" / "summaries.py"


@pytest.mark.tf
@pytest.mark.tf1
def test_tags_steps_and_values_agree(tf1_python: Path, tf2_python: Path, tmp_path: Path) -> None:
    numpy = pytest.importorskip("numpy")
    (tmp_path / "legacy_summaries.py").write_text(templates.render("legacy_summaries"), encoding="utf-8")
    for side, python in (("before", tf1_python), ("after", tf2_python)):
        command = [python, PROGRAM, tmp_path, tmp_path / f"{side}.npz"]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr[-3000:]
    before, after = numpy.load(tmp_path / "before.npz"), numpy.load(tmp_path / "after.npz")
    assert sorted(before.files) == sorted(after.files)
    assert len(before.files) == 3 * (4 + 2 + 2 + 3)
    for key in before.files:
        if before[key].dtype.kind == "S":
            assert before[key].tobytes().rstrip(b"\0") == after[key].tobytes().rstrip(b"\0"), key
        elif before[key].dtype == numpy.uint8:
            numpy.testing.assert_allclose(after[key].astype(int), before[key].astype(int), atol=1, err_msg=key)
            assert (after[key] == before[key]).mean() > 0.95, key
        else:
            numpy.testing.assert_allclose(after[key], before[key], rtol=1e-6, err_msg=key)
