"""`tfmigrate convert PATH…`."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tfmigrate.cli.ending import ending
from tfmigrate.cli.options import BeforeOption, JobsOption, JsonOption, MaxStepsOption, ReportOption, TimeLimitOption
from tfmigrate.model import Conversion, Optimizers, Options, SourceTree, Status, Strategy

if TYPE_CHECKING:
    from tfmigrate.config import Config


@dataclass(frozen=True)
class _Target:
    """A path of the command line and where its output goes (None: nothing is written to a folder)."""

    path: Path
    out: Path | None


def convert(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH…", help="Files and folders.")],
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write there (always a folder); X_tf2 beside X by default.")
    ] = None,
    in_place: Annotated[bool, typer.Option("--in-place", help="Replace the originals, if git has them.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Print a unified diff, write nothing.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit code 1 if anything is to be converted.")
    ] = False,
    strategy: Annotated[
        Strategy | None, typer.Option(help="Scope of the training programs.", show_default="default")
    ] = None,
    optimizers: Annotated[
        Optimizers | None, typer.Option(help="TensorFlow 1's exact arithmetic, or plain Keras.", show_default="fused")
    ] = None,
    verify: Annotated[bool, typer.Option("--verify", help="Verify each converted program right after.")] = False,
    force: Annotated[bool, typer.Option("--force", help="With --in-place: also what git could not undo.")] = False,
    json_file: JsonOption = None,
    report_file: ReportOption = None,
    before: BeforeOption = None,
    time_limit: TimeLimitOption = None,
    max_steps: MaxStepsOption = None,
    jobs: JobsOption = None,
) -> None:
    """Convert files and whole trees; what is no Python is copied too, so that the new tree runs."""
    with ending():
        from tfmigrate import config, pipeline
        from tfmigrate.cli import progress
        from tfmigrate.cli.inputs import read_all
        from tfmigrate.errors import InputError
        from tfmigrate.report import json

        _refuse_contradictions(paths, out, in_place, diff, check, verify, force, report_file)
        settings = config.load(paths[0])
        options = Options(
            strategy or settings.strategy or Strategy.DEFAULT, optimizers or settings.optimizers or Optimizers.FUSED
        )
        trees = read_all(paths)
        writes = not (diff or check or in_place)
        targets = _targets(paths, trees, out, settings) if writes else [_Target(path, None) for path in paths]
        with progress.shown("Converting", lines=False) as told:
            conversions = [pipeline.convert(tree, options, told) for tree in trees]
        if diff:
            _print_diff(conversions)
        wrote = [
            _finish(t, c, in_place, force, quiet=diff, dry=diff or check, ends=not verify)
            for t, c in zip(targets, conversions, strict=True)
        ]
        if json_file is not None:
            json.write(json_file, json.render(conversions, written=not (diff or check)))
        code = _exit_code(conversions, check)
        if not all(wrote):
            code = max(code, InputError.exit_code)
        if verify or report_file is not None:
            from tfmigrate.cli import verifying

            written = targets[0].out
            limits = verifying.Limits.of(settings, before, time_limit, max_steps, jobs)
            pairs = verifying.pairs_of(conversions[0], written) if verify and written is not None else []
            reports = verifying.verify_all(pairs, limits) if pairs else []
            if report_file is not None:
                title = f"{paths[0]} → {written}" if written is not None else str(paths[0])
                sources = verifying.sources_of(conversions[0], pairs)
                verifying.write_report(report_file, conversions[0], reports, title, sources)
            if verify:
                code = max(code, verifying.show(verifying.without_findings(conversions[0]), reports))
        raise typer.Exit(code)


def _refuse_contradictions(
    paths: list[Path],
    out: Path | None,
    in_place: bool,
    diff: bool,
    check: bool,
    verify: bool,
    force: bool,
    report_file: Path | None,
) -> None:
    from tfmigrate.errors import InputError

    chosen = [
        name
        for name, given in (("--out", out is not None), ("--in-place", in_place), ("--diff", diff), ("--check", check))
        if given
    ]
    if len(chosen) > 1:
        raise InputError(f"{' and '.join(chosen)}: choose one")
    if verify and chosen not in ([], ["--out"]):
        raise InputError(f"--verify needs the original and an output folder to run; leave {chosen[0]} out")
    if force and not in_place:
        raise InputError("--force belongs to --in-place")
    if len(paths) > 1 and (verify or report_file is not None):
        raise InputError(f"{'--verify' if verify else '--report'} takes one PATH; give a folder, or run it for each")


def _targets(paths: list[Path], trees: list[SourceTree], out: Path | None, settings: Config) -> list[_Target]:
    from tfmigrate.errors import InputError
    from tfmigrate.source.output import beside, check_folder

    found: list[_Target] = []
    chosen = out or settings.out
    taken: dict[Path, Path] = {}
    for path, tree in zip(paths, trees, strict=True):
        place = beside(path, tree) if chosen is None else chosen
        if chosen is not None and len(paths) > 1 and not tree.single:
            place = chosen / tree.root.name
        key = (place / tree.files[0].path if tree.single else place).absolute()
        if key in taken:
            raise InputError(f"{taken[key]} and {path} would both be written to {key}; convert them one by one")
        taken[key] = path
        check_folder(tree, place)
        found.append(_Target(path, place))
    return found


def _print_diff(conversions: list[Conversion]) -> None:
    import sys

    from tfmigrate.source.diff import unified

    for conversion in conversions:
        for part in unified(conversion, Path.cwd()):
            sys.stdout.buffer.write(part)
    sys.stdout.flush()


def _finish(
    target: _Target, conversion: Conversion, in_place: bool, force: bool, *, quiet: bool, dry: bool, ends: bool
) -> bool:
    """Write one conversion and show its screen (not beside a diff). Whether all of the input could be taken along.

    `ends`: no verification follows by itself, so that the screen names it as the next command.
    """
    from tfmigrate.cli import screen
    from tfmigrate.cli.overview import overview
    from tfmigrate.source import inplace, output

    seen = overview(conversion)
    complete = not seen.unread and not any(
        f.problem is not None and f.problem.code == "TFM005" for f in conversion.tree.files
    )
    commands: list[str] = []
    if target.out is not None:
        written = output.write(conversion, target.out)
        complete = complete and not written.missing
        where = screen.where_written(written)
        commands = _next_commands(target, conversion) if ends else []
    elif in_place:
        count = inplace.write(conversion, force)
        where = f"Replaced or added {count} file{'s' * (count != 1)} in place" if count else "Nothing to replace"
    else:
        where = "Nothing was written"
        commands = [] if dry and not seen.totals["native"] else [f"tfmigrate convert {shlex.quote(str(target.path))}"]
    if not quiet:
        screen.show(f"tfmigrate convert {target.path}", seen, where, commands, target.path, conversion.tree.single)
    return complete


def _next_commands(target: _Target, conversion: Conversion) -> list[str]:
    if not any(program.status is Status.NATIVE for program in conversion.programs):
        return []
    after = target.out or target.path
    if conversion.tree.single:
        after = after / conversion.tree.files[0].path
    return [f"tfmigrate verify {shlex.quote(str(target.path))} {shlex.quote(str(after))}"]


def _exit_code(conversions: list[Conversion], check: bool) -> int:
    statuses = {file.status for conversion in conversions for file in conversion.files}
    if Status.FAILED in statuses:
        return 3
    to_do = {Status.REFUSED, Status.BRIDGED} | ({Status.NATIVE} if check else set())
    if check:
        changed = any(f.output is not None for c in conversions for f in c.files)
        return int(changed or bool(statuses & {Status.REFUSED, Status.BRIDGED}))
    return int(bool(statuses & to_do))
