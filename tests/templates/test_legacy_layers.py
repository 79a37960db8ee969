"""The generated layers against TensorFlow 1.15's own, forwards, backwards and in what they keep."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tfmigrate.rewrite import templates

PROGRAMS = Path(__file__).parent / "programs"


@pytest.mark.slow
@pytest.mark.tf
@pytest.mark.tf1
def test_batch_normalization_equals_tensorflow_1s(tf1_python: Path, tf2_python: Path, tmp_path: Path) -> None:
    numpy = pytest.importorskip("numpy")
    (tmp_path / "legacy_layers.py").write_text(templates.render("legacy_layers"), encoding="utf-8")
    for side, python in (("before", tf1_python), ("after", tf2_python)):
        command = [python, PROGRAMS / "batch_normalization_steps.py", tmp_path, tmp_path / f"{side}.npz"]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr[-3000:]
    before, after = numpy.load(tmp_path / "before.npz"), numpy.load(tmp_path / "after.npz")
    assert sorted(before.files) == sorted(after.files)
    assert len(before.files) == 12 * 20 + 8 * 3
    for name in before.files:
        scale = numpy.abs(before[name]).max()
        numpy.testing.assert_allclose(after[name], before[name], rtol=1e-5, atol=1e-6 * scale + 1e-7, err_msg=name)
    moved = [name for name in before.files if name.endswith("/variance4") and (before[name] != 1.0).all()]
    assert len(moved) == 11, "the moving variance moves wherever the update ops run"
