"""The command line from outside: exit codes, messages, files. The conversion itself is mostly stood in for."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tfmigrate import pipeline
from tfmigrate.cli.app import app
from tfmigrate.model import (
    Conversion,
    FileResult,
    Finding,
    Options,
    Place,
    Program,
    RunSite,
    Severity,
    SiteKind,
    SourceTree,
    Status,
    Strategy,
    Support,
    VariablePair,
)

Run = Callable[..., Result]


@pytest.fixture
def run() -> Run:
    """Runs a command in this process."""
    runner = CliRunner()
    return lambda *arguments: runner.invoke(app, [str(a) for a in arguments])


@pytest.fixture
def standing_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """A conversion by the files' names: new_… becomes native, no_… is refused, bad_… fails; others stay."""

    def convert(tree: SourceTree, options: Options, progress: object = None) -> Conversion:
        results, programs = [], []
        for file in tree.files:
            name = Path(file.path).name
            code = {"no": "TFM003", "ho": "TFM008", "ba": "TFM001"}.get(name[:2])
            status = {"ne": Status.NATIVE, "no": Status.REFUSED, "ho": Status.REFUSED, "ba": Status.FAILED}.get(
                name[:2]
            )
            findings = (Finding(code, Severity.ERROR, Place(file.path, 2, 3), f"because of {code}"),) if code else ()
            output = (
                f"# {options.strategy.value}\n{file.text}"
                if status is Status.NATIVE and "#" not in str(file.text)
                else None
            )
            results.append(FileResult(file.path, status or Status.UNCHANGED, output, file.path, findings))
            if status is Status.NATIVE:
                site = RunSite(Place(file.path, 1, 5), SiteKind.CALL, "train_step", ("loss",), ("x", "y"))
                read = RunSite(Place(file.path, 2, 5), SiteKind.READ)
                pair = VariablePair("W", "W")
                programs.append(
                    Program(file.path, file.path, (file.path,), status, (site, read), (pair,), ("tensorboard",))
                )
        support = (Support("made.py", "z = 3\n"),) if any(r.output for r in results) else ()
        return Conversion(tree, options, tuple(results), tuple(programs), support)

    monkeypatch.setattr(pipeline, "convert", convert)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree with one file of each kind."""
    root = tmp_path / "old"
    (root / "sub").mkdir(parents=True)
    for name in ("new_a.py", "sub/new_b.py", "plain.py"):
        (root / name).write_text("x = 1\n")
    (root / "requirements.txt").write_text("numpy\ntensorflow==1.4\n")
    return root


def spawned(*arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tfmigrate", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload,no-any-return]


@pytest.mark.usefixtures("standing_in")
class TestConvert:
    def test_writes_beside_the_input_and_says_what_next(self, run: Run, tree: Path) -> None:
        done = run("convert", tree)
        assert done.exit_code == 0, done.output
        out = tree.parent / "old_tf2"
        assert (out / "new_a.py").read_text() == "# default\nx = 1\n"
        assert f"tfmigrate verify {tree} {out}" in done.output
        assert re.search(r"2 native .*\n.*1 unchanged", done.output)
        assert "tensorboard" in done.output
        assert f"{tree}/requirements.txt:2: tensorflow==1.4" in done.output

    def test_a_second_run_and_the_output_itself_change_nothing(self, run: Run, tree: Path) -> None:
        run("convert", tree)
        again = run("convert", tree)
        assert (again.exit_code, "up to date" in again.output) == (0, True)
        check = run("convert", "--check", tree.parent / "old_tf2")
        assert check.exit_code == 0, check.output

    def test_a_single_file_goes_into_the_folder_named(self, run: Run, tree: Path, tmp_path: Path) -> None:
        done = run("convert", tree / "new_a.py", "--out", tmp_path / "made", "--json", tmp_path / "c.json")
        assert done.exit_code == 0, done.output
        assert sorted(os.listdir(tmp_path / "made")) == [".tfmigrate.json", "made.py", "new_a.py"]
        (file,) = json.loads((tmp_path / "c.json").read_text())["files"]
        assert (file["path"], file["status"], file["output"]) == ("new_a.py", "native", "new_a.py")
        assert f"tfmigrate verify {tree}/new_a.py {tmp_path}/made/new_a.py" in done.output

    def test_several_paths(self, run: Run, tree: Path, tmp_path: Path) -> None:
        done = run(
            "convert", tree / "new_a.py", tree / "sub", "--out", tmp_path / "made", "--json", tmp_path / "c.json"
        )
        assert done.exit_code == 0, done.output
        assert (tmp_path / "made/sub/new_b.py").is_file()
        assert [f["path"] for f in json.loads((tmp_path / "c.json").read_text())["files"]] == [
            "new_a.py",
            "sub/new_b.py",
        ]

    def test_two_paths_for_one_place_are_refused(self, run: Run, tree: Path, tmp_path: Path) -> None:
        (tree / "sub/new_a.py").write_text("x = 2\n")
        done = run("convert", tree / "new_a.py", tree / "sub/new_a.py", "--out", tmp_path / "made")
        assert (done.exit_code, (tmp_path / "made").exists()) == (2, False)

    def test_refusals_are_ranked_and_give_exit_code_1(self, run: Run, tree: Path) -> None:
        for name in ("no_a.py", "no_b.py", "ho_c.py"):
            (tree / name).write_text("x = 1\n")
        done = run("convert", tree)
        assert done.exit_code == 1
        assert re.search(r"2 of 2 +TFM003 .*\n +1 of 1 +TFM008", done.output), done.output
        assert f"{tree}/no_a.py:2:3" in done.output

    def test_our_own_fault_gives_exit_code_3(self, run: Run, tree: Path) -> None:
        (tree / "bad_a.py").write_text("x = 1\n")
        done = run("convert", tree)
        assert (done.exit_code, f"{tree}/bad_a.py:2:3" in done.output) == (3, True)

    def test_diff_and_check_write_nothing(self, run: Run, tree: Path) -> None:
        diff = run("convert", "--diff", tree)
        assert (diff.exit_code, os.listdir(tree.parent)) == (0, ["old"])
        assert diff.output.startswith(
            "--- /dev/null\n+++ b/made.py\n@@ -0,0 +1 @@\n+z = 3\n--- a/new_a.py\n+++ b/new_a.py\n"
        )
        check = run("convert", "--check", tree)
        assert (check.exit_code, os.listdir(tree.parent)) == (1, ["old"])

    def test_a_diff_applies_where_it_was_made(self, run: Run, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tree.parent)
        diff = run("convert", "--diff", Path(tree.name))
        assert diff.exit_code == 0
        subprocess.run(["git", "apply", "-"], input=diff.output, text=True, cwd=tree.parent, check=True)
        assert (tree / "new_a.py").read_text() == "# default\nx = 1\n"

    def test_in_place_without_git_is_refused_unless_forced(
        self, run: Run, tree: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tree.parent.parent))
        assert run("convert", "--in-place", tree).exit_code == 2
        assert (tree / "new_a.py").read_text() == "x = 1\n"
        assert run("convert", "--in-place", "--force", tree).exit_code == 0
        assert (tree / "new_a.py").read_text() == "# default\nx = 1\n"

    def test_the_configuration_is_read_and_options_come_before_it(self, run: Run, tree: Path) -> None:
        (tree / "pyproject.toml").write_text('[tool.tfmigrate]\nstrategy = "tpu"\nexclude = ["sub"]\nout = "../made"\n')
        assert run("convert", tree).exit_code == 0
        assert (tree.parent / "made/new_a.py").read_text() == "# tpu\nx = 1\n"
        assert (tree.parent / "made/sub/new_b.py").read_text() == "x = 1\n"
        assert run("convert", tree, "--strategy", Strategy.NONE.value, "--out", tree.parent / "b").exit_code == 0
        assert (tree.parent / "b/new_a.py").read_text() == "# none\nx = 1\n"

    @pytest.mark.parametrize(
        "arguments",
        [
            ("--out", "x", "--diff"),
            ("--diff", "--check"),
            ("--in-place", "--out", "x"),
            ("--force",),
            ("--verify", "--diff"),
            ("--report", "r.html", "second"),
            ("--strategy", "horovod"),
            ("--no-such-option",),
        ],
    )
    def test_contradictions_are_usage_errors(self, run: Run, tree: Path, arguments: tuple[str, ...]) -> None:
        done = run("convert", tree, *arguments)
        assert (done.exit_code, os.listdir(tree.parent)) == (2, ["old"])


class TestBadInput:
    @pytest.mark.parametrize("command", ["convert", "check"])
    def test_a_path_that_is_not_there(self, run: Run, tmp_path: Path, command: str) -> None:
        done = run(command, tmp_path / "nothing")
        assert (done.exit_code, "no such file or folder" in done.stderr) == (2, True)

    @pytest.mark.parametrize(
        ("data", "place", "code"),
        [
            (b"x = 1\nprint 'x', y / x\n", "2:12", "TFM004"),
            (b"def f(:\n", "1:7", "TFM003"),
            (b"\x80\x04\x95\x00\x00", "1:4", "TFM001"),
            (b"s = '\xe9'\n", "1:6", "TFM002"),
        ],
    )
    def test_a_single_file_with_a_problem(self, run: Run, tmp_path: Path, data: bytes, place: str, code: str) -> None:
        (tmp_path / "a.py").write_bytes(data)
        done = run("convert", tmp_path / "a.py")
        assert (done.exit_code, os.listdir(tmp_path)) == (2, ["a.py"])
        assert f"{tmp_path}/a.py:{place}: {code}" in done.stderr

    def test_a_tree_with_problems_is_converted_without_losing_a_byte(self, run: Run, tmp_path: Path) -> None:
        bad = {
            "bin.py": b"\x00\x01",
            "old.py": b"print 'x', y / z\n",
            "latin.py": b"'\xe9'",
            "broken.py": b"(",
            "empty.py": b"",
        }
        root = tmp_path / "old"
        root.mkdir()
        for name, data in bad.items():
            (root / name).write_bytes(data)
        (root / "loop").symlink_to(".")
        done = run("convert", root, "--json", tmp_path / "c.json")
        assert done.exit_code == 1, done.output
        assert {name: (tmp_path / "old_tf2" / name).read_bytes() for name in bad} == bad
        found = {
            f["path"]: (f["status"], [x["code"] for x in f["findings"]])
            for f in json.loads((tmp_path / "c.json").read_text())["files"]
        }
        assert found == {
            "bin.py": ("refused", ["TFM001"]),
            "old.py": ("refused", ["TFM004"]),
            "latin.py": ("refused", ["TFM002"]),
            "broken.py": ("refused", ["TFM003"]),
            "empty.py": ("unchanged", []),
        }

    def test_an_output_inside_the_input(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "a.py").touch()
        done = run("convert", tmp_path, "--out", tmp_path / "made")
        assert (done.exit_code, os.listdir(tmp_path)) == (2, ["a.py"])
        assert "inside the input" in done.stderr

    def test_a_long_file(self, run: Run, tmp_path: Path) -> None:
        text = "".join(f"def f{n}(x):\n    return x + {n}\n" for n in range(10_000))
        (tmp_path / "a.py").write_text(text)
        assert run("convert", tmp_path / "a.py").exit_code == 0
        assert (tmp_path / "a_tf2/a.py").read_text() == text

    def test_no_permission_gives_exit_code_2_and_the_rest_is_there(
        self, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        root = tmp_path / "old"
        root.mkdir()
        for name in ("a.py", "secret.py", "secret.bin"):
            (root / name).write_text("x = 1\n")
        reading, copying = Path.read_bytes, __import__("shutil").copy2

        def read_bytes(self: Path) -> bytes:
            if self.name == "secret.py":
                raise PermissionError(13, "Permission denied", str(self))
            return reading(self)

        def copy2(source: Path, place: Path) -> object:
            if source.name == "secret.bin":
                raise PermissionError(13, "Permission denied", str(source))
            return copying(source, place)

        monkeypatch.setattr(Path, "read_bytes", read_bytes)
        monkeypatch.setattr("shutil.copy2", copy2)
        done = run("convert", root)
        assert done.exit_code == 2, done.output
        assert sorted(os.listdir(tmp_path / "old_tf2")) == [".tfmigrate.json", "a.py"]
        assert "secret.py" in done.output
        assert "secret.bin" in done.output

    def test_a_crash_of_ours_is_exit_code_3_and_writes_nothing(
        self, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "a.py").touch()

        def crash(*_: object) -> None:
            raise ZeroDivisionError("in the middle")

        monkeypatch.setattr(pipeline, "convert", crash)
        done = run("convert", tmp_path / "a.py")
        assert (done.exit_code, os.listdir(tmp_path)) == (3, ["a.py"])
        assert "internal error: ZeroDivisionError: in the middle" in done.stderr

    def test_a_report_that_cannot_be_written(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "a.py").touch()
        done = run("convert", tmp_path / "a.py", "--check", "--json", tmp_path / "a.py/c.json")
        assert (done.exit_code, "cannot be written" in done.stderr) == (2, True)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_in_the_middle_leaves_nothing_half_written(tmp_path: Path, number: int, code: int) -> None:
    root = tmp_path / "old"
    root.mkdir()
    (root / "a.py").write_text("x = 1\n")
    os.mkfifo(tmp_path / "held")
    # Copying the file of that name waits for a pipe that nobody writes: the command is caught amid its writing.
    (root / "zz.bin").write_bytes(b"data")
    program = (
        "import shutil, sys\nfrom tfmigrate.cli import main\n"
        f"shutil.copy2 = lambda *a: open({str(tmp_path / 'held')!r}).read()\n"
        "sys.argv[1:] = ['convert', sys.argv[1]]\nmain()\n"
    )
    child = subprocess.Popen([sys.executable, "-c", program, str(root)], stderr=subprocess.PIPE, text=True)
    try:
        until = time.monotonic() + 60
        while not any(p.name.startswith(".old_tf2.") for p in tmp_path.iterdir()) and time.monotonic() < until:
            time.sleep(0.02)
        time.sleep(0.3)
        assert child.poll() is None
        child.send_signal(number)
        _, errors = child.communicate(timeout=60)
    finally:
        child.kill()
    assert (child.returncode, sorted(os.listdir(tmp_path))) == (code, ["held", "old"])
    assert "no file is half-written" in errors


def test_convert_imports_no_tensorflow(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import tensorflow as tf\nx = tf.placeholder(tf.float32)\n")
    program = (
        "import sys\nfrom tfmigrate.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print([m for m in sys.modules if m.split('.')[0] in ('tensorflow', 'keras', 'tf_keras', 'numpy')])\n"
    )
    command = [sys.executable, "-c", program, "convert", str(tmp_path / "a.py"), "--out", str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert (tmp_path / "out/a.py").is_file(), done.stderr
    assert done.stdout.splitlines()[-1] == "[]"


def test_check_names_places_and_ends_with_1(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "x = 1\nimport tensorflow as tf\nx = tf.placeholder(tf.float32)\nprint(tf.Session().run(x))\n"
    )
    (tmp_path / "b.py").write_text("print 'x', y / z\n")
    done = run("check", tmp_path, "--json", tmp_path / "found.json")
    assert done.exit_code == 1, done.output
    assert re.search(rf"^{re.escape(str(tmp_path))}/a\.py:\d+:\d+: TFM\d+ ", done.output, re.MULTILINE), done.output
    assert f"{tmp_path}/b.py:1:12: TFM004" in done.output
    rows = json.loads((tmp_path / "found.json").read_text())["findings"]
    assert {row["path"] for row in rows} == {"a.py", "b.py"}
    (tmp_path / "a.py").write_text("x = 1\n")
    (tmp_path / "b.py").unlink()
    clean = run("check", tmp_path)
    assert (clean.exit_code, clean.output) == (0, "")


def test_explain_knows_every_code(run: Run) -> None:
    listing = run("explain")
    codes = re.findall(r"^(TFM\d{3}) ", listing.output, re.MULTILINE)
    assert codes == sorted(set(codes))
    assert "TFM004" in codes
    done = run("explain", *codes)
    assert (done.exit_code, all(code in done.output for code in codes)) == (0, True)
    unknown = run("explain", "TFM0004")
    assert (unknown.exit_code, "did you mean TFM004" in unknown.stderr) == (2, True)


def test_help_and_version_come_fast_and_whole() -> None:
    done = spawned("--help")
    assert done.returncode == 0
    assert all(name in done.stdout for name in ("convert", "verify", "check", "explain", "tf1"))
    assert re.fullmatch(r"tfmigrate \d+\.\d+\.\d+\S*\n", spawned("--version").stdout)
    program = (
        "import sys\nsys.argv[1:] = ['--help']\nfrom tfmigrate.cli import main\n"
        "try:\n    main()\nfinally:\n    print('libcst' in sys.modules, 'jinja2' in sys.modules)\n"
    )
    lazy = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert lazy.stdout.splitlines()[-1] == "False False"


def test_plain_output_elsewhere_than_on_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "é.py").write_text("x = 1\n")
    done = spawned(
        "convert",
        tmp_path / "é.py",
        env={**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii:strict"},
    )
    assert (done.returncode, "\x1b" in done.stdout + done.stderr) == (0, False), done.stderr


def test_a_closed_pipe_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "a.py").touch()
    command = f"{sys.executable} -m tfmigrate explain | head -n 1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False)
    assert (done.stderr, done.stdout.startswith("TFM")) == ("", True)
