"""`tfmigrate verify BEFORE AFTER`."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Annotated

import typer

from tfmigrate.cli.ending import ending
from tfmigrate.cli.options import BeforeOption, JobsOption, JsonOption, MaxStepsOption, ReportOption, TimeLimitOption
from tfmigrate.model import Conversion, Options, Program, SiteKind, SourceTree, Status

if TYPE_CHECKING:
    from tfmigrate.cli.verifying import Pair


def verify(
    before_path: Annotated[Path, typer.Argument(metavar="BEFORE", help="The legacy file or tree.")],
    after_path: Annotated[Path, typer.Argument(metavar="AFTER", help="The converted file or tree.")],
    args: Annotated[list[str] | None, typer.Argument(metavar="[-- ARGS]", help="Arguments of the programs.")] = None,
    entry: Annotated[
        list[str] | None,
        typer.Option(metavar="REL", help="A script of the trees; may be repeated.", show_default="every entry point"),
    ] = None,
    before: BeforeOption = None,
    time_limit: TimeLimitOption = None,
    max_steps: MaxStepsOption = None,
    json_file: JsonOption = None,
    report_file: ReportOption = None,
    record: Annotated[Path | None, typer.Option(metavar="FILE", help="Keep the legacy run there.")] = None,
    golden: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A kept legacy run, taken in place of a new one.")
    ] = None,
    jobs: JobsOption = None,
) -> None:
    """Run both and compare their results and step times; also for a pair migrated by hand."""
    with ending():
        from tfmigrate import config
        from tfmigrate.cli import verifying
        from tfmigrate.errors import InputError
        from tfmigrate.report import json
        from tfmigrate.verify import schema

        limits = verifying.Limits.of(
            config.load(before_path), before, time_limit, max_steps, jobs, args or (), record, golden
        )
        conversion, pairs = _pairs(before_path, after_path, entry or [])
        if (record is not None or golden is not None) and len(pairs) != 1:
            raise InputError(f"--record and --golden are about one script, here are {len(pairs)}; name it by --entry")
        if entry:
            conversion = verifying.about(conversion, [pair.entry for pair in pairs])
        reports = verifying.verify_all(pairs, limits)
        code = verifying.show(conversion, reports)
        if json_file is not None:
            json.write(json_file, schema.write(reports))
        if report_file is not None:
            title = f"{before_path} → {after_path}"
            verifying.write_report(report_file, conversion, reports, title, verifying.sources_of(conversion, pairs))
        raise typer.Exit(code)


def _pairs(before: Path, after: Path, entries: list[str]) -> tuple[Conversion, list[Pair]]:
    """The scripts to run, with what the analysis of BEFORE says of them."""
    from tfmigrate import pipeline
    from tfmigrate.cli.inputs import read_all
    from tfmigrate.cli.verifying import Pair, programs_of
    from tfmigrate.errors import InputError

    (tree,) = read_all([before], strict=False)
    if not after.exists():
        raise InputError(f"{after}: no such file or folder")
    if tree.single != after.is_file():
        raise InputError(f"{before} and {after}: must be two files or two folders")
    if tree.single and entries:
        raise InputError("--entry is for trees")
    conversion = pipeline.convert(tree, Options())
    known = {program.entry: program for program in conversion.programs}
    if tree.single:
        name = tree.files[0].path
        program = known.get(name)
        return conversion, [Pair(tree.root, after.resolve().parent, name, after.name, _judged(program, tree, after))]
    root = after.resolve()
    names = [str(PurePosixPath(name)) for name in entries] or [p.entry for p in programs_of(conversion)]
    if not names:
        raise InputError(f"{before}: no program here was converted; name scripts by --entry")
    for name in names:
        for folder in (tree.root, root):
            if not (folder / name).is_file():
                raise InputError(f"{folder / name}: no such script")
    return conversion, [Pair(tree.root, root, name, program=_judged(known.get(name), tree, root)) for name in names]


def _judged(program: Program | None, tree: SourceTree, after: Path) -> Program | None:
    """The analysis, where AFTER is what it led to (perhaps edited since); None for a pair migrated by hand."""
    if program is None:
        return None
    if program.status is not Status.NATIVE:
        place = after if after.is_file() else after / program.entry
        same = place.read_bytes() == (tree.root / program.entry).read_bytes()
        return program if same else None
    places = [after] if after.is_file() else [after / path for path in program.files]
    text = "\n".join(place.read_bytes().decode("utf-8", "replace") for place in places if place.is_file())
    names = {site.name for site in program.sites if site.kind is SiteKind.CALL and site.name}
    made = set(re.findall(r"\bdef (\w+)|^\s*(?:self\.)?(\w+) = ", text, re.MULTILINE))
    return program if names <= {name for pair in made for name in pair} else None
