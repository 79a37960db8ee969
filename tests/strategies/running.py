"""Converts a program for a strategy and runs the result: on one device, on two virtual ones, or as two workers."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
from pathlib import Path

import pytest

from tfmigrate.model import FileResult, Options, SourceFile, SourceTree, Strategy
from tfmigrate.pipeline import convert

HERE = Path(__file__).parent
LAUNCH = HERE / "launch.py"
NUMBER = re.compile(r"-?\d+\.\d+")


def converted(text: str, strategy: Strategy, folder: Path | None = None) -> FileResult:
    """What becomes of one program; written into `folder`, with the files that it needs, where one is given."""
    tree = SourceTree(Path("."), (SourceFile("program.py", text),), single=True)
    conversion = convert(tree, Options(strategy=strategy))
    if folder is not None:
        (folder / "program.py").write_text(conversion.files[0].output or text, encoding="utf-8")
        for support in conversion.support:
            (folder / support.path).write_text(support.text, encoding="utf-8")
    return conversion.files[0]


def start(python: Path, folder: Path, kind: str, arguments: list[str], cluster: str = "") -> subprocess.Popen[str]:
    """The converted program as a child process."""
    environment = os.environ | ({"TF_CONFIG": cluster} if cluster else {})
    command = [str(python), str(LAUNCH), str(folder / "program.py"), kind, *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


def finish(child: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Exit code, standard output and errors."""
    try:
        out, err = child.communicate(timeout=300)
    finally:
        child.kill()
    return child.returncode, out, err


def workers(python: Path, folder: Path, arguments: list[str]) -> list[tuple[int, str, str]]:
    """The program as two workers on the loopback; the first is the chief."""
    listeners = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
    addresses = [f"127.0.0.1:{listener.getsockname()[1]}" for listener in listeners]
    for listener in listeners:
        listener.close()
    children = [
        start(
            python,
            folder,
            "multiworker",
            arguments,
            json.dumps({"cluster": {"worker": addresses}, "task": {"type": "worker", "index": index}}),
        )
        for index in range(2)
    ]
    return [finish(child) for child in children]


def assert_same(one: str, other: str) -> None:
    """The same words, and numbers within the last digits printed."""
    assert NUMBER.sub("#", one) == NUMBER.sub("#", other)
    for left, right in zip(NUMBER.findall(one), NUMBER.findall(other), strict=True):
        assert float(left) == pytest.approx(float(right), rel=1e-4, abs=3e-5)
