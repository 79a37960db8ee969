"""Golden traces: what is kept comes back, and nothing else is unpacked."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from verify.synthetic import program, training

from tfmigrate.errors import InputError
from tfmigrate.verify import golden, store
from tfmigrate.verify.judge import gather
from tfmigrate.verify.recorded import Recorded
from tfmigrate.verify.results import Verdict
from tfmigrate.verify.verdict import rule


def on_disk(recorded: Recorded, folder: Path) -> Recorded:
    folder.mkdir()
    store.save(folder, recorded.trace)
    np.savez(folder / "values.npz", **recorded.arrays)
    return replace(recorded, folder=folder)


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    root.mkdir()
    (root / "main.py").write_text("print(1)\n")
    (root / "data.csv").write_text("1,2\n")
    file = tmp_path / "golden.zip"
    before = on_disk(training("before"), tmp_path / "trace")
    twin = on_disk(training("before", scale=lambda k: 1 + 1e-7), tmp_path / "twin")
    golden.write(file, before, twin, entry="main.py", args=("--fast",), max_steps=20, program=program(), root=root)
    return file


def test_a_kept_run_judges_a_conversion(kept: Path, tmp_path: Path) -> None:
    found = golden.read(kept, tmp_path / "out")
    assert (found.entry, found.args, found.max_steps, found.program) == ("main.py", ("--fast",), 20, program())
    assert found.twin is not None
    assert rule(gather(found.recorded, training("after"), found.program)).verdict is Verdict.VERIFIED
    assert rule(gather(found.recorded, training("after", rate=1.1), found.program)).verdict is Verdict.DIFFERS


def test_changed_inputs_are_named(kept: Path, tmp_path: Path) -> None:
    found = golden.read(kept, tmp_path / "out")
    assert golden.changed_inputs(found, tmp_path / "root") == []
    (tmp_path / "root" / "data.csv").write_text("1,3\n")
    assert golden.changed_inputs(found, tmp_path / "root") == ["data.csv"]


def test_no_golden_trace_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        golden.read(tmp_path / "missing.zip", tmp_path)
    (tmp_path / "x.zip").write_text("no zip")
    with pytest.raises(InputError, match="no golden trace"):
        golden.read(tmp_path / "x.zip", tmp_path)
    with zipfile.ZipFile(tmp_path / "y.zip", "w") as archive:
        archive.writestr("golden.json", json.dumps({"schema": 99}))
    with pytest.raises(InputError, match="schema 99"):
        golden.read(tmp_path / "y.zip", tmp_path)


def test_warnings_of_the_machine_are_not_kept(kept: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(kept) as archive:
        assert archive.read("run/stderr.txt") == b""
    assert golden.read(kept, tmp_path / "out").recorded.trace.stderr == ""


def test_paths_outside_the_folder_are_not_written(kept: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(kept, "a") as archive:
        archive.writestr("../evil.txt", "x")
        archive.writestr("run/../../evil.txt", "x")
    golden.read(kept, tmp_path / "deep" / "out")
    assert list(tmp_path.rglob("evil.txt")) == []
