"""A child's surroundings: the copy it works in, the limits it lives within, and the end of all its processes."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

KEPT = 20 << 20  # bytes of each output stream that are kept
START = 180.0  # seconds a child gets to import TensorFlow; the time limit counts from the program's own start
POLL = 0.2  # seconds between two looks at the child
GRACE = 5.0  # seconds between the polite and the hard end
PROCESSES = 200  # processes one program may have
DISK = 20 << 30  # bytes that the copy may grow to
LINKED = 100 << 20  # a linked file outside the tree up to this size is copied, a larger one stays a link


@dataclass(frozen=True)
class Watched:
    """How a child ended: `reason` where a limit ended it; `peak_bytes` of the whole group, as seen by polling."""

    exit: int
    reason: str | None
    peak_bytes: int
    stdout: str
    stderr: str


def copy_tree(root: Path, target: Path) -> None:
    """Copies all but `.git`. Links within the tree stay links; links to files outside become copies, to folders or
    large files stay.

    Unreadable files are left out: the program meets a missing file, as it would an unreadable one.
    """
    if target.exists():
        shutil.rmtree(target)
    top = root.resolve()
    target.mkdir(parents=True)
    skipped = target.resolve()
    for folder, folders, names in os.walk(top):
        here = target / Path(folder).relative_to(top)
        folders[:] = [name for name in folders if name != ".git" and Path(folder, name).resolve() != skipped]
        for name in [*folders, *names]:
            source, copy = Path(folder, name), here / name
            if source.is_symlink():
                _copy_link(source, copy, top)
            elif name in folders:
                copy.mkdir()
            elif source.is_file():  # no sockets, no pipes
                with contextlib.suppress(OSError):
                    shutil.copy2(source, copy)


def _copy_link(source: Path, copy: Path, top: Path) -> None:
    real = Path(os.path.realpath(source))  # a loop of links gives a path that does not exist
    if real.is_relative_to(top):
        copy.symlink_to(os.path.relpath(real, source.parent))
    elif real.is_file() and real.stat().st_size <= LINKED:
        with contextlib.suppress(OSError):
            shutil.copy2(real, copy)
    elif real.exists():
        copy.symlink_to(real)


class _Reader(threading.Thread):
    """Keeps the first KEPT bytes of a stream and reads on to its end, so that the child never waits."""

    def __init__(self, stream: IO[bytes]) -> None:
        super().__init__(daemon=True)
        self._stream = stream
        self._parts: list[bytes] = []
        self._size = 0
        self.start()

    def run(self) -> None:
        while True:
            try:
                part = self._stream.read1(1 << 16)  # type: ignore[attr-defined]
            except (OSError, ValueError):
                return
            if not part:
                return
            if self._size < KEPT:
                self._parts.append(part[: KEPT - self._size])
            self._size += len(part)

    def text(self) -> str:
        self.join(timeout=2.0)
        text = b"".join(self._parts).decode("utf-8", "replace")
        return (
            text if self._size <= KEPT else text + f"\n[output cut: {self._size} bytes were printed, {KEPT} are kept]\n"
        )


def watch(
    process: subprocess.Popen[bytes],
    copy: Path,
    time_limit: float,
    memory_limit: int,
    started: Callable[[], bool] = lambda: True,
    cancelled: Callable[[], bool] = bool,
) -> Watched:
    """Waits for the child within its limits; when this returns, no process of its group is left.

    The time limit counts from when `started` is first true. Once `cancelled` is true the child is ended.
    """
    streams = [stream for stream in (process.stdout, process.stderr) if stream is not None]
    readers = [_Reader(stream) for stream in streams]
    begun, running, peak, reason, rounds = time.monotonic(), False, 0, None, 0
    try:
        while process.poll() is None and reason is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(POLL)
            count, resident = _group(process.pid)
            peak, rounds = max(peak, resident), rounds + 1
            if not running and started():
                begun, running = time.monotonic(), True
            if time.monotonic() - begun > (time_limit if running else max(time_limit, START)):
                reason = f"time limit of {time_limit:g} s"
            elif resident > memory_limit:
                reason = f"memory limit of {memory_limit >> 20} MB"
            elif count > PROCESSES:
                reason = f"more than {PROCESSES} processes"
            elif rounds % 50 == 0 and _size(copy) > DISK:
                reason = f"more than {DISK >> 30} GB written"
            elif cancelled():
                reason = "cancelled"
        if reason is not None and process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(GRACE)
    finally:
        _kill(process)
    texts = [reader.text() for reader in readers]
    for stream in streams:
        with contextlib.suppress(OSError):
            stream.close()
    return Watched(process.returncode, reason, peak, texts[0], texts[1])


def _kill(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    for pid in _members(process.pid):  # those that left the group but not the session
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    process.wait()


def _members(session: int) -> list[int]:
    """Processes of the child's session (its id is the child's), as /proc tells; none where there is no /proc."""
    found = []
    for entry in Path("/proc").iterdir() if Path("/proc").is_dir() else ():
        if entry.name.isdigit():
            with contextlib.suppress(OSError, IndexError, ValueError):
                fields = (entry / "stat").read_bytes().rsplit(b")", 1)[1].split()
                if int(fields[3]) == session and fields[0] != b"Z":
                    found.append(int(entry.name))
    return found


def _group(session: int) -> tuple[int, int]:
    """(processes, bytes resident) of the child's session."""
    pages, members = 0, _members(session)
    for pid in members:
        with contextlib.suppress(OSError, IndexError, ValueError):
            pages += int(Path("/proc", str(pid), "statm").read_bytes().split()[1])
    return len(members), pages * os.sysconf("SC_PAGE_SIZE")


def _size(folder: Path) -> int:
    total = 0
    for path, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += Path(path, name).lstat().st_size
    return total
