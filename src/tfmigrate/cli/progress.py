"""Progress: a moving line on a terminal, plain lines elsewhere, both on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Progress = Callable[[str], None]


@contextmanager
def shown(title: str, lines: bool = True) -> Iterator[Progress]:
    """Gives the function that is told of each step. Off a terminal each step is a line, or none where not `lines`."""
    if not sys.stderr.isatty():
        yield _plain if lines else _nothing
        return
    from rich.console import Console

    console = Console(stderr=True)
    with console.status(title) as status:
        yield lambda text: status.update(f"{title}  [dim]{_escaped(text)}[/dim]")


def _plain(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _nothing(_text: str) -> None:
    pass


def _escaped(text: str) -> str:
    from rich.markup import escape

    return escape(text)
