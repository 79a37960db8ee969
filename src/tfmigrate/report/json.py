"""The convert JSON document, in the versioned schema that docs/architecture.md states."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Any

import tfmigrate
from tfmigrate.errors import InputError
from tfmigrate.model import Conversion, FileResult, Finding, Place, Program, SiteKind, Status

SCHEMA = 1


def document(conversions: Sequence[Conversion], written: bool = True) -> dict[str, Any]:
    """The document as plain values. Paths are relative to the tree given, with several to the folder they share.

    `output` is the file's path in the output folder, None where nothing was `written`.
    """
    prefixes = _prefixes(conversions)
    pairs = list(zip(conversions, prefixes, strict=True))
    totals = {status.value: 0 for status in Status}
    for conversion in conversions:
        for status, count in conversion.totals().items():
            totals[status] += count
    return {
        "schema": SCHEMA,
        "tool": f"tfmigrate {tfmigrate.__version__}",
        "files": [_file(result, at, written) for conversion, at in pairs for result in conversion.files],
        "programs": [_program(program, at) for conversion, at in pairs for program in conversion.programs],
        "support": [_joined(at, s.path) for conversion, at in pairs for s in conversion.support],
        "signatures": [
            {"site": _site(at, change.place), "before": change.before, "after": change.after}
            for conversion, at in pairs
            for change in conversion.signatures
        ],
        "notes": [
            {"path": _joined(at, note.place.path), **finding_object(note)}
            for conversion, at in pairs
            for note in conversion.tree.notes
        ],
        "totals": totals,
    }


def render(conversions: Sequence[Conversion], written: bool = True) -> str:
    """The document as JSON text."""
    return json.dumps(document(conversions, written), indent=1, allow_nan=False) + "\n"


def write(file: Path, text: str) -> None:
    """Write a report file, whole or not at all. Raises InputError where it cannot be written.

    A link is followed, never replaced; what is no ordinary file (`/dev/stdout`, a pipe) is written straight to.
    """
    try:
        place = file.resolve()
        if _is_stream(file) or (place.exists() and not place.is_file()):
            with file.open("a", encoding="utf-8") as stream:
                stream.write(text)
            return
        place.parent.mkdir(parents=True, exist_ok=True)
        stage = place.with_name(f".{place.name}.{os.getpid()}")
        try:
            stage.write_text(text, encoding="utf-8")
            stage.replace(place)
        finally:
            stage.unlink(missing_ok=True)
    except (OSError, RuntimeError) as error:
        cause = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(f"{file}: cannot be written: {cause}") from error


def _is_stream(file: Path) -> bool:
    # Its target may be an ordinary file (`> log`), which others hold open: it must not be renamed over.
    return file.absolute().is_relative_to("/dev") or file.absolute().is_relative_to("/proc")


def finding_object(finding: Finding) -> dict[str, Any]:
    """A finding without its path."""
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "line": finding.place.line,
        "column": finding.place.column,
        "message": finding.message,
    }


def _file(result: FileResult, at: str, written: bool) -> dict[str, Any]:
    return {
        "path": _joined(at, result.path),
        "status": result.status.value,
        "output": _joined(at, result.path) if written else None,
        "program": result.program,
        "findings": [finding_object(finding) for finding in result.findings],
    }


def _program(program: Program, at: str) -> dict[str, Any]:
    return {
        "id": program.id,
        "entry": _joined(at, program.entry),
        "files": [_joined(at, path) for path in program.files],
        "status": program.status.value,
        "steps": [
            {
                "name": site.name,
                "site": _site(at, site.place),
                "fetches": list(site.fetches),
                "parameters": list(site.parameters),
            }
            for site in program.sites
            if site.kind is SiteKind.CALL
        ],
        "variables": [
            {"legacy_name": pair.legacy_name, "object_path": pair.object_path, "trainable": pair.trainable}
            for pair in program.variables
        ],
        "packages": list(program.packages),
    }


def _prefixes(conversions: Sequence[Conversion]) -> list[str]:
    roots = [conversion.tree.root for conversion in conversions]
    if len(roots) < 2:
        return [""] * len(roots)
    shared = Path(os.path.commonpath(roots))
    return [root.relative_to(shared).as_posix() for root in roots]


def _joined(at: str, path: str) -> str:
    return str(PurePosixPath(at) / path)


def _site(at: str, place: Place) -> str:
    return f"{_joined(at, place.path)}:{place.line}:{place.column}"
