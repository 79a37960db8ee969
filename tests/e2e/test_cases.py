"""Small programs, converted by the command and run: they print what TensorFlow 1.15.5 printed, or are refused.

`tests/cases/convert/NAME.py` has what the real 1.15.5 printed beside it in `NAME.out`. Where its second line is
`# refused for now: CODE`, a refusal that gives this code is right too: nothing else is. `tests/cases/refuse/NAME.py`
says in its first line why it must be refused, and marks with `# here` the lines that may be named for it. A program
with `(alone: …)` in its first line configures its process and gets one of its own.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from e2e.printed_numbers import difference

from tfmigrate.reasons import REASONS

CASES = Path(__file__).parents[1] / "cases"
CONVERT = sorted(path.stem for path in (CASES / "convert").glob("*.py"))
REFUSE = sorted(path.stem for path in (CASES / "refuse").glob("*.py"))
TIME_LIMIT = 600  # seconds for one child process
LEAST_NATIVE = 61  # of the programs in convert/; raise it when more of them are converted


@dataclass(frozen=True)
class Converted:
    """A tree of cases after `tfmigrate convert`: the new tree and what the command told of each file, by its path."""

    tree: Path
    told: dict[str, dict[str, Any]]
    errors: str


def _convert(source: Path, target: Path) -> Converted:
    result = target.with_suffix(".json")
    command = [sys.executable, "-m", "tfmigrate", "convert", str(source), "--out", str(target), "--json", str(result)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT, stdin=subprocess.DEVNULL)
    assert ran.returncode in (0, 1), ran.stdout + ran.stderr
    told = json.loads(result.read_text(encoding="utf-8"))
    return Converted(target, {file["path"]: file for file in told["files"]}, ran.stderr)


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of this module's own with a copy of the cases."""
    folder = tmp_path_factory.mktemp("cases")
    for name in ("convert", "refuse"):
        shutil.copytree(CASES / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.out"))
    return folder


@pytest.fixture(scope="module")
def converted(work: Path) -> Converted:
    """The programs that must become native."""
    return _convert(work / "convert", work / "native")


@pytest.fixture(scope="module")
def again(converted: Converted, work: Path) -> Converted:
    """The converted programs, converted a second time."""
    return _convert(converted.tree, work / "again")


@pytest.fixture(scope="module")
def refused(work: Path) -> Converted:
    """The programs that must be refused."""
    return _convert(work / "refuse", work / "refused")


@pytest.fixture(scope="module")
def printed(converted: Converted, work: Path, tf2_python: Path) -> dict[str, dict[str, str | None]]:
    """What each native program prints under TensorFlow 2, and how it ended."""
    native = [name for name in CONVERT if converted.told[f"{name}.py"]["status"] == "native"]
    alone = [name for name in native if "(alone:" in _first_line("convert", name)]
    batches = [[name] for name in alone] + [[name for name in native if name not in alone]]
    results: dict[str, dict[str, str | None]] = {}
    for number, batch in enumerate(batches):
        if batch:
            results |= _run(batch, converted.tree, work / f"printed{number}.json", tf2_python)
    return results


def _run(names: list[str], tree: Path, result: Path, python: Path) -> dict[str, dict[str, str | None]]:
    programs = {str(tree / f"{name}.py"): name for name in names}
    command = [str(python), str(Path(__file__).with_name("run_programs.py")), str(result), *programs]
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    ran = subprocess.run(
        command, capture_output=True, text=True, timeout=TIME_LIMIT, stdin=subprocess.DEVNULL, env=environment
    )
    got = json.loads(result.read_text(encoding="utf-8")) if result.exists() else {}
    lost = {"stdout": "", "error": f"the process ended with {ran.returncode}\n{ran.stderr[-2000:]}"}
    return {name: got.get(program, lost) for program, name in programs.items()}


def _first_line(folder: str, name: str) -> str:
    return (CASES / folder / f"{name}.py").read_text(encoding="utf-8").splitlines()[0]


def _may_be_refused_for(name: str) -> str | None:
    """The code of the line `# refused for now: CODE`, None where the program must be converted."""
    second = (CASES / "convert" / f"{name}.py").read_text(encoding="utf-8").splitlines()[1]
    return second.removeprefix("# refused for now: ") if second.startswith("# refused for now: ") else None


def _errors(told: dict[str, Any]) -> list[dict[str, Any]]:
    return [finding for finding in told["findings"] if finding["severity"] == "error"]


def _findings(told: dict[str, Any]) -> str:
    return "\n".join(f"{f['line']}:{f['column']} {f['code']} {f['message']}" for f in told["findings"])


def test_cases_have_their_parts() -> None:
    assert len(CONVERT) >= 40
    assert len(REFUSE) >= 20
    assert all((CASES / "convert" / f"{name}.out").stat().st_size for name in CONVERT)
    assert {path.stem for path in (CASES / "convert").glob("*.out")} == set(CONVERT)
    for name in REFUSE:
        assert _first_line("refuse", name).startswith("# refuse: "), name
        assert "# here" in (CASES / "refuse" / f"{name}.py").read_text(encoding="utf-8"), name
    assert {code for name in CONVERT if (code := _may_be_refused_for(name)) is not None} <= set(REASONS)


@pytest.mark.slow
def test_enough_of_them_are_native(converted: Converted) -> None:
    native = [name for name in CONVERT if converted.told[f"{name}.py"]["status"] == "native"]
    assert len(native) >= LEAST_NATIVE, f"{len(native)} of {len(CONVERT)}"


@pytest.mark.tf
@pytest.mark.slow
@pytest.mark.parametrize("name", CONVERT)
def test_prints_what_tensorflow_1_printed(
    name: str, converted: Converted, printed: dict[str, dict[str, str | None]]
) -> None:
    told = converted.told[f"{name}.py"]
    code = _may_be_refused_for(name)
    if code is not None and told["status"] == "refused":
        assert code in {finding["code"] for finding in _errors(told)}, _findings(told)
        source = CASES / "convert" / f"{name}.py"
        assert (converted.tree / source.name).read_bytes() == source.read_bytes()
        return
    assert told["status"] == "native", _findings(told)
    result = printed[name]
    text = (converted.tree / f"{name}.py").read_text(encoding="utf-8")
    assert result["error"] is None, f"{result['error']}\n{text}"
    expected = (CASES / "convert" / f"{name}.out").read_text(encoding="utf-8")
    found = difference(expected, str(result["stdout"]))
    assert found is None, f"{found}\n{text}"


@pytest.mark.slow
@pytest.mark.parametrize("name", CONVERT)
def test_second_conversion_changes_nothing(name: str, converted: Converted, again: Converted) -> None:
    path = f"{name}.py"
    if converted.told[path]["status"] == "native":
        assert again.told[path]["status"] == "unchanged", _findings(again.told[path])
    assert (again.tree / path).read_bytes() == (converted.tree / path).read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("name", REFUSE)
def test_is_refused_for_its_reason(name: str, refused: Converted) -> None:
    source = CASES / "refuse" / f"{name}.py"
    told = refused.told[f"{name}.py"]
    assert told["status"] == "refused", _findings(told)
    errors = _errors(told)
    here = {n for n, line in enumerate(source.read_text(encoding="utf-8").splitlines(), 1) if line.endswith("# here")}
    assert {finding["line"] for finding in errors} & here, _findings(told)
    assert all(finding["code"] in REASONS for finding in errors)
    assert (refused.tree / f"{name}.py").read_bytes() == source.read_bytes()
