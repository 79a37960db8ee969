"""What the screen after `convert` tells, shaped from a conversion before anything is printed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tfmigrate.model import Conversion, Finding, Severity, SignatureChange, Status
from tfmigrate.source.pins import Pin, old_tensorflow


@dataclass(frozen=True)
class Obstacle:
    """A reason for refusals: it stands in `files` files, of which mending it alone would free `frees`."""

    code: str
    frees: int
    files: int
    first: Finding


@dataclass(frozen=True)
class Overview:
    """One conversion at a glance. `packages` are what the result needs beside TensorFlow."""

    totals: Mapping[str, int]
    obstacles: tuple[Obstacle, ...]
    failures: tuple[Finding, ...]
    unread: tuple[Finding, ...]
    warnings: int
    packages: tuple[str, ...]
    pins: tuple[Pin, ...]
    signatures: tuple[SignatureChange, ...]
    support: tuple[str, ...]


def overview(conversion: Conversion) -> Overview:
    """The conversion's overview; reads the tree's requirements files."""
    converted = any(file.status is Status.NATIVE for file in conversion.files)
    return Overview(
        totals=conversion.totals(),
        obstacles=_obstacles(conversion),
        failures=tuple(
            finding
            for file in conversion.files
            if file.status is Status.FAILED
            for finding in file.findings
            if finding.severity is Severity.ERROR
        ),
        unread=tuple(n for n in conversion.tree.notes if n.severity is Severity.ERROR),
        warnings=sum(f.severity is Severity.WARNING for file in conversion.files for f in file.findings),
        packages=tuple(sorted({p for program in conversion.programs for p in program.packages})),
        pins=old_tensorflow(conversion.tree) if converted else (),
        signatures=conversion.signatures,
        support=tuple(s.path for s in conversion.support),
    )


def _obstacles(conversion: Conversion) -> tuple[Obstacle, ...]:
    """Reasons ranked by the files that each would free alone: a connected program is freed whole or not at all."""
    refused = {f.path: f for f in conversion.files if f.status in (Status.REFUSED, Status.BRIDGED)}
    own = {path: {x.code for x in f.findings if x.severity is Severity.ERROR} for path, f in refused.items()}
    # A file that several programs share needs all of them mended.
    needed = {path: set(codes) for path, codes in own.items()}
    for program in conversion.programs:
        together = set().union(*(own.get(path, set()) for path in program.files))
        for path in program.files:
            if path in needed:
                needed[path] |= together
    firsts: dict[str, Finding] = {}
    for file in refused.values():
        for finding in file.findings:
            if finding.severity is Severity.ERROR:
                firsts.setdefault(finding.code, finding)
    found = [
        Obstacle(
            code,
            frees=sum(codes == {code} for codes in needed.values()),
            files=sum(code in codes for codes in own.values()),
            first=first,
        )
        for code, first in firsts.items()
    ]
    return tuple(sorted(found, key=lambda o: (-o.frees, -o.files, o.code)))
