"""Writing a conversion to a folder: whole or not at all, never over the user's files; a second run changes nothing."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tfmigrate.errors import InputError
from tfmigrate.model import Conversion, FileResult, Options, Status, Support
from tfmigrate.source import contents, output
from tfmigrate.source.interrupts import held_back
from tfmigrate.source.tree import MARKER, read


def make(root: Path) -> Path:
    (root / "sub").mkdir(parents=True)
    (root / "logs").mkdir()
    (root / "a.py").write_bytes(b"x = 1\r\n")
    (root / "sub/b.py").write_text("y = 2\n")
    (root / "run.sh").write_text("echo\n")
    (root / "run.sh").chmod(0o755)
    (root / "data.bin").write_bytes(bytes(range(256)))
    (root / "here").symlink_to("sub/b.py")
    (root / "away").symlink_to("../elsewhere")
    return root


def conversion(path: Path, new: str | None = "x = 10\r\n", support: str | None = "z = 3\n") -> Conversion:
    tree = read(path)
    return Conversion(
        tree,
        Options(),
        tuple(FileResult(f.path, Status.NATIVE, new if f.path == "a.py" else None) for f in tree.files),
        support=(Support("made.py", support),) if support else (),
    )


def snapshot(root: Path) -> dict[str, object]:
    return {
        str(p.relative_to(root)): os.readlink(p) if p.is_symlink() else p.read_bytes() if p.is_file() else None
        for p in sorted(root.rglob("*"))
    }


def times(root: Path) -> dict[str, int]:
    return {str(p.relative_to(root)): p.lstat().st_mtime_ns for p in sorted(root.rglob("*"))}


def test_the_whole_tree_is_there(tmp_path: Path) -> None:
    root, out = make(tmp_path / "old"), tmp_path / "made/new"
    before = snapshot(root)
    written = output.write(conversion(root), out)
    assert snapshot(root) == before
    assert (written.written, written.kept, written.missing) == (7, (), ())
    found = snapshot(out)
    found.pop(MARKER)
    assert found == before | {
        "a.py": b"x = 10\r\n",
        "made.py": b"z = 3\n",
        "away": str(tmp_path / "elsewhere"),
        "here": "sub/b.py",
    }
    assert (out / "run.sh").stat().st_mode & 0o777 == 0o755
    assert os.listdir(tmp_path / "made") == ["new"]


def test_a_second_run_changes_nothing(tmp_path: Path) -> None:
    root, out = make(tmp_path / "old"), tmp_path / "new"
    output.write(conversion(root), out)
    first = snapshot(out), times(out)
    assert output.write(conversion(root), out).written == 0
    # Staging inside the folder moves the folder's own time, nothing in it.
    assert (snapshot(out), times(out)) == first


def test_a_changed_conversion_replaces_what_it_wrote_and_removes_what_is_gone(tmp_path: Path) -> None:
    root, out = make(tmp_path / "old"), tmp_path / "new"
    output.write(conversion(root), out)
    (root / "sub/b.py").unlink()
    written = output.write(conversion(root, "x = 11\r\n", None), out)
    assert written.written == 1
    assert (out / "a.py").read_bytes() == b"x = 11\r\n"
    assert not (out / "made.py").exists()
    assert not (out / "sub/b.py").exists()


def test_what_programs_made_there_stays(tmp_path: Path) -> None:
    root, out = make(tmp_path / "old"), tmp_path / "new"
    output.write(conversion(root), out)
    (out / "logs/events").write_text("mine")
    (out / "data.bin").write_bytes(b"trained")
    written = output.write(conversion(root, "x = 11\r\n"), out)
    assert written.kept == ("data.bin",)
    assert ((out / "logs/events").read_text(), (out / "data.bin").read_bytes()) == ("mine", b"trained")
    assert output.write(conversion(root, "x = 12\r\n"), out).kept == ("data.bin",)


def test_an_edited_program_is_not_written_over(tmp_path: Path) -> None:
    root, out = make(tmp_path / "old"), tmp_path / "new"
    output.write(conversion(root), out)
    (out / "a.py").write_text("mine\n")
    before = snapshot(out)
    with pytest.raises(InputError, match=r"edited since they were written: a\.py"):
        output.write(conversion(root, "x = 11\r\n"), out)
    assert snapshot(out) == before


def test_edited_support_that_is_no_longer_made_stays(tmp_path: Path) -> None:
    root, out = make(tmp_path / "old"), tmp_path / "new"
    output.write(conversion(root), out)
    (out / "made.py").write_text("mine\n")
    output.write(conversion(root, support=None), out)
    assert (out / "made.py").read_text() == "mine\n"


@pytest.mark.parametrize(
    ("place", "why"),
    [("old", "input itself"), ("old/sub", "inside the input"), ("old/new/deep", "inside"), (".", "holds the input")],
)
def test_a_folder_that_would_harm_the_input_is_refused(tmp_path: Path, place: str, why: str) -> None:
    root = make(tmp_path / "old")
    before = snapshot(tmp_path)
    with pytest.raises(InputError, match=why):
        output.write(conversion(root), tmp_path / place)
    assert snapshot(tmp_path) == before


def test_a_folder_of_somebody_else_is_refused(tmp_path: Path) -> None:
    root = make(tmp_path / "old")
    (tmp_path / "new").mkdir()
    (tmp_path / "new/precious").touch()
    (tmp_path / "file").touch()
    (tmp_path / "gone").symlink_to("nowhere")
    for name, why in (("new", "not written by tfmigrate"), ("file", "is a file"), ("gone", "leads nowhere")):
        with pytest.raises(InputError, match=why):
            output.write(conversion(root), tmp_path / name)
    assert os.listdir(tmp_path / "new") == ["precious"]


def test_the_output_of_another_tree_is_refused(tmp_path: Path) -> None:
    output.write(conversion(make(tmp_path / "one")), tmp_path / "new")
    with pytest.raises(InputError, match="holds the conversion of"):
        output.write(conversion(make(tmp_path / "two")), tmp_path / "new")


def test_an_empty_folder_and_the_output_as_input_are_fine(tmp_path: Path) -> None:
    root = make(tmp_path / "old")
    (tmp_path / "new").mkdir()
    output.write(conversion(root), tmp_path / "new")
    again = conversion(tmp_path / "new", new=None, support=None)
    assert MARKER not in again.tree.others
    output.write(again, tmp_path / "newer")
    assert (tmp_path / "newer/made.py").read_text() == "z = 3\n"


def test_single_files_share_a_folder(tmp_path: Path) -> None:
    root, out = make(tmp_path / "old"), tmp_path / "new"
    output.write(conversion(root / "a.py"), out)
    output.write(conversion(root / "sub/b.py", support=None), out)
    assert sorted(os.listdir(out)) == [MARKER, "a.py", "b.py", "made.py"]
    with pytest.raises(InputError, match="the program lies there itself"):
        output.write(conversion(root / "a.py"), root)


def test_default_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make(tmp_path / "old")
    monkeypatch.chdir(root)
    assert output.beside(root, read(root)) == tmp_path / "old_tf2"
    assert output.beside(Path("."), read(Path("."))) == tmp_path / "old_tf2"
    assert output.beside(Path("a.py"), read(Path("a.py"))) == root / "a_tf2"


def test_an_interrupt_while_staging_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root, out = make(tmp_path / "old"), tmp_path / "new"
    monkeypatch.setattr(output.shutil, "copymode", lambda *_: signal.raise_signal(signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        output.write(conversion(root), out)
    assert os.listdir(tmp_path) == ["old"]


def test_an_interrupt_in_a_second_run_leaves_the_first_ones_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, out = make(tmp_path / "old"), tmp_path / "new"
    output.write(conversion(root), out)
    before = snapshot(out)
    monkeypatch.setattr(output.shutil, "copymode", lambda *_: signal.raise_signal(signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        output.write(conversion(root, "x = 11\r\n"), out)
    assert snapshot(out) == before


def test_an_interrupt_amid_the_renames_comes_after_them() -> None:
    steps = []
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012
        with held_back():
            steps.append("first")
            signal.raise_signal(signal.SIGINT)
            steps.append("second")
        steps.append("never")
    assert steps == ["first", "second"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_full_disk_is_an_input_error_that_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root, out = make(tmp_path / "old"), tmp_path / "new"

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", "somewhere")

    monkeypatch.setattr(output.shutil, "copymode", full)
    with pytest.raises(InputError, match="No space left"):
        output.write(conversion(root), out)
    assert os.listdir(tmp_path) == ["old"]


def test_support_never_takes_the_place_of_an_input_file(tmp_path: Path) -> None:
    root = make(tmp_path / "old")
    (root / "made.py").write_text("the user's\n")
    with pytest.raises(Exception, match=r"made\.py: a generated file would replace"):
        contents.changed(conversion(root))
