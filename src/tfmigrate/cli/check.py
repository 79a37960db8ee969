"""`tfmigrate check PATH…`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tfmigrate.cli.ending import ending


def check(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH…", help="Files and folders.")],
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the findings there.")] = None,
) -> None:
    """Find TensorFlow 1 and what makes the graph grow; change nothing. Exit code 1 where something was found."""
    with ending():
        import json

        import tfmigrate
        from tfmigrate import pipeline
        from tfmigrate.cli.inputs import read_all
        from tfmigrate.cli.screen import placed
        from tfmigrate.model import Finding, Severity

        found: list[Finding] = []
        unread = False
        for path, tree in zip(paths, read_all(paths, strict=False), strict=True):
            here = {*pipeline.check(tree), *(f.problem for f in tree.files if f.problem is not None)}
            here |= {note for note in tree.notes if note.severity is not Severity.INFO}
            unread = unread or any(f.code == "TFM005" for f in here)
            ordered = sorted(here, key=lambda f: (f.place.path, f.place.line, f.place.column, f.code))
            for finding in ordered:
                typer.echo(f"{placed(path, tree.single, finding.place)}: {finding.code} {finding.message}")
            found += ordered
        if json_file is not None:
            from tfmigrate.report.json import finding_object, write

            rows = [{"path": f.place.path, **finding_object(f)} for f in found]
            document = {"schema": 1, "tool": f"tfmigrate {tfmigrate.__version__}", "findings": rows}
            write(json_file, json.dumps(document, indent=1) + "\n")
        files = len({f.place.path for f in found})
        if found:
            typer.echo(f"{len(found)} finding{'s' * (len(found) != 1)} in {files} file{'s' * (files != 1)}")
        if any(f.severity is not Severity.INFO for f in found):
            raise typer.Exit(2 if unread else 1)
