"""The samples are what their README says: they run anywhere, print numbers, and grow where told."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
from pathlib import Path

import pytest

SAMPLES = Path(__file__).parents[2] / "samples"
README = (SAMPLES / "README.md").read_text(encoding="utf-8")
FILES = sorted((SAMPLES / "legacy").glob("*.py"))
PROGRAMS = [path for path in FILES if path.stem != "network_model"]
GROWTH = {name: int(ops) for name, ops in re.findall(r"^\| \[`(\w+)\.py`\].*\| (\d+) \|$", README, flags=re.MULTILINE)}
RUNS_IN_A_STEP = {"saver_in_loop": 2, "model_rebuilt_in_loop": 1, "learning_rate_assign_in_loop": 2}
RUNS_IN_A_STEP["summary_merge_in_loop"] = 1


def _run(python: Path, folder: Path, *arguments: str) -> str:
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": ""}
    ran = subprocess.run(
        [str(python), *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        stdin=subprocess.DEVNULL,
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
    return ran.stdout


def test_readme_lists_each_file_once() -> None:
    assert sorted(re.findall(r"\]\(legacy/(\w+\.py)\)", README)) == [path.name for path in FILES]
    assert len(PROGRAMS) >= 12
    assert set(GROWTH) == set(RUNS_IN_A_STEP)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_is_a_short_documented_program_for_any_machine(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(text))
    assert 20 <= len(text.splitlines()) <= 100
    assert not re.search(r"""["'](/(tmp|home|root|usr|var|mnt|data)\b|~|[A-Z]:\\)""", text), "an absolute path"


@pytest.mark.tf1
@pytest.mark.slow
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_runs_and_prints_the_same_numbers_twice(path: Path, tf1_python: Path, tmp_path: Path) -> None:
    printed = []
    for folder in (tmp_path / "first", tmp_path / "second"):
        folder.mkdir()
        lines = _run(tf1_python, folder, "-W", "ignore", str(path)).splitlines()
        printed.append([line for line in lines if "time cost" not in line])
    assert sum(character.isdigit() for line in printed[0] for character in line) > 20
    assert printed[0] == printed[1]


@pytest.mark.tf1
@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(RUNS_IN_A_STEP))
def test_grows_by_the_ops_that_the_readme_says(name: str, tf1_python: Path, tmp_path: Path) -> None:
    counter, program = Path(__file__).with_name("count_ops.py"), SAMPLES / "legacy" / f"{name}.py"
    a_step = RUNS_IN_A_STEP[name]
    printed = _run(tf1_python, tmp_path, "-W", "ignore", str(counter), str(program), str(1 + 8 * a_step))
    sizes = json.loads(printed.splitlines()[-1])[1:]  # the first run is the initializer's
    grown = [later - earlier for earlier, later in zip(sizes[a_step:], sizes[2 * a_step :], strict=False)]
    assert grown == [GROWTH[name]] * len(grown)
    assert len(grown) >= 6
