"""What `verify` and `convert --verify` share: running the pairs, the reports, the exit code."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from tfmigrate.cli import progress
from tfmigrate.cli.options import Before
from tfmigrate.config import Config
from tfmigrate.errors import InputError
from tfmigrate.model import Conversion, Program, Status
from tfmigrate.verify.results import ScriptReport, Verdict


@dataclass(frozen=True)
class Limits:
    """How a verification runs; see `verify.verification.verify_pair`."""

    before: str = "auto"
    time_limit: float = 300.0
    max_steps: int = 50
    jobs: int = 1
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


def verify_conversion(conversion: Conversion, out: Path | None, limits: Limits) -> list[ScriptReport]:
    """Verify every program that a conversion made native."""
    if out is None:
        raise InputError("--verify needs an output folder")
    root = conversion.tree.root
    return verify_all([Pair(root, out, p.entry, program=p) for p in programs_of(conversion)], limits)


def verify_all(pairs: Sequence[Pair], limits: Limits) -> list[ScriptReport]:
    """Verify the pairs, `limits.jobs` at a time; the reports in the pairs' order."""
    from tfmigrate.verify.verification import target_python, verify_pair

    if target_python() == Path(_this_python()) and importlib.util.find_spec("tensorflow") is None:
        raise InputError("verifying needs TensorFlow 2: pip install 'tfmigrate[verify]'")
    with progress.shown("Verifying") as told:

        def one(pair: Pair) -> ScriptReport:
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
                concurrent=limits.jobs > 1,
            )
            told(f"{pair.entry}: {report.verdict.value}: {report.reason}")
            return report

        if limits.jobs == 1 or len(pairs) < 2:
            return [one(pair) for pair in pairs]
        with ThreadPoolExecutor(limits.jobs) as pool:
            futures = [pool.submit(one, pair) for pair in pairs]
            try:
                return [future.result() for future in futures]
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


def show(reports: Sequence[ScriptReport]) -> int:
    """Print the reports; the exit code: 1 for a difference, else 0."""
    from rich.console import Console

    from tfmigrate.report import terminal

    terminal.show(Console(), None, reports)
    return int(any(r.verdict is Verdict.DIFFERS for r in reports))


def write_report(file: Path, conversion: Conversion | None, reports: Sequence[ScriptReport]) -> None:
    """Write the report in the form that the file's name asks for (one of `options.REPORTS`)."""
    from tfmigrate.report import html, json, markdown
    from tfmigrate.verify import schema

    match file.suffix.lower():
        case ".html" | ".htm":
            text = html.render(conversion, reports)
        case ".md" | ".markdown":
            text = markdown.render(conversion, reports)
        case _:
            text = schema.write(reports) if reports or conversion is None else json.render([conversion])
    json.write(file, text)


def _this_python() -> str:
    import sys

    return sys.executable
