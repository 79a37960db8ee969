"""Reading trees: what is analysed, copied, left out, and what stands in the way."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tfmigrate.errors import InputError
from tfmigrate.source.tree import read


def make(root: Path, *files: str) -> Path:
    for name in files:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x = 1\n" if name.endswith(".py") else "data\n")
    return root


def test_python_and_other_files_in_the_order_of_their_paths(tmp_path: Path) -> None:
    make(tmp_path, "b.py", "a/z.py", "a.py", "data.csv", ".travis.yml", "notes/.hidden.py", "book.ipynb")
    (tmp_path / "logs").mkdir()
    tree = read(tmp_path)
    assert [f.path for f in tree.files] == ["a.py", "a/z.py", "b.py", "notes/.hidden.py"]
    assert tree.others == (".travis.yml", "book.ipynb", "data.csv")
    assert tree.folders == ("logs",)
    assert (tree.single, tree.notes) == (False, ())


def test_histories_environments_and_caches_are_left_out(tmp_path: Path) -> None:
    make(
        tmp_path,
        "a.py",
        ".git/config",
        "sub/.git",
        "node_modules/x.py",
        "__pycache__/a.pyc",
        "e/pyvenv.cfg",
        "e/lib/b.py",
    )
    tree = read(tmp_path)
    assert ([f.path for f in tree.files], tree.others) == (["a.py"], ())


def test_a_single_file_is_a_tree_of_its_own(tmp_path: Path) -> None:
    make(tmp_path, "a.py", "b.py", "data.csv")
    tree = read(tmp_path / "a.py")
    assert (tree.root, [f.path for f in tree.files], tree.others, tree.single) == (tmp_path, ["a.py"], (), True)


def test_an_empty_folder_and_an_empty_file(tmp_path: Path) -> None:
    assert read(tmp_path).files == ()
    (tmp_path / "a.py").touch()
    (file,) = read(tmp_path).files
    assert (file.text, file.problem) == ("", None)


def test_links_are_not_followed(tmp_path: Path) -> None:
    root = make(tmp_path / "tree", "a.py", "sub/b.py")
    make(tmp_path / "outside", "c.py")
    (root / "loop").symlink_to(root)
    (root / "sub/up").symlink_to("..")
    (root / "out").symlink_to("../outside")
    (root / "alias.py").symlink_to("a.py")
    (root / "self").symlink_to("self")
    (root / "dangling.py").symlink_to("nowhere.py")
    tree = read(root)
    assert [f.path for f in tree.files] == ["a.py", "sub/b.py"]
    assert tree.others == ("alias.py", "dangling.py", "loop", "out", "self", "sub/up")
    assert sorted(n.place.path for n in tree.notes if n.code == "TFM006") == sorted(tree.others)


def test_a_link_to_a_tree_is_that_tree(tmp_path: Path) -> None:
    root = make(tmp_path / "tree", "a.py")
    (tmp_path / "link").symlink_to(root)
    assert read(tmp_path / "link").root == root


def test_a_pipe_is_left_out_and_told(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    tree = read(tmp_path)
    assert ([n.code for n in tree.notes], tree.files, tree.others) == (["TFM007"], (), ())


def test_excluded_files_are_copied_never_read(tmp_path: Path) -> None:
    make(tmp_path, "a.py", "third_party/x/b.py", "gen_c.py")
    tree = read(tmp_path, ["third_party/", "gen_*.py"])
    assert ([f.path for f in tree.files], tree.others) == (["a.py"], ("gen_c.py", "third_party/x/b.py"))


def test_each_broken_file_keeps_its_problem(tmp_path: Path) -> None:
    (tmp_path / "binary.py").write_bytes(b"\x80\x04\x95\x00")
    (tmp_path / "latin.py").write_bytes(b"s = '\xe9'\n")
    (tmp_path / "old.py").write_text("print 'x', a / b\n")
    (tmp_path / "broken.py").write_text("def f(:\n")
    found = {f.path: f.problem.code for f in read(tmp_path).files if f.problem is not None}
    assert found == {"binary.py": "TFM001", "latin.py": "TFM002", "broken.py": "TFM003", "old.py": "TFM004"}


@pytest.mark.parametrize("name", ["no-such-thing", "data.csv", "dangling", "self", "pipe"])
def test_a_path_that_is_no_program_is_an_input_error(tmp_path: Path, name: str) -> None:
    make(tmp_path, "data.csv")
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "self").symlink_to("self")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match=name):
        read(tmp_path / name)


@pytest.fixture
def as_nobody() -> Iterator[Path]:
    """A folder in which this process may not do everything: root reads what it likes, so it steps down."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        root = Path(folder) / "tree"
        root.mkdir()
        yield root
        if os.getuid() == 0:
            os.seteuid(0)
        for place in root.rglob("*"):
            place.chmod(0o755)
        root.chmod(0o755)


def step_down() -> None:
    if os.getuid() == 0:
        os.seteuid(65534)


def test_no_permission_is_told_and_the_rest_is_read(as_nobody: Path) -> None:
    make(as_nobody, "a.py", "secret.py", "closed/b.py")
    (as_nobody / "secret.py").chmod(0)
    (as_nobody / "closed").chmod(0)
    step_down()
    tree = read(as_nobody)
    problems = {f.path: f.problem and f.problem.code for f in tree.files}
    assert problems == {"a.py": None, "secret.py": "TFM005"}
    assert [(n.code, n.place.path) for n in tree.notes] == [("TFM005", "closed")]


def test_a_closed_root_is_an_input_error(as_nobody: Path) -> None:
    as_nobody.chmod(0)
    step_down()
    with pytest.raises(InputError, match="Permission denied"):
        read(as_nobody)
