"""Whose turn it is on the machine: runs that record may go side by side, runs that are timed go alone."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Cancelled(BaseException):
    """The whole verification was given up; unwinds whatever is under way."""


class Turns:
    """Shared by verifications that go side by side. A timed run waits for the recording ones, and these for it."""

    def __init__(self) -> None:
        self._change = threading.Condition()
        self._recording = 0
        self._waiting = 0  # timed runs that wait: no recording run may begin before them
        self._timing = False
        self._cancelled = False

    @property
    def cancelled(self) -> bool:
        """Whether everything shall end."""
        return self._cancelled

    def cancel(self) -> None:
        """Whoever waits, or asks for a turn, gets Cancelled."""
        with self._change:
            self._cancelled = True
            self._change.notify_all()

    @contextmanager
    def recording(self) -> Iterator[None]:
        """A turn beside other recording runs."""
        with self._change:
            self._change.wait_for(lambda: self._cancelled or not (self._timing or self._waiting))
            self._check()
            self._recording += 1
        try:
            yield
        finally:
            with self._change:
                self._recording -= 1
                self._change.notify_all()

    @contextmanager
    def timing(self) -> Iterator[None]:
        """A turn alone."""
        with self._change:
            self._waiting += 1
            try:
                self._change.wait_for(lambda: self._cancelled or not (self._timing or self._recording))
                self._check()
                self._timing = True
            finally:
                self._waiting -= 1
        try:
            yield
        finally:
            with self._change:
                self._timing = False
                self._change.notify_all()

    def _check(self) -> None:
        if self._cancelled:
            raise Cancelled
