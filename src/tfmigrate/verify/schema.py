"""The verify JSON document: `{"schema": 1, "tool": "tfmigrate x.y", "scripts": [...]}`, each script a ScriptReport."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import tfmigrate
from tfmigrate.errors import InputError
from tfmigrate.verify.results import ScriptReport

SCHEMA = 1


def document(reports: Iterable[ScriptReport]) -> dict[str, Any]:
    """The whole document as plain values."""
    return {"schema": SCHEMA, "tool": f"tfmigrate {tfmigrate.__version__}", "scripts": [r.to_json() for r in reports]}


def write(reports: Iterable[ScriptReport]) -> str:
    """The document as strict JSON text (no NaN literals)."""
    return json.dumps(document(reports), indent=1, allow_nan=False) + "\n"


def read(text: str) -> tuple[ScriptReport, ...]:
    """The reports of a document. Raises InputError where it is none or of another version."""
    try:
        data = json.loads(text)
        version = data["schema"]
        scripts = data["scripts"]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"not a verify document: {error}") from error
    if version != SCHEMA:
        raise InputError(f"verify document of schema {version}; this version reads {SCHEMA}")
    return tuple(ScriptReport.from_json(s) for s in scripts)
