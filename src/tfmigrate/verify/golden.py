"""Golden traces: a legacy run kept in one file, so that a conversion can be verified later without TensorFlow 1.

The file is a zip of the trace's folder and of `golden.json`: the conversion's run sites and variables, the arguments,
the environment of the run and the hashes of the files that lay in the program's folder.
"""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tfmigrate.errors import InputError
from tfmigrate.model import Program
from tfmigrate.verify import store
from tfmigrate.verify.codec import decode, encode
from tfmigrate.verify.recorded import Recorded, load_arrays

SCHEMA = 1
_PARTS = ("trace.json", "values.npz", "stdout.txt", "stderr.txt")
_SKIPPED = {".git", "__pycache__", ".venv", "node_modules"}


@dataclass(frozen=True)
class Golden:
    """A kept legacy run. `inputs` maps paths of the program's folder to their SHA-256."""

    entry: str
    args: tuple[str, ...]
    max_steps: int
    program: Program | None
    inputs: dict[str, str]
    recorded: Recorded
    twin: Recorded | None = None  # a second legacy run that differs by rounding: the noise floor


def input_hashes(root: Path) -> dict[str, str]:
    """SHA-256 of every file below `root` that is no Python source or notebook: what the program reads."""
    found = {}
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(n for n in folders if n not in _SKIPPED)
        for name in sorted(names):
            path = Path(folder, name)
            if path.suffix not in (".py", ".pyc", ".ipynb") and path.is_file():
                found[path.relative_to(root).as_posix()] = _digest(path)
    return found


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while part := stream.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()


def write(
    file: Path,
    recorded: Recorded,
    twin: Recorded | None,
    *,
    entry: str,
    args: tuple[str, ...],
    max_steps: int,
    program: Program | None,
    root: Path,
) -> None:
    """Keep a run (and the one that gives its noise floor). Both must lie in a folder. The file is replaced as a
    whole or not at all.
    """
    head: dict[str, Any] = {
        "schema": SCHEMA,
        "entry": entry,
        "args": list(args),
        "max_steps": max_steps,
        "program": encode(program) if program is not None else None,
        "inputs": input_hashes(root),
    }
    part = file.with_name(file.name + ".part")
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("golden.json", json.dumps(head, indent=1))
        for prefix, run in (("run/", recorded), ("twin/", twin)):
            folder = run.folder if run is not None else None
            for name in _PARTS if folder is not None else ():
                if name == "stderr.txt":
                    archive.writestr(prefix + name, "")  # warnings with paths of this machine; never compared
                elif folder is not None and (folder / name).is_file():
                    archive.write(folder / name, prefix + name)
    part.replace(file)


def read(file: Path, folder: Path) -> Golden:
    """The kept run, unpacked into `folder`. Raises InputError where the file is no golden trace."""
    try:
        with zipfile.ZipFile(file) as archive:
            head = json.loads(archive.read("golden.json"))
            if head["schema"] != SCHEMA:
                raise InputError(f"{file}: a golden trace of schema {head['schema']}; this version reads {SCHEMA}")
            for name in archive.namelist():
                prefix, _, base = name.partition("/")
                if prefix in ("run", "twin") and base in _PARTS:  # nothing else is unpacked, whatever the names say
                    (folder / prefix).mkdir(parents=True, exist_ok=True)
                    (folder / prefix / base).write_bytes(archive.read(name))
        return Golden(
            head["entry"],
            tuple(head["args"]),
            int(head["max_steps"]),
            decode(Program, head["program"]) if head["program"] is not None else None,
            dict(head["inputs"]),
            load(folder / "run"),
            load(folder / "twin") if (folder / "twin" / "trace.json").is_file() else None,
        )
    except FileNotFoundError as error:
        raise InputError(f"{file}: {error.strerror or error}") from error
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError) as error:
        raise InputError(f"{file}: no golden trace ({error})") from error


def load(folder: Path) -> Recorded:
    """A trace's folder with its arrays."""
    return Recorded(store.load(folder), load_arrays(folder / "values.npz"), folder)


def changed_inputs(golden: Golden, root: Path) -> list[str]:
    """Input files that are there on both sides and not the same any more, or are missing now."""
    now = input_hashes(root)
    return sorted(path for path, digest in golden.inputs.items() if now.get(path) != digest)
