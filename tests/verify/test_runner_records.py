"""Event files and records of a killed child, read without TensorFlow; the harness' own files."""

from __future__ import annotations

import ast
import json
import struct
from pathlib import Path

import pytest

from tfmigrate.verify import eventfile, harness, store
from tfmigrate.verify.trace import SummaryValue

FACTS = {
    "oracle": "tf1",
    "exit": -9,
    "reason": "time limit of 5 s",
    "seconds": 5.0,
    "peak": 7,
    "stdout": "o",
    "stderr": "e",
    "record": True,
    "entry": "a.py",
}


def field(number: int, kind: int, body: bytes) -> bytes:
    return bytes([number << 3 | kind]) + (varint(len(body)) + body if kind == 2 else body)


def varint(value: int) -> bytes:
    parts = []
    while value > 127:
        parts.append(value & 127 | 128)
        value >>= 7
    return bytes([*parts, value])


def event(step: int, *values: bytes) -> bytes:
    body = field(2, 0, varint(step)) + field(5, 2, b"".join(field(1, 2, value) for value in values))
    return struct.pack("<Q", len(body)) + b"\0" * 4 + body + b"\0" * 4


def metadata(plugin: str) -> bytes:
    return field(9, 2, field(1, 2, field(1, 2, plugin.encode())))


def tensor(dtype: int, content: bytes) -> bytes:
    return field(8, 2, field(1, 0, varint(dtype)) + field(4, 2, content))


def test_both_versions_of_summaries_are_read(tmp_path: Path) -> None:
    path = tmp_path / "events.out.tfevents.1"
    old = field(1, 2, b"loss") + field(2, 5, struct.pack("<f", 0.5))
    moments = b"".join(field(n, 1, struct.pack("<d", x)) for n, x in enumerate((-1.0, 3.0, 4.0, 2.0, 9.0), 1))
    histogram = field(1, 2, b"w") + field(5, 2, moments)
    new = field(1, 2, b"loss") + metadata("scalars") + tensor(1, struct.pack("<f", 0.25))
    buckets = field(1, 2, b"w") + metadata("histograms") + tensor(2, struct.pack("<6d", 0, 2, 3, 2, 4, 1))
    path.write_bytes(event(300, old, histogram) + event(301, new) + event(302, buckets) + b"\x09\0\0")
    assert eventfile.read(path) == (
        SummaryValue("loss", 300, (0.5,), "scalar"),
        SummaryValue("w", 300, (-1.0, 3.0, 4.0, 2.0, 9.0), "histogram"),
        SummaryValue("loss", 301, (0.25,), "scalar"),
        SummaryValue("w", 302, (0.0, 4.0, 4.0, 6.0, 12.0), "histogram"),
    )


def test_a_record_cut_short_ends_the_reading(tmp_path: Path) -> None:
    path = tmp_path / "events.out.tfevents.1"
    whole = event(1, field(1, 2, b"a") + field(2, 5, struct.pack("<f", 1.0)))
    path.write_bytes(whole + whole[:20])
    assert len(eventfile.read(path)) == 1


def test_a_killed_child_leaves_what_it_had_recorded(tmp_path: Path) -> None:
    recorded = {
        "kind": "event",
        "index": 0,
        "path": "a.py",
        "line": 3,
        "name": "",
        "start": 0.5,
        "seconds": 0.1,
        "values": [],
        "ops": 9,
        "traces": 0,
        "variables": 1,
        "fetches": ["x:0"],
        "effects": [],
        "error": None,
    }
    (tmp_path / "events.jsonl").write_text(
        json.dumps({"kind": "start"}) + "\n" + json.dumps(recorded) + "\n" + '{"kind": "ev'
    )
    trace = store.collect(tmp_path, FACTS, ((), ()))
    assert (trace.exit, trace.reason) == (-9, "time limit of 5 s")
    assert [e.fetches for e in trace.events] == [("x:0",)]
    assert trace.environment["complete"] is False
    assert store.load(tmp_path) == trace


def test_a_child_that_left_nothing_says_so(tmp_path: Path) -> None:
    trace = store.collect(tmp_path, {**FACTS, "exit": 0, "reason": None}, ((), ()))
    assert trace.reason == "ended without leaving its records"
    assert trace.events == ()


@pytest.mark.parametrize("path", sorted(Path(harness.__file__).parent.glob("*.py")), ids=lambda path: path.name)
def test_the_harness_is_python_3_6_and_needs_the_standard_library_only(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 6))
    standard = {
        "ast",
        "atexit",
        "builtins",
        "collections",
        "contextlib",
        "functools",
        "glob",
        "hashlib",
        "importlib",
        "io",
        "json",
        "os",
        "random",
        "re",
        "shutil",
        "signal",
        "sys",
        "threading",
        "time",
        "traceback",
        "types",
        "typing",
        "weakref",
        "zlib",
    }
    imported = set()
    for node in tree.body:
        if isinstance(node, ast.Import):
            imported |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            imported.add((node.module or "").split(".")[0])
    assert imported <= standard
