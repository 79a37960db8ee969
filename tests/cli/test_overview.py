"""Which refusals stand on the screen, in which order."""

from __future__ import annotations

from pathlib import Path

from tfmigrate.cli.overview import overview
from tfmigrate.model import (
    Conversion,
    FileResult,
    Finding,
    Options,
    Place,
    Program,
    Severity,
    SourceFile,
    SourceTree,
    Status,
)


def conversion(codes: dict[str, str], programs: tuple[tuple[str, ...], ...] = ()) -> Conversion:
    tree = SourceTree(Path("/w"), tuple(SourceFile(path, "x") for path in codes))
    files = tuple(
        FileResult(
            path,
            Status.REFUSED,
            findings=tuple(Finding(c, Severity.ERROR, Place(path, n, 1), c) for n, c in enumerate(found.split(), 1)),
        )
        for path, found in codes.items()
    )
    return Conversion(tree, Options(), files, tuple(Program(p[0], p[0], p, Status.REFUSED) for p in programs))


def ranks(found: Conversion) -> list[tuple[str, int, int]]:
    return [(o.code, o.frees, o.files) for o in overview(found).obstacles]


def test_a_reason_that_stands_alone_frees_its_file() -> None:
    assert ranks(conversion({"a.py": "TFM101", "b.py": "TFM102 TFM103", "c.py": "TFM101 TFM101"})) == [
        ("TFM101", 2, 2),
        ("TFM102", 0, 1),
        ("TFM103", 0, 1),
    ]


def test_a_program_is_freed_whole_or_not_at_all() -> None:
    codes = {"a.py": "TFM101", "b.py": "", "c.py": "TFM102", "d.py": "TFM102"}
    assert ranks(conversion(codes, (("a.py", "b.py"), ("c.py", "d.py")))) == [("TFM101", 2, 1), ("TFM102", 2, 2)][::-1]
    assert ranks(conversion(codes, (("a.py", "b.py", "c.py"),))) == [("TFM102", 1, 2), ("TFM101", 0, 1)]


def test_warnings_free_nothing() -> None:
    tree = SourceTree(Path("/w"), (SourceFile("a.py", "x"),))
    odd = Finding("TFM401", Severity.WARNING, Place("a.py", 1, 1), "odd")
    seen = overview(Conversion(tree, Options(), (FileResult("a.py", Status.REFUSED, findings=(odd,)),)))
    assert (seen.obstacles, seen.warnings) == ((), 1)
