"""The options that several commands have."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer


class Before(str, Enum):
    """The forms of `--before`: what the legacy program is run with."""

    AUTO = "auto"
    TF1 = "tf1"
    COMPAT = "compat"
    BOTH = "both"


REPORTS = (".html", ".htm", ".md", ".markdown", ".json")


def _report_name(file: Path | None) -> Path | None:
    # Before anything runs: a verification may take an hour.
    if file is not None and file.suffix.lower() not in REPORTS:
        raise typer.BadParameter(f"{file}: a report's name ends in .html, .md or .json")
    return file


JsonOption = Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the results there as JSON.")]
ReportOption = Annotated[
    Path | None,
    typer.Option(
        "--report", metavar="FILE", help="Write a report: FILE ends in .html, .md or .json.", callback=_report_name
    ),
]
BeforeOption = Annotated[
    Before | None,
    typer.Option("--before", help="What runs the legacy program.", show_default="auto: tf1 where installed"),
]
TimeLimitOption = Annotated[
    float | None, typer.Option(metavar="S", help="Seconds for each run.", show_default="300", min=1.0)
]
MaxStepsOption = Annotated[
    int | None, typer.Option(metavar="N", help="Runs of each site, then a clean stop.", show_default="50", min=1)
]
JobsOption = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Programs verified at a time; step times are always taken alone.",
        show_default="2",
        min=1,
    ),
]
