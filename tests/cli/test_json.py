"""The convert JSON document keeps to its schema."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import jsonschema
import pytest

from tfmigrate.errors import InputError
from tfmigrate.model import (
    Conversion,
    FileResult,
    Finding,
    Options,
    Place,
    Program,
    RunSite,
    Severity,
    SignatureChange,
    SiteKind,
    SourceFile,
    SourceTree,
    Status,
    Support,
    VariablePair,
)
from tfmigrate.report.json import document, render, write

TEXT = {"type": "string"}
COUNT = {"type": "integer", "minimum": 0}
STATUS = {"enum": ["native", "bridged", "refused", "unchanged", "failed"]}
SITE = {"type": "string", "pattern": r"^.+:[1-9]\d*:[1-9]\d*$"}


def table(required: dict[str, object]) -> dict[str, object]:
    return {"type": "object", "properties": required, "required": list(required)}


def rows(required: dict[str, object]) -> dict[str, object]:
    return {"type": "array", "items": table(required)}


FINDINGS = rows(
    {
        "code": {"type": "string", "pattern": r"^TFM\d{3}$"},
        "severity": {"enum": ["error", "warning", "info"]},
        "line": {"type": "integer", "minimum": 1},
        "column": {"type": "integer", "minimum": 1},
        "message": TEXT,
    }
)
SCHEMA = table(
    {
        "schema": {"const": 1},
        "tool": {"type": "string", "pattern": r"^tfmigrate \d+\.\d+"},
        "files": rows(
            {
                "path": TEXT,
                "status": STATUS,
                "output": {"type": ["string", "null"]},
                "program": {"type": ["string", "null"]},
                "findings": FINDINGS,
            }
        ),
        "programs": rows(
            {
                "id": TEXT,
                "entry": TEXT,
                "files": {"type": "array", "items": TEXT, "minItems": 1},
                "status": STATUS,
                "steps": rows(
                    {
                        "name": {"type": "string", "minLength": 1},
                        "site": SITE,
                        "fetches": {"type": "array", "items": TEXT},
                        "parameters": {"type": "array", "items": TEXT},
                    }
                ),
                "variables": rows({"legacy_name": TEXT, "object_path": TEXT}),
            }
        ),
        "totals": table(dict.fromkeys(STATUS["enum"], COUNT)),
    }
)


def conversion(root: str = "/w/tree") -> Conversion:
    tree = SourceTree(Path(root), (SourceFile("a.py", "x"), SourceFile("sub/b.py", "y")), others=("data",))
    site = RunSite(Place("a.py", 7, 9), SiteKind.CALL, "train_step", ("loss", "acc"), ("x",), in_loop=True)
    return Conversion(
        tree,
        Options(),
        (
            FileResult(
                "a.py", Status.NATIVE, "new", "p1", (Finding("TFM401", Severity.WARNING, Place("a.py", 3, 1), "odd"),)
            ),
            FileResult("sub/b.py", Status.UNCHANGED),
        ),
        (
            Program(
                "p1",
                "a.py",
                ("a.py",),
                Status.NATIVE,
                (site, RunSite(Place("a.py", 9, 1), SiteKind.SAVE), RunSite(Place("a.py", 8, 1), SiteKind.READ, "")),
                (VariablePair("W/kernel", "model.dense.kernel"), VariablePair("step", "step", trainable=False)),
                ("tensorboard",),
            ),
        ),
        (Support("fused_optimizers.py", "z"),),
        (SignatureChange(Place("a.py", 2, 5), "net(x)", "Net()"),),
    )


def test_it_keeps_to_the_schema() -> None:
    jsonschema.validate(json.loads(render([conversion()])), SCHEMA)
    jsonschema.validate(json.loads(render([])), SCHEMA)


def test_only_calls_are_steps_and_files_are_the_inputs_only() -> None:
    found = document([conversion()])
    assert [f["path"] for f in found["files"]] == ["a.py", "sub/b.py"]
    assert found["programs"][0]["steps"] == [
        {"name": "train_step", "site": "a.py:7:9", "fetches": ["loss", "acc"], "parameters": ["x"]}
    ]
    assert [v["legacy_name"] for v in found["programs"][0]["variables"]] == ["W/kernel", "step"]
    assert found["totals"] == {"native": 1, "bridged": 0, "refused": 0, "unchanged": 1, "failed": 0}
    assert [f["output"] for f in found["files"]] == ["a.py", "sub/b.py"]
    assert {f["output"] for f in document([conversion()], written=False)["files"]} == {None}


def test_several_trees_are_told_apart() -> None:
    found = document([conversion("/w/one"), conversion("/w/two")])
    assert [f["path"] for f in found["files"]] == ["one/a.py", "one/sub/b.py", "two/a.py", "two/sub/b.py"]
    assert [p["steps"][0]["site"] for p in found["programs"]] == ["one/a.py:7:9", "two/a.py:7:9"]
    assert found["totals"]["native"] == 2


def test_names_that_are_no_unicode_come_through() -> None:
    tree = SourceTree(Path("/w"), (SourceFile("\udcff.py", None),))
    text = render([Conversion(tree, Options(), (FileResult("\udcff.py", Status.REFUSED),))])
    assert json.loads(text)["files"][0]["path"] == "\udcff.py"
    text.encode("ascii")


def test_a_link_is_followed_and_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    write(tmp_path / "link", "new")
    assert ((tmp_path / "link").is_symlink(), (tmp_path / "real").read_text()) == (True, "new")


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    import os

    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    write(pipe, "through")
    reader.join(10)
    assert (got, pipe.is_fifo()) == (["through"], True)


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "c.json").write_text("old")

    def full(self: Path, *_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(InputError, match="No space left"):
        write(tmp_path / "c.json", "new")
    assert [p.name for p in tmp_path.iterdir()] == ["c.json"]
    assert (tmp_path / "c.json").read_text() == "old"
