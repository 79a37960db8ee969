"""`tfmigrate tf1 install|status`: the real TensorFlow 1.15, in an environment of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tfmigrate.cli.ending import ending

tf1 = typer.Typer(no_args_is_help=True, help="The real TensorFlow 1.15, which legacy programs are run with.")


@tf1.command()
def install(
    packages: Annotated[
        list[str] | None, typer.Argument(metavar="[PACKAGE]…", help="What your scripts import beside it.")
    ] = None,
    requirements: Annotated[
        Path | None, typer.Option("-r", metavar="FILE", help="A requirements file of such packages.")
    ] = None,
) -> None:
    """Set it up: finds a Python 3.7, makes a virtual environment in your cache folder, installs TensorFlow 1.15.5."""
    with ending():
        from tfmigrate.verify import tf1env

        for line in tf1env.install(packages or (), requirements):
            typer.echo(line)


@tf1.command()
def status() -> None:
    """Say whether it is there, and where."""
    with ending():
        from tfmigrate.verify import tf1env

        found = tf1env.status()
        if found.environment is None or found.problem:
            typer.echo(f"TensorFlow 1.15: {found.problem}")
            raise typer.Exit(1)
        typer.echo(f"TensorFlow {found.tensorflow} on Python {found.python}: {found.environment.python}")
        for package in found.packages:
            typer.echo(f"  {package}")
