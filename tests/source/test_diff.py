"""The diff is one that `git apply` takes, whatever the encoding and the line ends."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tfmigrate.model import Conversion, FileResult, Options, Status, Support
from tfmigrate.source.diff import unified
from tfmigrate.source.tree import read

PAIRS = {
    "plain.py": (b"a = 1\nb = 2\nc = 3\n", b"a = 1\nb = 20\nc = 3\n"),
    "crlf.py": (b"a = 1\r\nb = 2\r\n", b"a = 1\r\nb = 20\r\nc = 3\r\n"),
    "mixed.py": (b"a = 1\r\nb = 2\n\x0cc = 3\n", b"a = 1\r\nb = 2\n\x0cc = 4\n"),
    "no_end.py": (b"a = 1\nb = 2", b"a = 1\nb = 20"),
    "gains_end.py": (b"a = 1", b"a = 1\n"),
    "latin.py": ("# coding: latin-1\ns = 'é'\n".encode("latin-1"), "# coding: latin-1\ns = 'ü'\n".encode("latin-1")),
    "mark.py": (b"\xef\xbb\xbfa = 1\nb = 2\n", b"\xef\xbb\xbfa = 1\nb = 3\n"),
    "separators.py": ("s = 'a\u2028b\x1cc'\nt = 1\n".encode(), "s = 'a\u2028b\x1cc'\nt = 2\n".encode()),
    "with space.py": (b"a = 1\n", b"a = 2\n"),
    "same.py": (b"a = 1\n", b"a = 1\n"),
}


def conversion(root: Path) -> Conversion:
    tree = read(root)
    results = []
    for file in tree.files:
        after = PAIRS[file.path][1].decode("utf-8-sig" if file.bom else file.encoding)
        results.append(FileResult(file.path, Status.NATIVE, after))
    return Conversion(tree, Options(), tuple(results), support=(Support("made/new.py", "z = 3\n"),))


def test_git_applies_it(tmp_path: Path) -> None:
    for name, (before, _) in PAIRS.items():
        (tmp_path / name).write_bytes(before)
    patch = b"".join(unified(conversion(tmp_path)))
    done = subprocess.run(["git", "apply", "-"], input=patch, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert {name: (tmp_path / name).read_bytes() for name in PAIRS} == {
        name: after for name, (_, after) in PAIRS.items()
    }
    assert (tmp_path / "made/new.py").read_bytes() == b"z = 3\n"


def test_unchanged_files_are_not_in_it(tmp_path: Path) -> None:
    (tmp_path / "same.py").write_bytes(PAIRS["same.py"][0])
    assert b"same.py" not in b"".join(unified(conversion(tmp_path)))


@pytest.mark.slow
def test_a_long_file_takes_seconds_not_minutes(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text("".join(f"x{n} = {n}\n" for n in range(20_000)))
    tree = read(tmp_path)
    after = "".join(f"x{n} = {n + (n % 10 == 0)}\n" for n in range(20_000))
    found = Conversion(tree, Options(), (FileResult("plain.py", Status.NATIVE, after),))
    assert b"".join(unified(found)).count(b"\n+x") == 2_000
