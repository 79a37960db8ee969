"""The converted save/restore sample goes on from the checkpoint that the legacy program wrote, as that one would."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tfmigrate.verify.output import compare_output
from tfmigrate.verify.tolerance import Allowance

LEGACY = Path(__file__).parents[2] / "samples" / "legacy"
SCRIPT = "save_restore_continue.py"


def run(python: Path, program: Path, folder: Path) -> str:
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": ""}
    ran = subprocess.run(
        [str(python), "-W", "ignore", str(program)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        stdin=subprocess.DEVNULL,
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
    return ran.stdout


@pytest.mark.tf
@pytest.mark.tf1
@pytest.mark.slow
def test_goes_on_from_the_legacy_programs_checkpoint(
    converted: Path, tf1_python: Path, tf2_python: Path, tmp_path: Path
) -> None:
    started = tmp_path / "started"
    started.mkdir()
    first = run(tf1_python, LEGACY / SCRIPT, started)
    assert "went on" not in first
    legacy, native = (shutil.copytree(started, tmp_path / name) for name in ("legacy", "native"))
    expected = run(tf1_python, LEGACY / SCRIPT, legacy)
    found = run(tf2_python, converted / SCRIPT, native)
    assert "went on from step 120" in expected
    compared = compare_output(expected, found, lambda share: Allowance(1e-3, 1e-6, 0.0)).comparison
    assert compared.ok, compared.note
    assert compared.n > 10
    # and another start goes on from what the converted program wrote
    assert "went on from step 240" in run(tf2_python, converted / SCRIPT, native)
