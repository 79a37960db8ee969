"""Replacing originals: only where git could bring them back, all of them or none."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from tfmigrate.errors import InputError
from tfmigrate.model import Conversion, FileResult, Options, Status, Support
from tfmigrate.source import inplace
from tfmigrate.source.tree import read


def git(root: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", "-C", str(root), *identity, *arguments], check=True, capture_output=True)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A committed tree of three programs."""
    for name in ("a.py", "b.py", "c.py"):
        (tmp_path / name).write_text("x = 1\n")
    (tmp_path / "a.py").chmod(0o755)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    return tmp_path


def conversion(root: Path, support: bool = True) -> Conversion:
    tree = read(root)
    made = (Support("made.py", "z = 3\n"),) if support else ()
    outputs = {"a.py": "x = 10\n", "b.py": "x = 20\n"}
    return Conversion(
        tree, Options(), tuple(FileResult(f.path, Status.NATIVE, outputs.get(f.path)) for f in tree.files), support=made
    )


def texts(root: Path) -> dict[str, str]:
    return {p.name: p.read_text() for p in sorted(root.iterdir()) if p.is_file()}


def test_committed_files_are_replaced_with_their_modes(root: Path) -> None:
    assert inplace.write(conversion(root)) == 3
    assert texts(root) == {"a.py": "x = 10\n", "b.py": "x = 20\n", "c.py": "x = 1\n", "made.py": "z = 3\n"}
    assert (root / "a.py").stat().st_mode & 0o777 == 0o755
    assert (root / "made.py").stat().st_mode & 0o777 == 0o644


def test_what_is_not_to_change_may_be_dirty(root: Path) -> None:
    (root / "c.py").write_text("x = 2\n")
    (root / "new.txt").touch()
    assert inplace.write(conversion(root)) == 3


@pytest.mark.parametrize("how", ["modified", "staged", "untracked", "ignored"])
def test_uncommitted_changes_are_refused(root: Path, how: str) -> None:
    if how in ("untracked", "ignored"):
        git(root, "rm", "-q", "--cached", "a.py")
        if how == "ignored":
            (root / ".gitignore").write_text("a.py\n")
        git(root, "add", "-u")
        git(root, "commit", "-qm", "second")
    else:
        (root / "a.py").write_text("x = 2\n")
        if how == "staged":
            git(root, "add", "a.py")
    before = texts(root)
    with pytest.raises(InputError, match=r"not committed: a\.py"):
        inplace.write(conversion(root))
    assert texts(root) == before
    assert inplace.write(conversion(root), force=True) == 3


def test_without_git_it_is_refused_with_advice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    (tmp_path / "a.py").write_text("x = 1\n")
    with pytest.raises(InputError, match="--out DIR"):
        inplace.write(conversion(tmp_path))
    monkeypatch.setenv("PATH", "")
    with pytest.raises(InputError, match="git is not installed"):
        inplace.write(conversion(tmp_path))
    assert texts(tmp_path) == {"a.py": "x = 1\n"}


def test_a_generated_file_does_not_replace_one_that_is_there(root: Path) -> None:
    found = conversion(root)
    (root / "made.py").write_text("the user's\n")
    with pytest.raises(InputError, match="is there already"):
        inplace.write(found)
    assert texts(root)["a.py"] == "x = 1\n"


def test_an_interrupt_before_the_renames_leaves_every_original(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = texts(root)
    calls: list[int] = []

    def interrupting(descriptor: int) -> None:
        calls.append(descriptor)
        if len(calls) == 2:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(inplace.os, "fsync", interrupting)
    with pytest.raises(KeyboardInterrupt):
        inplace.write(conversion(root))
    assert texts(root) == before
    assert sorted(os.listdir(root)) == [".git", "a.py", "b.py", "c.py"]
