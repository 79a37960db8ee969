"""A trace on disk: `trace.json`, `values.npz`, `stdout.txt`, `stderr.txt`; made from the child's records."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tfmigrate.verify.files import Found
from tfmigrate.verify.trace import Event, SummaryValue, Trace, Value, VariableState, WrittenFile

Records = dict[str, list[dict[str, Any]]]


def collect(folder: Path, facts: Mapping[str, Any], found: tuple[tuple[Found, ...], tuple[SummaryValue, ...]]) -> Trace:
    """Builds the trace from the child's records in `folder` and the host's own facts, and writes it there."""
    records = _records(folder / "events.jsonl")
    end = records["end"][-1] if records.get("end") else {}
    checkpoints = {
        item["path"]: {name: value(item["values"][name]) for name in item["values"]}
        for item in records.get("checkpoint", ())
    }
    kept: dict[str, bytes] = {}
    environment = dict(
        end.get("environment", {}),
        entry=facts["entry"],
        folder=str(folder),
        counted=_counted(records, end),
        complete=bool(end),
        problem=end.get("problem"),
    )
    trace = Trace(
        runtime=f"{facts['oracle']} {environment.get('tensorflow', '?')}",
        python=environment.get("python", ""),
        exit=facts["exit"],
        reason=_reason(facts, end),
        seconds=float(end.get("seconds", facts["seconds"])),
        peak_bytes=max(int(end.get("peak", 0)), int(facts["peak"])),
        events=tuple(_event(record) for record in records.get("event", ())),
        variables=tuple(_variable(record) for record in records.get("variable", ())),
        summaries=found[1],
        files=tuple(_file(item, checkpoints, kept) for item in found[0]),
        stdout=facts["stdout"],
        stderr=facts["stderr"],
        recorded=bool(facts["record"]),
        stopped_at=end.get("stopped_at", {}),
        environment=environment,
    )
    _pack(folder, records.get("array", ()), kept)
    save(folder, trace)
    return trace


def started(folder: Path) -> bool:
    """Whether the child whose records go to `folder` has begun to run the program."""
    path = folder / "events.jsonl"
    return path.is_file() and path.stat().st_size > 0


def save(folder: Path, trace: Trace) -> None:
    """Writes all but the arrays."""
    (folder / "stdout.txt").write_text(trace.stdout, encoding="utf-8")
    (folder / "stderr.txt").write_text(trace.stderr, encoding="utf-8")
    data = asdict(trace)
    del data["stdout"], data["stderr"]
    (folder / "trace.json").write_text(json.dumps(data), encoding="utf-8")


def load(folder: Path) -> Trace:
    """The trace that `collect` or `save` left in `folder`."""
    data = json.loads((folder / "trace.json").read_text(encoding="utf-8"))
    data["events"] = tuple(_event(record) for record in data["events"])
    data["variables"] = tuple(_variable(record) for record in data["variables"])
    data["summaries"] = tuple(
        SummaryValue(item["tag"], item["step"], tuple(item["numbers"]), item["kind"]) for item in data["summaries"]
    )
    data["files"] = tuple(
        WrittenFile(
            item["path"],
            item["kind"],
            item["digest"],
            item["size"],
            {name: value(item["values"][name]) for name in item["values"]},
        )
        for item in data["files"]
    )
    data["environment"]["folder"] = str(folder)
    return Trace(
        stdout=(folder / "stdout.txt").read_text(encoding="utf-8"),
        stderr=(folder / "stderr.txt").read_text(encoding="utf-8"),
        **data,
    )


def value(record: Mapping[str, Any]) -> Value:
    """A Value from its JSON form."""
    return Value(**{**record, "shape": tuple(record["shape"])})


def _records(path: Path) -> Records:
    found: Records = {}
    if path.is_file():
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                record = json.loads(line)
            except ValueError:  # the line that was being written when the child was killed
                break
            found.setdefault(record.pop("kind"), []).append(record)
    return found


def _counted(records: Records, end: Mapping[str, Any]) -> int:
    return int(end.get("counted", sum(1 for event in records.get("event", ()) if event.get("counted"))))


def _reason(facts: Mapping[str, Any], end: Mapping[str, Any]) -> str | None:
    if facts["reason"] is not None:
        return str(facts["reason"])
    if end.get("reason") or end.get("problem"):
        return str(end.get("reason") or end.get("problem"))
    if facts["exit"] < 0:
        return f"killed by signal {-facts['exit']}"
    return None if end else "ended without leaving its records"


def _optional(record: Mapping[str, Any] | None) -> Value | None:
    return None if record is None else value(record)


def _event(record: dict[str, Any]) -> Event:
    lists = {name: tuple(record[name]) for name in ("fetches", "effects")}
    known = {name: record[name] for name in record if name in Event.__dataclass_fields__}
    return Event(**{**known, **lists, "values": tuple(value(item) for item in record["values"])})


def _variable(record: dict[str, Any]) -> VariableState:
    return VariableState(
        name=record["name"],
        shape=tuple(record["shape"]),
        dtype=record["dtype"],
        trainable=record["trainable"],
        initial=_optional(record["initial"]),
        final=_optional(record["final"]),
        slot=record["slot"],
        own=_optional(record.get("own")),
        drawn=record.get("drawn"),
        restored=bool(record.get("restored")),
    )


def _file(found: Found, checkpoints: Mapping[str, dict[str, Value]], kept: dict[str, bytes]) -> WrittenFile:
    values: dict[str, Value] = {}
    if found.kind == "checkpoint" and found.path.endswith(".index"):
        values = checkpoints.get(found.path.removesuffix(".index"), {})
    for name, data in found.arrays.items():
        key = f"file:{found.path}:{name}"
        kept[key] = data
        values[name] = Value(key=key, shape=(), dtype="")
    if found.text is not None:
        values["text"] = Value(key=None, shape=(), dtype="string", text=found.text)
    return WrittenFile(found.path, found.kind, found.digest, found.size, values)


def _pack(folder: Path, arrays: Iterable[Mapping[str, Any]], kept: Mapping[str, bytes]) -> None:
    """values.bin and the written arrays as one .npz, which is a zip of .npy files."""
    source = folder / "values.bin"
    with zipfile.ZipFile(folder / "values.npz", "w", zipfile.ZIP_STORED) as archive:
        if source.is_file():
            with source.open("rb") as stream:
                for array in arrays:
                    stream.seek(array["offset"])
                    data = stream.read(array["size"])
                    if len(data) == array["size"]:
                        archive.writestr(array["key"] + ".npy", data)
            source.unlink()
        for key, data in kept.items():
            archive.writestr(key + ".npy", data)
