"""`verify` and `convert --verify`: which pairs are run, with what, and the exit codes. The runs are stood in for."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from tfmigrate import pipeline
from tfmigrate.cli.app import app
from tfmigrate.model import Conversion, FileResult, Options, Place, Program, RunSite, SiteKind, SourceTree, Status
from tfmigrate.verify import verification
from tfmigrate.verify.results import ScriptReport, Verdict

Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Runs a command in this process; a target interpreter is named, so that none need be here."""
    monkeypatch.setenv("TFMIGRATE_TF2_PYTHON", str(tmp_path / "python"))
    runner = CliRunner()
    return lambda *arguments: runner.invoke(app, [str(a) for a in arguments])


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The arguments of each verification; a script named differ… differs."""
    found: list[dict[str, Any]] = []

    def verify_pair(before: Path | None, after: Path, entry: str, **options: Any) -> ScriptReport:
        found.append({"before": before, "after": after, "entry": entry, **options})
        options["progress"]("running")
        verdict = Verdict.DIFFERS if entry.startswith("differ") else Verdict.VERIFIED
        return ScriptReport(entry, verdict, "stood in")

    def convert(tree: SourceTree, options: Options, progress: object = None) -> Conversion:
        programs = tuple(
            Program(
                f.path,
                f.path,
                (f.path,),
                Status.REFUSED if "refused" in f.path else Status.NATIVE,
                (RunSite(Place(f.path, 1, 1), SiteKind.CALL, "train_step"),),
            )
            for f in tree.files
            if "plain" not in f.path
        )
        results = tuple(
            FileResult(p.entry, p.status, "def train_step(): pass\n" * (p.status is Status.NATIVE) or None)
            for p in programs
        )
        others = tuple(FileResult(f.path, Status.UNCHANGED) for f in tree.files if "plain" in f.path)
        return Conversion(tree, options, results + others, programs)

    monkeypatch.setattr(verification, "verify_pair", verify_pair)
    monkeypatch.setattr(pipeline, "convert", convert)
    return found


@pytest.fixture
def trees(tmp_path: Path) -> tuple[Path, Path]:
    """A legacy tree and its conversion."""
    for root, text in (("old", "x = 1\n"), ("new", "def train_step(): pass\n")):
        (tmp_path / root / "sub").mkdir(parents=True)
        for name in ("a.py", "sub/b.py", "plain.py"):
            (tmp_path / root / name).write_text(text)
    return tmp_path / "old", tmp_path / "new"


def test_every_entry_point_of_a_tree(run: Run, calls: list[dict[str, Any]], trees: tuple[Path, Path]) -> None:
    done = run("verify", *trees)
    assert done.exit_code == 0, done.output
    assert sorted((c["before"], c["after"], c["entry"]) for c in calls) == [(*trees, "a.py"), (*trees, "sub/b.py")]
    assert all(c["conversion"].entry == c["entry"] for c in calls)
    assert (calls[0]["oracle"], calls[0]["time_limit"], calls[0]["max_steps"], calls[0]["args"]) == (
        "auto",
        300.0,
        50,
        (),
    )


def test_named_entries_options_and_arguments(run: Run, calls: list[dict[str, Any]], trees: tuple[Path, Path]) -> None:
    (trees[0] / "pyproject.toml").write_text('[tool.tfmigrate]\nmax-steps = 7\nbefore = "tf1"\n')
    options = ("--entry", "plain.py", "--entry", "./sub/b.py", "--before", "both", "--time-limit", "9", "--jobs", "2")
    done = run("verify", *trees, *options, "--", "--epochs", "3")
    assert done.exit_code == 0, done.output
    assert sorted(c["entry"] for c in calls) == ["plain.py", "sub/b.py"]
    assert {(c["oracle"], c["time_limit"], c["max_steps"], c["args"]) for c in calls} == {
        ("both", 9.0, 7, ("--epochs", "3"))
    }
    assert calls[0]["turns"] is calls[1]["turns"]
    assert {c["entry"]: c["conversion"] is None for c in calls} == {"plain.py": True, "sub/b.py": False}


def test_two_files(run: Run, calls: list[dict[str, Any]], trees: tuple[Path, Path]) -> None:
    after = trees[1] / "renamed.py"
    after.write_text("def train_step(): pass\n")
    assert run("verify", trees[0] / "a.py", after).exit_code == 0
    assert (calls[0]["before"], calls[0]["after"], calls[0]["entry"], calls[0]["after_entry"]) == (
        *trees,
        "a.py",
        "renamed.py",
    )
    assert calls[0]["conversion"].entry == "a.py"


def test_a_pair_migrated_by_hand_is_judged_without_a_plan(
    run: Run, calls: list[dict[str, Any]], trees: tuple[Path, Path]
) -> None:
    (trees[1] / "a.py").write_text("def my_own_step(): pass\n")
    (trees[0] / "refused.py").write_text("x = 1\n")
    (trees[1] / "refused.py").write_text("y = 1\n")
    assert run("verify", *trees, "--entry", "a.py", "--entry", "refused.py").exit_code == 0
    assert [c["conversion"] for c in calls] == [None, None]
    (trees[1] / "refused.py").write_text("x = 1\n")  # the copy that a refusal leaves
    run("verify", *trees, "--entry", "refused.py")
    assert calls[-1]["conversion"].status is Status.REFUSED


def test_a_difference_gives_exit_code_1_and_stands_in_the_files(
    run: Run, calls: list[dict[str, Any]], trees: tuple[Path, Path], tmp_path: Path
) -> None:
    for root in trees:
        (root / "differ.py").write_text("def train_step(): pass\n")
    files = [tmp_path / "v.json", tmp_path / "r.md", tmp_path / "r.html", tmp_path / "r.json"]
    for file in files[1:]:
        done = run("verify", *trees, "--json", files[0], "--report", file)
        assert done.exit_code == 1, done.output
    scripts = json.loads(files[0].read_text())["scripts"]
    assert [(s["entry"], s["verdict"]) for s in scripts] == [
        ("a.py", "verified"),
        ("differ.py", "differs"),
        ("sub/b.py", "verified"),
    ]
    assert files[3].read_text() == files[0].read_text()
    assert all("differ.py" in file.read_text() for file in files[1:])


@pytest.mark.parametrize(
    "arguments",
    [
        ("old", "nothing"),
        ("nothing", "new"),
        ("old", "new/a.py"),
        ("old/a.py", "new/a.py", "--entry", "a.py"),
        ("old", "new", "--entry", "c.py"),
        ("old", "new", "--record", "g.zip"),
        ("old", "new", "--before", "tf3"),
        ("old", "new", "--report", "r.pdf"),
        ("old", "new", "--jobs", "0"),
        ("old",),
    ],
)
def test_bad_usage_is_exit_code_2(
    run: Run,
    calls: list[dict[str, Any]],
    trees: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
) -> None:
    monkeypatch.chdir(trees[0].parent)
    assert run("verify", *arguments).exit_code == 2
    assert calls == []


def test_without_tensorflow_it_says_what_to_install(
    run: Run, calls: list[dict[str, Any]], trees: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TFMIGRATE_TF2_PYTHON")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    done = run("verify", *trees)
    assert (done.exit_code, "tfmigrate[verify]" in done.stderr, calls) == (2, True, [])


def test_convert_verifies_right_after(
    run: Run, calls: list[dict[str, Any]], trees: tuple[Path, Path], tmp_path: Path
) -> None:
    done = run("convert", trees[0], "--verify", "--report", tmp_path / "r.html", "--max-steps", "5")
    assert done.exit_code == 0, done.output
    assert [(c["after"], c["entry"], c["max_steps"]) for c in calls] == [
        (tmp_path / "old_tf2", e, 5) for e in ("a.py", "sub/b.py")
    ]
    assert "Next:" not in done.output
    page = (tmp_path / "r.html").read_text()
    assert f"{trees[0]} → {tmp_path / 'old_tf2'}" in page


def test_refused_programs_are_shown_beside_the_verified(
    run: Run, calls: list[dict[str, Any]], trees: tuple[Path, Path]
) -> None:
    for root in trees:
        (root / "refused.py").write_text("x = 1\n")
    for done in (run("verify", *trees), run("convert", trees[0], "--verify")):
        rows = dict(line.split()[:2] for line in done.output.splitlines() if line.startswith(("a.py ", "refused.py ")))
        assert rows == {"a.py": "verified", "refused.py": "refused"}, done.output
    assert "refused.py" not in run("verify", *trees, "--entry", "a.py").output
    assert {c["entry"] for c in calls} == {"a.py", "sub/b.py"}


def test_a_report_shows_the_texts_that_were_run(
    run: Run, calls: list[dict[str, Any]], trees: tuple[Path, Path], tmp_path: Path
) -> None:
    (trees[0] / "a.py").write_text("legacy_marker = 1\n")
    (trees[1] / "a.py").write_text("def by_hand_marker(): pass\n")
    (trees[0] / "plain.py").write_text("plain_marker = 1\n")
    (trees[1] / "plain.py").write_text("other_marker = 1\n")
    report = tmp_path / "r.html"
    assert run("verify", *trees, "--entry", "a.py", "--entry", "plain.py", "--report", report).exit_code == 0
    page = report.read_text()
    assert f"{trees[0]} → {trees[1]}" in page
    for marker in ("legacy_marker", "by_hand_marker", "plain_marker", "other_marker"):
        assert marker in page, marker
    after = tmp_path / "renamed.py"
    after.write_text("def renamed_marker(): pass\n")
    assert run("verify", trees[0] / "a.py", after, "--report", report).exit_code == 0
    assert "renamed_marker" in report.read_text()
    assert "renamed.py" in report.read_text()
