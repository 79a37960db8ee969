"""The real TensorFlow 1.15.5 on Python 3.7, in a virtual environment of its own in the user's cache folder.

TFMIGRATE_TF1_PYTHON names an interpreter to use instead. Nothing here imports TensorFlow, and no interpreter is
downloaded.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tfmigrate.errors import InputError

VARIABLE = "TFMIGRATE_TF1_PYTHON"
BASE = (
    "tensorflow==1.15.5",
    "protobuf<3.21",
    "numpy<1.19",
)  # later protobuf rejects 1.15's generated code, later NumPy its dtypes
MARKER = "tfmigrate-tf1.json"  # written once the packages are in; its absence marks an environment half made
ADVICE = (
    "no Python 3.7 was found on PATH, in pyenv or in uv, and TensorFlow 1.15.5 runs on no later one. "
    "Install one (`pyenv install 3.7` or `uv python install 3.7`) and repeat, or set "
    f"{VARIABLE} to an interpreter that has tensorflow==1.15.5. "
    "Without it, `--before compat` verifies against tf.compat.v1."
)
_PROBE = (
    "import glob, json, os, sys\n"
    "found = [d for p in sys.path if os.path.isdir(p) for d in glob.glob(p + '/*.dist-info')]\n"
    "names = sorted({os.path.basename(d)[:-len('.dist-info')] for d in found})\n"
    "print(json.dumps({'python': sys.version.split()[0], 'packages': names}))\n"
)


@dataclass(frozen=True)
class Tf1Environment:
    """An environment that is there. `origin`: "variable" (named by TFMIGRATE_TF1_PYTHON) or "cache" (made by
    `install`).
    """

    python: Path
    origin: str


@dataclass(frozen=True)
class Tf1Status:
    """What `tfmigrate tf1 status` tells: versions, installed distributions ("name-version"), or the problem."""

    environment: Tf1Environment | None
    python: str = ""
    tensorflow: str = ""
    packages: tuple[str, ...] = ()
    problem: str = ""


def folder() -> Path:
    """Where the environment is kept: `tfmigrate/tf1` in XDG_CACHE_HOME, by default in ~/.cache."""
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "tfmigrate" / "tf1"


def find() -> Tf1Environment | None:
    """The environment to run legacy programs in, or None. Raises InputError where TFMIGRATE_TF1_PYTHON names no
    interpreter.
    """
    named = os.environ.get(VARIABLE)
    if named:
        if not os.access(named, os.X_OK) or Path(named).is_dir():
            raise InputError(f"{VARIABLE}={named}: no such interpreter")
        return Tf1Environment(Path(named), "variable")
    python = _python_of(folder())
    return Tf1Environment(python, "cache") if (folder() / MARKER).is_file() and os.access(python, os.X_OK) else None


def status() -> Tf1Status:
    """The environment with its versions; `problem` says what is missing and what to do."""
    environment = find()
    if environment is None:
        return Tf1Status(None, problem=f"not installed: run `tfmigrate tf1 install` (it would go to {folder()})")
    found = _probe(environment.python)
    if found is None:
        return Tf1Status(environment, problem=f"{environment.python} does not start")
    python, packages = found
    version = next((name.split("-", 1)[1] for name in packages if name.startswith("tensorflow-")), "")
    problem = "" if version.startswith("1.") else f"{environment.python} has no TensorFlow 1"
    return Tf1Status(environment, python, version, packages, problem)


def install(packages: Sequence[str] = (), requirements: Path | None = None) -> Iterator[str]:
    """Make or complete the environment, with what the user's scripts import beside TensorFlow; yields lines of
    progress.

    Raises InputError where there is no Python 3.7, the requirements file is missing, or pip fails.
    """
    if requirements is not None and not requirements.is_file():
        raise InputError(f"{requirements}: no such requirements file")
    named = os.environ.get(VARIABLE)
    if named:
        raise InputError(f"{VARIABLE} is set to {named}: install packages there with its own pip, or unset it")
    target = folder()
    python = _python_of(target)
    if not _is_37(python):
        yield from _make(target)
    yield "installing " + ", ".join([*BASE, *packages, *([f"-r {requirements}"] if requirements else [])])
    extra = ["-r", str(requirements)] if requirements else []
    yield from _pip(python, [*BASE, *packages, *extra])
    (target / MARKER).write_text(json.dumps({"base": BASE}), encoding="utf-8")
    yield f"TensorFlow 1.15.5 is ready: {python}"


def _make(target: Path) -> Iterator[str]:
    base = find_python37()
    if base is None:
        raise InputError(ADVICE)
    yield f"making a virtual environment with {base} in {target}"
    if target.exists():
        shutil.rmtree(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    made = subprocess.run([str(base), "-m", "venv", str(target)], capture_output=True, text=True, check=False)
    if made.returncode:
        raise InputError(f"{base} -m venv failed: {(made.stderr or made.stdout).strip()[-500:]}")


def find_python37() -> Path | None:
    """A Python 3.7 that starts: on PATH, in pyenv's versions, or known to uv."""
    for candidate in _candidates():
        if _is_37(candidate):
            return candidate
    return None


def _candidates() -> Iterator[Path]:
    on_path = shutil.which("python3.7")
    if on_path:
        yield Path(on_path)
    roots = [Path(root) for root in (os.environ.get("PYENV_ROOT"), str(Path.home() / ".pyenv")) if root]
    for root in roots:
        yield from sorted(root.glob("versions/3.7*/bin/python"), reverse=True)
    uv = shutil.which("uv")
    if uv:
        found = subprocess.run(
            [uv, "python", "find", "--no-python-downloads", "3.7"], capture_output=True, text=True, check=False
        )
        if found.returncode == 0 and found.stdout.strip():
            yield Path(found.stdout.strip())


def _is_37(python: Path) -> bool:
    found = _probe(python) if os.access(python, os.X_OK) else None
    return found is not None and found[0].startswith("3.7.")


def _probe(python: Path) -> tuple[str, tuple[str, ...]] | None:
    """(version, installed distributions) of an interpreter; None where it does not run (a pyenv shim without a version,
    say).
    """
    try:
        done = subprocess.run([str(python), "-c", _PROBE], capture_output=True, text=True, timeout=60, check=False)
        data = json.loads(done.stdout) if done.returncode == 0 else None
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    return (str(data["python"]), tuple(data["packages"])) if data else None


def _pip(python: Path, arguments: Sequence[str]) -> Iterator[str]:
    """pip's own lines; the user's pip configuration decides where packages come from."""
    command = [str(python), "-m", "pip", "install", "--disable-pip-version-check", "--progress-bar", "off", *arguments]
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    last: list[str] = []
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            last = [*last[-5:], line.rstrip()]
            yield line.rstrip()
    if process.returncode:
        raise InputError("pip could not install TensorFlow 1.15.5 and its packages: " + " / ".join(last))


def _python_of(environment: Path) -> Path:
    return environment / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
