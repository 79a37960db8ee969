"""A child's surroundings: the copy it works in, the limits it lives within, and the end of all its processes."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO

KEPT = 20 << 20  # bytes of each output stream that are kept
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
    """Copies all but `.git`. Links within the tree stay links; links to files outside become copies, to folders or large files stay.

    Unreadable files are left out: the program meets a missing file, as it would an unreadable one.
    """
    if target.exists():
        shutil.rmtree(target)
    top = os.path.realpath(root)
    target.mkdir(parents=True)
    skipped = os.path.realpath(target)
    for folder, folders, names in os.walk(top):
        here = target / os.path.relpath(folder, top)
        folders[:] = [name for name in folders if name != ".git" and os.path.realpath(os.path.join(folder, name)) != skipped]
        for name in list(folders) + names:
            source, copy = os.path.join(folder, name), here / name
            if os.path.islink(source):
                _copy_link(source, copy, top)
            elif name in folders:
                copy.mkdir()
            elif os.path.isfile(source):  # no sockets, no pipes
                with contextlib.suppress(OSError):
                    shutil.copy2(source, copy)


def _copy_link(source: str, copy: Path, top: str) -> None:
    real = os.path.realpath(source)
    if real == top or real.startswith(top + os.sep):
        os.symlink(os.path.relpath(real, os.path.dirname(source)), copy)
    elif os.path.isfile(real) and os.path.getsize(real) <= LINKED:
        with contextlib.suppress(OSError):
            shutil.copy2(real, copy)
    elif os.path.exists(real):
        os.symlink(real, copy)


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
        return text if self._size <= KEPT else text + f"\n[output cut: {self._size} bytes were printed, {KEPT} are kept]\n"


def watch(process: subprocess.Popen[bytes], copy: Path, time_limit: float, memory_limit: int) -> Watched:
    """Waits for the child within its limits; when this returns, no process of its group is left."""
    assert process.stdout is not None and process.stderr is not None
    readers = _Reader(process.stdout), _Reader(process.stderr)
    begun, peak, reason, rounds = time.monotonic(), 0, None, 0
    try:
        while process.poll() is None and reason is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(POLL)
            count, resident = _group(process.pid)
            peak, rounds = max(peak, resident), rounds + 1
            if time.monotonic() - begun > time_limit:
                reason = f"time limit of {time_limit:g} s"
            elif resident > memory_limit:
                reason = f"memory limit of {memory_limit >> 20} MB"
            elif count > PROCESSES:
                reason = f"more than {PROCESSES} processes"
            elif rounds % 50 == 0 and _size(copy) > DISK:
                reason = f"more than {DISK >> 30} GB written"
        if reason is not None and process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(GRACE)
    finally:
        _kill(process)
    texts = [reader.text() for reader in readers]
    for stream in (process.stdout, process.stderr):
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
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        if name.isdigit():
            with contextlib.suppress(OSError, IndexError, ValueError):
                fields = Path("/proc", name, "stat").read_bytes().rsplit(b")", 1)[1].split()
                if int(fields[3]) == session and fields[0] != b"Z":
                    found.append(int(name))
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
                total += os.lstat(os.path.join(path, name)).st_size
    return total
