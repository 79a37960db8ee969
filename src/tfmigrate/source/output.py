"""Writes a conversion to a folder of its own: whole or not at all, and never over what the user changed there."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tfmigrate.errors import InputError
from tfmigrate.model import Conversion, Finding, Place, Severity, SourceTree
from tfmigrate.source import contents
from tfmigrate.source.interrupts import held_back
from tfmigrate.source.marker import Marker, hashed, linked, load, stamp
from tfmigrate.source.tree import MARKER


@dataclass(frozen=True)
class Written:
    """How many files a run wrote, which ones it kept as the user's programs changed them, which it could not copy."""

    folder: Path
    written: int
    kept: tuple[str, ...] = ()
    missing: tuple[Finding, ...] = ()


def beside(path: Path, tree: SourceTree) -> Path:
    """The folder written to where none is named: `legacy_tf2` for `legacy`, `train_tf2` for `train.py`."""
    if tree.single:
        return tree.root / (tree.files[0].path.removesuffix(".py") + "_tf2")
    place = tree.root if path.name in ("", ".", "..") else path.absolute()
    if place.name == "":
        raise InputError(f"{path}: name a folder to write to (--out DIR)")
    return place.with_name(place.name + "_tf2")


def check_folder(tree: SourceTree, out: Path) -> Marker | None:
    """The marker of an output folder that may be written to, None of a new or empty one.

    Raises InputError where writing there could harm the input or files that are not tfmigrate's.
    """
    place = out.resolve()
    if out.is_symlink() and not out.exists():
        raise InputError(f"{out}: a link that leads nowhere")
    if place.exists() and not place.is_dir():
        raise InputError(f"{out}: is a file; --out names a folder")
    if tree.single:
        if place == tree.root:
            raise InputError(f"{out}: the program lies there itself; choose another folder, or use --in-place")
    elif place == tree.root:
        raise InputError(f"{out}: is the input itself; choose another folder, or use --in-place")
    elif place.is_relative_to(tree.root):
        raise InputError(f"{out}: lies inside the input {tree.root}; choose a folder outside of it")
    elif tree.root.is_relative_to(place):
        raise InputError(f"{out}: holds the input {tree.root}; choose a folder beside it")
    if not place.exists() or not any(place.iterdir()):
        return None
    marker = load(place)
    if marker is None:
        raise InputError(f"{out}: is not empty and was not written by tfmigrate; choose another folder, or empty it")
    if not tree.single and marker.source not in ("", _source(tree, place)):
        raise InputError(f"{out}: holds the conversion of {marker.source}; choose another folder, or remove it")
    return marker


def write(conversion: Conversion, out: Path) -> Written:
    """Write the whole output to the folder `out`. An interrupted or failed run leaves what was there before.

    Raises InputError for a folder that may not be written to, or that cannot be.
    """
    tree, marker = conversion.tree, check_folder(conversion.tree, out)
    place = out.resolve()
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with _staging(place, within=marker is not None) as stage:
            return _write(conversion, tree, marker, place, stage, out)
    except OSError as error:
        raise InputError(f"{error.filename or out}: cannot be written: {error.strerror or error}") from error


def _write(
    conversion: Conversion, tree: SourceTree, marker: Marker | None, place: Path, stage: Path, out: Path
) -> Written:
    texts = {content.path: content.data for content in contents.changed(conversion)}
    old = marker.files if marker else {}
    stamps: dict[str, str] = {}
    missing: list[Finding] = []
    for file in tree.files:
        if file.path not in texts:
            try:
                texts[file.path] = (tree.root / file.path).read_bytes()
            except OSError as error:
                missing.append(_missing(file.path, error))
    _refuse_edited(texts, old, place, out)
    for path, data in texts.items():
        stamps[path] = hashed(data)
        if stamp(place / path, "sha256:") == stamps[path]:
            continue
        _parent(stage / path).write_bytes(data)
        if (tree.root / path).is_file():
            shutil.copymode(tree.root / path, stage / path)
    kept = []
    for path in tree.others:
        now = stamp(place / path, "time:")
        if now and now == _wanted(tree, path):
            stamps[path] = now
            continue
        if now and now != old.get(path):
            kept.append(path)
            stamps[path] = old.get(path, "")
            continue
        try:
            stamps[path] = _copy(tree, path, _parent(stage / path))
        except OSError as error:
            missing.append(_missing(path, error))
    for path in tree.folders:
        if not (place / path).is_dir():
            (stage / path).mkdir(parents=True, exist_ok=True)
    stale = [] if tree.single else [p for p in old if p not in stamps and stamp(place / p, old[p]) == old[p]]
    merged = {**old, **stamps} if tree.single else stamps
    source = marker.source if marker and tree.single else _source(tree, place)
    written = sum(not p.is_dir() or p.is_symlink() for p in stage.rglob("*"))
    after = Marker(source, {p: s for p, s in merged.items() if s}).dump()
    if written or stale or marker is None or (place / MARKER).read_bytes() != after:
        (stage / MARKER).write_bytes(after)
        _commit(stage, place, stale, whole=marker is None)
    return Written(out, written, tuple(kept), tuple(missing))


def _source(tree: SourceTree, place: Path) -> str:
    return "" if tree.single else Path(os.path.relpath(tree.root, place)).as_posix()


def _refuse_edited(texts: Mapping[str, bytes], old: Mapping[str, str], place: Path, out: Path) -> None:
    edited = [
        path
        for path, data in texts.items()
        if (now := stamp(place / path, "sha256:")) and now not in (old.get(path), hashed(data))
    ]
    if edited:
        shown = ", ".join(edited[:5]) + (f" and {len(edited) - 5} more" if len(edited) > 5 else "")
        raise InputError(f"{out}: edited since they were written: {shown}; choose another folder, or move them away")


@contextmanager
def _staging(place: Path, within: bool) -> Iterator[Path]:
    # Beside the output, or inside one that exists already: on the same file system, so that a rename is atomic.
    stage = Path(tempfile.mkdtemp(prefix=f".{place.name}.", dir=place if within else place.parent))
    try:
        yield stage
    finally:
        with held_back():
            shutil.rmtree(stage, ignore_errors=True)


def _parent(place: Path) -> Path:
    place.parent.mkdir(parents=True, exist_ok=True)
    return place


def _copy(tree: SourceTree, path: str, place: Path) -> str:
    source = tree.root / path
    if source.is_symlink():
        target = _target(tree, source)
        place.symlink_to(target)
        return linked(target)
    shutil.copy2(source, place)
    return stamp(place, "time:")


def _wanted(tree: SourceTree, path: str) -> str:
    source = tree.root / path
    return linked(_target(tree, source)) if source.is_symlink() else stamp(source, "time:")


def _target(tree: SourceTree, link: Path) -> Path:
    # A relative link that leaves the tree would lead elsewhere from the output.
    target = link.readlink()
    aim = Path(os.path.normpath(link.parent / target))
    return target if aim.is_relative_to(tree.root) else aim


def _commit(stage: Path, place: Path, stale: list[str], whole: bool) -> None:
    if whole:
        mask = os.umask(0)
        os.umask(mask)
        stage.chmod(0o777 & ~mask)
        stage.rename(place)  # onto nothing or an empty folder
        return
    with held_back():
        for source in sorted(stage.rglob("*")):
            target = place / source.relative_to(stage)
            if source.is_dir() and not source.is_symlink():
                target.mkdir(exist_ok=True)
            elif source != stage / MARKER:
                source.replace(target)
        for path in stale:
            (place / path).unlink()
            for folder in (place / path).parents:
                if folder == place or any(folder.iterdir()):
                    break
                folder.rmdir()
        (stage / MARKER).replace(place / MARKER)


def _missing(path: str, error: OSError) -> Finding:
    return Finding("TFM005", Severity.ERROR, Place(path, 1, 1), f"not copied: {error.strerror or error}")
