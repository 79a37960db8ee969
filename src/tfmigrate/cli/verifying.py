"""What `verify` and `convert --verify` share: running the pairs, the reports, the exit code."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tfmigrate.cli import progress
from tfmigrate.cli.options import Before
from tfmigrate.config import Config
from tfmigrate.errors import InputError
from tfmigrate.model import Conversion, Program, Status
from tfmigrate.verify.results import ScriptReport, Verdict

if TYPE_CHECKING:
    from tfmigrate.report.view import SourcePair


@dataclass(frozen=True)
class Limits:
    """How a verification runs; see `verify.verification.verify_pair`."""

    before: str = "auto"
    time_limit: float = 300.0
    max_steps: int = 50
    jobs: int = min(2, os.cpu_count() or 1)
    args: tuple[str, ...] = ()
    record: Path | None = None
    golden: Path | None = None

    @classmethod
    def of(
        cls,
        settings: Config,
        before: Before | None,
        time_limit: float | None,
        max_steps: int | None,
        jobs: int | None,
        args: Sequence[str] = (),
        record: Path | None = None,
        golden: Path | None = None,
    ) -> Limits:
        """The command's options, else the configuration's, else the defaults."""
        return cls(
            before.value if before is not None else settings.before or cls.before,
            time_limit or settings.time_limit or cls.time_limit,
            max_steps or settings.max_steps or cls.max_steps,
            jobs or settings.jobs or cls.jobs,
            tuple(args),
            record,
            golden,
        )


@dataclass(frozen=True)
class Pair:
    """One script to verify. `program` is its analysis, None where there is none."""

    before: Path | None
    after: Path
    entry: str
    after_entry: str | None = None
    program: Program | None = field(default=None, repr=False)


def programs_of(conversion: Conversion) -> list[Program]:
    """The programs that were converted, in the order of their entries."""
    return sorted((p for p in conversion.programs if p.status is Status.NATIVE), key=lambda p: p.entry)


def pairs_of(conversion: Conversion, out: Path) -> list[Pair]:
    """Every program that a conversion made native, and what was written to `out` for it."""
    return [Pair(conversion.tree.root, out, p.entry, program=p) for p in programs_of(conversion)]


def about(conversion: Conversion, entries: Sequence[str]) -> Conversion:
    """The part of the conversion that these scripts belong to."""
    programs = tuple(p for p in conversion.programs if p.entry in entries)
    paths = {path for program in programs for path in program.files}
    return replace(conversion, programs=programs, files=tuple(f for f in conversion.files if f.path in paths))


def sources_of(conversion: Conversion, pairs: Sequence[Pair]) -> tuple[SourcePair, ...]:
    """The texts that were run wherever they are not what `conversion` holds: written by hand, or edited since."""
    return tuple(source for pair in pairs for source in _sources(conversion, pair))


def _sources(conversion: Conversion, pair: Pair) -> Iterator[SourcePair]:
    from tfmigrate.report.view import SourcePair
    from tfmigrate.source.decode import decode

    program = next((p for p in conversion.programs if p.entry == pair.entry), None)
    results = {file.path: file.output for file in conversion.files}
    for path in program.files if program is not None else (pair.entry,):
        source = conversion.tree.file(path)
        name = pair.after_entry if pair.after_entry is not None and path == pair.entry else path
        place = pair.after / name
        if source is None or source.text is None or not place.is_file():
            continue
        after = decode(name, place.read_bytes()).text
        known = results.get(path)
        if after is not None and (program is None or after != (source.as_read if known is None else known)):
            yield SourcePair(pair.entry, path, name, source.as_read or "", after)


def verify_all(pairs: Sequence[Pair], limits: Limits) -> list[ScriptReport]:
    """Verify the pairs, `limits.jobs` at a time, timed runs alone; the reports in the pairs' order."""
    from tfmigrate.verify.turns import Turns
    from tfmigrate.verify.verification import target_python, verify_pair

    if target_python() == Path(_this_python()) and importlib.util.find_spec("tensorflow") is None:
        raise InputError("verifying needs TensorFlow 2: pip install 'tfmigrate[verify]'")
    turns = Turns()
    done = 0
    with progress.shown("Verifying") as told:

        def one(pair: Pair) -> ScriptReport:
            nonlocal done

            def step(text: str) -> None:
                told(f"{pair.entry}: {text}")

            report = verify_pair(
                pair.before,
                pair.after,
                pair.entry,
                oracle=limits.before,
                time_limit=limits.time_limit,
                max_steps=limits.max_steps,
                args=limits.args,
                conversion=pair.program,
                progress=step,
                after_entry=pair.after_entry,
                record=limits.record,
                golden=limits.golden,
                turns=turns,
            )
            done += 1
            told(
                f"[{done}/{len(pairs)}] {pair.entry}: {report.verdict.value}: {report.reason} ({report.seconds:.0f} s)"
            )
            return report

        if limits.jobs == 1 or len(pairs) < 2:
            return [one(pair) for pair in pairs]
        with ThreadPoolExecutor(limits.jobs) as pool:
            futures = [pool.submit(one, pair) for pair in pairs]
            try:
                return [future.result() for future in futures]
            except BaseException:
                turns.cancel()
                pool.shutdown(wait=False, cancel_futures=True)
                raise


def without_findings(conversion: Conversion) -> Conversion:
    """The same, for a screen that has told the findings already."""
    return replace(conversion, files=tuple(replace(file, findings=()) for file in conversion.files))


def show(conversion: Conversion, reports: Sequence[ScriptReport]) -> int:
    """Print the reports, and which programs were refused; the exit code: 1 for a difference, else 0."""
    from rich.console import Console

    from tfmigrate.report import terminal

    terminal.show(Console(), conversion, reports)
    return int(any(r.verdict is Verdict.DIFFERS for r in reports))


def write_report(
    file: Path, conversion: Conversion, reports: Sequence[ScriptReport], title: str, sources: Sequence[SourcePair] = ()
) -> None:
    """Write the report in the form that the file's name asks for (one of `options.REPORTS`)."""
    from tfmigrate.report import html, json, markdown
    from tfmigrate.verify import schema

    match file.suffix.lower():
        case ".html" | ".htm":
            text = html.render(conversion, reports, sources=sources, title=title)
        case ".md" | ".markdown":
            text = markdown.render(conversion, reports, title=title)
        case _:
            text = schema.write(reports) if reports else json.render([conversion])
    json.write(file, text)


def _this_python() -> str:
    import sys

    return sys.executable
