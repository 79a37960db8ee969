"""Copies, limits and the end of all processes: plain Python children, no TensorFlow."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tfmigrate.errors import InputError
from tfmigrate.verify import isolation
from tfmigrate.verify.files import kind_of, snapshot, written
from tfmigrate.verify.isolation import Watched, copy_tree, watch
from tfmigrate.verify.runner import RunRequest, run


def start(code: str, folder: Path, time_limit: float = 20.0, memory_limit: int = 1 << 30) -> Watched:
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    return watch(process, folder, time_limit, memory_limit)


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_output_and_code_come_back(tmp_path: Path) -> None:
    ended = start("import sys; print('out'); print('err', file=sys.stderr); sys.exit(5)", tmp_path)
    assert (ended.exit, ended.reason, ended.stdout, ended.stderr) == (5, None, "out\n", "err\n")


def test_children_left_behind_are_ended(tmp_path: Path) -> None:
    code = (
        "import subprocess, sys\n"
        "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(300)'])\n"
        "q = subprocess.Popen([sys.executable, '-c', 'import os, time; os.setpgid(0, 0); time.sleep(300)'])\n"
        "print(p.pid, q.pid)\n"
    )
    ended = start(code, tmp_path)
    assert ended.exit == 0
    pids = [int(pid) for pid in ended.stdout.split()]
    assert len(pids) == 2
    deadline = time.monotonic() + 5
    while any(alive(pid) for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(alive(pid) for pid in pids)


def test_a_child_that_ignores_the_polite_end_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "GRACE", 0.5)
    code = (
        "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nprint('on', flush=True)\ntime.sleep(300)"
    )
    ended = start(code, tmp_path, time_limit=1.5)
    assert ended.exit == -9
    assert ended.reason == "time limit of 1.5 s"
    assert ended.stdout == "on\n"


def test_memory_of_the_whole_group_counts(tmp_path: Path) -> None:
    code = (
        "import subprocess, sys, time\n"
        "code = 'import time; b = bytearray(150 << 20); time.sleep(60)'\n"
        "[subprocess.Popen([sys.executable, '-c', code]) for _ in range(2)]\n"
        "time.sleep(60)\n"
    )
    ended = start(code, tmp_path, memory_limit=250 << 20)
    assert ended.reason == "memory limit of 250 MB"
    assert ended.peak_bytes > 250 << 20


def test_too_many_processes_are_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "PROCESSES", 5)
    code = (
        "import subprocess, sys, time\n"
        "[subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']) for _ in range(8)]\ntime.sleep(60)\n"
    )
    assert start(code, tmp_path).reason == "more than 5 processes"


def test_long_output_is_cut_and_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "KEPT", 1000)
    ended = start("for i in range(3000): print('0123456789')", tmp_path)
    assert ended.exit == 0
    assert ended.stdout.startswith("0123456789\n" * 90)
    assert "[output cut: 33000 bytes were printed, 1000 are kept]" in ended.stdout
    assert len(ended.stdout) < 1100


def test_the_copy_keeps_links_and_leaves_git_out(tmp_path: Path) -> None:
    root, outside = tmp_path / "tree", tmp_path / "outside"
    (root / "pkg").mkdir(parents=True)
    (root / ".git").mkdir()
    (root / ".git" / "HEAD").write_text("x")
    (root / "pkg" / "a.py").write_text("1")
    outside.mkdir()
    (outside / "data.txt").write_text("data")
    (root / "inner").symlink_to(root / "pkg")
    (root / "loop").symlink_to(root)
    (root / "file.txt").symlink_to(outside / "data.txt")
    (root / "folder").symlink_to(outside)
    (root / "broken").symlink_to(tmp_path / "nowhere")
    target = tmp_path / "work" / "copy"
    copy_tree(root, target)
    assert not (target / ".git").exists()
    assert (target / "pkg" / "a.py").read_text() == "1"
    assert (target / "inner").resolve() == (target / "pkg").resolve()
    assert not (target / "file.txt").is_symlink()
    assert (target / "file.txt").read_text() == "data"
    assert (target / "folder" / "data.txt").read_text() == "data"
    assert not os.path.lexists(target / "broken")
    assert (target / "loop").resolve() == target.resolve()


def test_a_copy_below_the_tree_does_not_hold_itself(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("1")
    target = tmp_path / "work" / "copy"
    copy_tree(tmp_path, target)
    assert sorted(p.name for p in target.iterdir()) == ["a.py", "work"]
    assert list((target / "work").iterdir()) == []


def test_only_new_and_changed_files_are_listed(tmp_path: Path) -> None:
    for name in ("kept.txt", "changed.txt"):
        (tmp_path / name).write_text("old")
    before = snapshot(tmp_path)
    (tmp_path / "changed.txt").write_text("newer")
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "new.csv").write_text("1,2")
    found, summaries = written(tmp_path, before)
    assert [(f.path, f.kind, f.text) for f in found] == [
        ("changed.txt", "text", "newer"),
        ("made/new.csv", "text", "1,2"),
    ]
    assert summaries == ()


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("logs/events.out.tfevents.1.host", "event"),
        ("ckpt/model-3.index", "checkpoint"),
        ("ckpt/model-3.data-00000-of-00001", "checkpoint"),
        ("ckpt/checkpoint", "checkpoint"),
        ("a/b.NPZ", "array"),
        ("plot.png", "image"),
        ("result.csv", "text"),
        ("model.pkl", "other"),
    ],
)
def test_kinds_by_name(path: str, kind: str) -> None:
    assert kind_of(path) == kind


def test_a_script_that_is_not_there_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"missing\.py: no such script"):
        run(RunRequest(tmp_path, "missing.py", "before", "tf1", Path(sys.executable)))
