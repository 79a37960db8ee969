"""Each generated optimizer against TensorFlow 1.15's own, over ten steps, and its manners inside TensorFlow 2."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tfmigrate.rewrite import templates

PROGRAMS = Path(__file__).parent / "programs"


def run(python: Path, *arguments: object) -> str:
    """Run a script with `python`; its standard output. A failure shows the end of its standard error."""
    done = subprocess.run([str(python), *map(str, arguments)], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds the whole fused_optimizers.py."""
    folder = tmp_path_factory.mktemp("generated")
    (folder / "fused_optimizers.py").write_text(templates.render("fused_optimizers"), encoding="utf-8")
    return folder


@pytest.mark.slow
@pytest.mark.tf
@pytest.mark.tf1
def test_ten_steps_equal_those_of_tensorflow_1(tf1_python: Path, tf2_python: Path, generated: Path) -> None:
    numpy = pytest.importorskip("numpy")
    script = PROGRAMS / "optimizer_steps.py"
    run(tf1_python, script, generated, generated / "before.npz")
    run(tf2_python, script, generated, generated / "after.npz")
    before, after = numpy.load(generated / "before.npz"), numpy.load(generated / "after.npz")
    assert sorted(before.files) == sorted(after.files)
    assert len(before.files) == 124
    differing = {}
    for case in before.files:
        rtol = {"float16": 4e-3, "float32": 1e-5, "float64": 1e-12}[case.rsplit("/", 1)[1]]
        scale = numpy.abs(before[case].astype("float64")).max()
        difference = numpy.abs(before[case].astype("float64") - after[case])
        if not (difference <= rtol * numpy.abs(before[case]) + 0.1 * rtol * scale).all():
            differing[case] = difference.max() / scale
        assert not (before[case][0] == before[case][-1]).all(), f"{case} moved nothing: the case proves nothing"
    assert not differing


@pytest.mark.slow
@pytest.mark.tf
def test_manners(tf2_python: Path, generated: Path) -> None:
    assert run(tf2_python, PROGRAMS / "optimizer_manners.py", generated).split()[-1] == "passed"
