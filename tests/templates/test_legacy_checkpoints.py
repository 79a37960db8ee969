"""What the generated legacy_checkpoints.py saves and restores, TensorFlow 1.15's own checkpoints among it."""

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
    """A folder that holds the whole legacy_checkpoints.py and fused_optimizers.py."""
    folder = tmp_path_factory.mktemp("generated")
    for name in ("legacy_checkpoints", "fused_optimizers"):
        (folder / f"{name}.py").write_text(templates.render(name), encoding="utf-8")
    return folder


@pytest.mark.slow
@pytest.mark.tf
@pytest.mark.tf1
def test_training_goes_on_from_tensorflow_1s_checkpoint(
    tf1_python: Path, tf2_python: Path, generated: Path, tmp_path: Path
) -> None:
    run(tf1_python, PROGRAMS / "legacy_checkpoint_writer.py", tmp_path)
    assert run(tf2_python, PROGRAMS / "checkpoint_reader.py", generated, tmp_path).split()[-1] == "passed"


@pytest.mark.tf
def test_saving_restoring_and_deleting(tf2_python: Path, generated: Path) -> None:
    assert run(tf2_python, PROGRAMS / "checkpoint_reader.py", generated, "").split()[-1] == "passed"
