"""`tfmigrate explain CODE`."""

from __future__ import annotations

import difflib
from typing import Annotated

import typer

from tfmigrate.cli.ending import ending


def explain(
    codes: Annotated[list[str] | None, typer.Argument(metavar="[CODE]…", help="Codes such as TFM004.")] = None,
) -> None:
    """Say what a finding means and what to do about it; without a code, list them all."""
    with ending():
        from tfmigrate.errors import InputError
        from tfmigrate.reasons import REASONS

        if not codes:
            for reason in REASONS.values():
                typer.echo(f"{reason.code}  {reason.severity.value:<7}  {reason.title}")
            return
        for number, code in enumerate(codes):
            found = REASONS.get(code.upper())
            if found is None:
                near = difflib.get_close_matches(code.upper(), REASONS, n=3)
                hint = f"; did you mean {', '.join(near)}?" if near else ""
                raise InputError(f"{code}: no such code{hint} (`tfmigrate explain` lists them all)")
            parts = [
                f"{found.code}  {found.title}  ({found.severity.value})",
                found.sentence,
                f"Example:\n{_indented(found.example)}" if found.example else "",
                f"What to do: {found.advice}" if found.advice else "",
                f"Source: {found.source}" if found.source else "",
            ]
            typer.echo(("\n" if number else "") + "\n\n".join(part for part in parts if part))


def _indented(text: str) -> str:
    return "\n".join("    " + line for line in text.splitlines())
