"""One small tree of errors, each with its exit code. Only `cli` catches them, prints and exits."""

from __future__ import annotations


class TfmigrateError(Exception):
    """Base of all; `exit_code` is what the command ends with."""

    exit_code = 3


class InputError(TfmigrateError):
    """Bad usage or bad input: the message names the file (and line and column) and says what to do."""

    exit_code = 2


class InternalError(TfmigrateError):
    """Our own fault."""

    exit_code = 3
