"""The command line: the only layer that prints or exits. Commands turn options into a pipeline's arguments, no more."""

from __future__ import annotations

import sys


def main() -> None:
    """The entry point of the command `tfmigrate`."""
    try:
        from tfmigrate.cli.app import app

        app(prog_name="tfmigrate")
    except KeyboardInterrupt:  # before a command began, or in the interpreter's last lines
        print("tfmigrate: interrupted", file=sys.stderr)
        sys.exit(130)
