"""Replaces the originals, where git could bring them back."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from tfmigrate.errors import InputError
from tfmigrate.model import Conversion
from tfmigrate.source import contents
from tfmigrate.source.interrupts import held_back


def write(conversion: Conversion, force: bool = False) -> int:
    """Write the changed files over the originals; how many there were.

    All new texts are on disk beside the originals before the first one is replaced. Raises InputError where git
    could not bring back an original (not under git, or uncommitted changes), unless `force`; and where a generated file
    would replace one that is there.
    """
    root = conversion.tree.root
    new = contents.changed(conversion)
    for content in new:
        place = root / content.path
        if content.before is None and place.exists() and place.read_bytes() != content.data:
            raise InputError(f"{place}: is there already; move it away, a generated file takes its place")
    originals = [c.path for c in new if c.before is not None]
    if originals and not force:
        _refuse_unsaved(root, originals)
    staged: list[tuple[Path, Path]] = []
    try:
        for content in new:
            place = root / content.path
            handle, name = tempfile.mkstemp(prefix=f".{place.name}.", dir=place.parent)
            staged.append((Path(name), place))
            with os.fdopen(handle, "wb") as stream:
                stream.write(content.data)
                stream.flush()
                os.fsync(stream.fileno())
            if content.before is not None:
                shutil.copymode(place, name)
            else:
                Path(name).chmod(0o644)
        with held_back():
            for source, place in staged:
                source.replace(place)
    except OSError as error:
        raise InputError(f"{error.filename or root}: cannot be written: {error.strerror or error}") from error
    finally:
        with held_back():
            for source, _ in staged:
                source.unlink(missing_ok=True)
    return len(new)


def _refuse_unsaved(root: Path, paths: list[str]) -> None:
    advice = "commit first, or write to a new folder with --out DIR (--force replaces them all the same)"
    try:
        done = subprocess.run(
            ["git", "-C", str(root), "status", "--porcelain", "-z", "--untracked-files=all", "--ignored", "--", *paths],
            capture_output=True,
            check=False,
        )
    except FileNotFoundError as error:
        raise InputError(
            f"{root}: git is not installed, so nothing could bring the originals back; {advice}"
        ) from error
    if done.returncode:
        raise InputError(f"{root}: is not under git, so nothing could bring the originals back; {advice}")
    dirty = [entry[3:] for entry in os.fsdecode(done.stdout).split("\0") if entry]
    if dirty:
        shown = ", ".join(dirty[:5]) + (f" and {len(dirty) - 5} more" if len(dirty) > 5 else "")
        raise InputError(f"{root}: not committed: {shown}; {advice}")
