"""A wheel holds the templates and everything else that a conversion needs; so does an editable install."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RENDER = (
    "import tfmigrate, tfmigrate.rewrite.templates as t\n"
    "from tfmigrate.report import html\n"
    "from tfmigrate import symbols\n"
    "print(tfmigrate.__file__)\n"
    "compile(t.render('fused_optimizers', ['Adam']), 'made', 'exec')\n"
    "assert html.render(None, []).lower().lstrip().startswith('<!doctype html')\n"
    "assert symbols.legacy('placeholder') is not None\n"
)


def rendered(cwd: Path, **more: str) -> Path:
    done = subprocess.run(
        [sys.executable, "-c", RENDER], cwd=cwd, env={**os.environ, **more}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip()).parent


def test_an_editable_install_finds_its_templates(tmp_path: Path) -> None:
    assert rendered(tmp_path) == ROOT / "src/tfmigrate"


@pytest.mark.slow
def test_a_wheel_finds_its_templates(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", str(tmp_path), str(ROOT)], check=True)
    (wheel,) = tmp_path.glob("tfmigrate-*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    templates = {p.relative_to(ROOT).as_posix() for p in (ROOT / "templates").rglob("*.j2")}
    assert {f"tfmigrate/{name}" for name in templates} <= set(names)
    assert not [name for name in names if name.endswith(".pyc") or name.startswith(("tests/", "samples/"))]
    site = tmp_path / "site"
    subprocess.run([*pip, "install", "--no-deps", "--target", str(site), str(wheel)], check=True)
    assert rendered(tmp_path, PYTHONPATH=str(site)) == site / "tfmigrate"
