"""Prints the screen after `convert`: at most one page, plain text with a little colour on a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import typer

from tfmigrate.cli.overview import Overview
from tfmigrate.model import Place, Status
from tfmigrate.source.output import Written

_MOST = 6  # rows of a list; the JSON file and the report hold all of them

_MEANING: Mapping[str, tuple[str, str]] = {
    "native": ("only TensorFlow 2", "green"),
    "bridged": ("runs through tf.compat.v1", "yellow"),
    "refused": ("left as it was, see why below", "yellow"),
    "unchanged": ("held no TensorFlow 1", ""),
    "failed": ("our own fault, left as it was", "red"),
}


def show(title: str, seen: Overview, where: str, commands: Sequence[str], at: Path, single: bool) -> None:
    """Print it. `where`: the output's place; `commands`: what to type next; `at`: the path as the user gave it."""
    typer.echo(typer.style(title, bold=True))
    for status in Status:
        if count := seen.totals[status.value]:
            meaning, colour = _MEANING[status.value]
            typer.echo(f"  {typer.style(f'{count:5d} {status.value:<9}', fg=colour or None)}  {meaning}")
    if not sum(seen.totals.values()):
        typer.echo("  no Python files")

    def named(place: Place) -> str:
        return placed(at, single, place)

    _section("Failed", [f"{named(f.place)}: {f.code} {f.message}" for f in seen.failures])
    _section("Not read", [f"{named(f.place)}: {f.code} {f.message}" for f in seen.unread])
    _section(
        "Refused, by the files that each reason alone keeps back",
        [
            f"{o.frees:3d} of {o.files:<3d} {o.code} {_short(o.first.message)}  ({named(o.first.place)})"
            for o in seen.obstacles
        ],
    )
    _section("Changed signatures", [f"{named(s.place)}: {s.before} -> {s.after}" for s in seen.signatures])
    _section("Generated beside the programs", [", ".join(seen.support)] if seen.support else [])
    _section("The result needs", [", ".join(["tensorflow>=2.16", *seen.packages])] if seen.totals["native"] else [])
    _section("Asks for an old TensorFlow", [f"{at / p.place.path}:{p.place.line}: {p.text}" for p in seen.pins])
    if seen.warnings:
        plural = "s" * (seen.warnings != 1)
        typer.echo(f"{seen.warnings} warning{plural} about oddities that were kept (--json or --report list them)")
    typer.echo(where)
    for number, command in enumerate(commands):
        typer.echo(("Next:  " if not number else "       ") + typer.style(command, bold=True))


def placed(at: Path, single: bool, place: Place) -> str:
    """A place as seen from where the command was typed, so that a terminal or editor can open it."""
    return f"{at if single else at / place.path}:{place.line}:{place.column}"


def where_written(written: Written) -> str:
    """One line about an output folder."""
    if not written.written:
        line = f"Nothing changed in {written.folder}: it was up to date"
    else:
        line = f"Written to {written.folder} ({written.written} file{'s' * (written.written != 1)})"
    if written.kept:
        line += f"; {len(written.kept)} that changed there since were kept: {', '.join(written.kept[:3])}"
        line += ", …" if len(written.kept) > 3 else ""
    for finding in written.missing:
        line += f"\n  not copied: {finding.place.path}: {finding.message}"
    return line


def _section(title: str, rows: Sequence[str]) -> None:
    if not rows:
        return
    typer.echo(title)
    for row in rows[:_MOST]:
        typer.echo(f"  {row}")
    if len(rows) > _MOST:
        typer.echo(f"  … and {len(rows) - _MOST} more (--json FILE lists all)")


def _short(text: str) -> str:
    return text if len(text) <= 90 else text[:89] + "…"
