"""How a command ends: each error becomes a message on standard error and an exit code."""

from __future__ import annotations

import signal
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import typer

from tfmigrate.errors import TfmigrateError

INTERRUPTED = 130
TERMINATED = 143


class Terminated(BaseException):
    """SIGTERM arrived: unwinds like Ctrl-C, so that nothing half-written stays."""


@contextmanager
def ending() -> Iterator[None]:
    """Around a whole command. Ends it with 2 for bad input, 3 for our own fault, 130 for Ctrl-C, 143 for SIGTERM."""
    before = None
    if threading.current_thread() is threading.main_thread():
        before = signal.signal(signal.SIGTERM, _terminate)
    try:
        yield
    except typer.Exit:  # how a command says its exit code
        raise
    except TfmigrateError as error:
        say(f"error: {error}")
        raise typer.Exit(error.exit_code) from error
    except KeyboardInterrupt as error:
        say("interrupted; no file is half-written")
        raise typer.Exit(INTERRUPTED) from error
    except Terminated as error:
        say("terminated; no file is half-written")
        raise typer.Exit(TERMINATED) from error
    except BrokenPipeError as error:  # `tfmigrate … | head`
        sys.stdout = None  # nothing more is to be flushed there
        raise typer.Exit(0) from error
    except Exception as error:
        traceback.print_exc()
        say(
            f"internal error: {type(error).__name__}: {error}; nothing was written over. Please report the lines above."
        )
        raise typer.Exit(3) from error
    finally:
        if before is not None:
            signal.signal(signal.SIGTERM, before)


def say(message: str) -> None:
    """One line on standard error."""
    print(f"tfmigrate: {message}", file=sys.stderr, flush=True)


def _terminate(_number: int, _frame: FrameType | None) -> None:
    raise Terminated
