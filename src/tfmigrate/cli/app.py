"""The commands. Each module below imports what it runs only when it runs, so that `--help` stays fast."""

from __future__ import annotations

from typing import Annotated

import typer

import tfmigrate
from tfmigrate.cli.check import check
from tfmigrate.cli.convert import convert
from tfmigrate.cli.explain import explain
from tfmigrate.cli.tf1 import tf1
from tfmigrate.cli.verify import verify

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Rewrite TensorFlow 1 Session programs into TensorFlow 2, run both and report whether they agree.",
    epilog="Exit codes: 0 done; 1 a TensorFlow 1 file that is not native, a finding of check, or a difference; "
    "2 usage or input error; 3 internal error; 130 interrupted.",
)


@app.callback(invoke_without_command=True)
def root(
    version: Annotated[bool, typer.Option("--version", help="Print the version and end.", is_eager=True)] = False,
) -> None:
    """What stands before a command."""
    if version:
        typer.echo(f"tfmigrate {tfmigrate.__version__}")
        raise typer.Exit


app.command()(convert)
app.command()(verify)
app.command()(check)
app.command()(explain)
app.add_typer(tf1, name="tf1")
