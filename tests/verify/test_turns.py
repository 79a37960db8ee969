"""Recording runs go side by side, timed runs alone, and a cancelled verification ends."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from tfmigrate.verify.turns import Cancelled, Turns


def held(turn: Callable[[], AbstractContextManager[None]]) -> tuple[threading.Thread, threading.Event, threading.Event]:
    """A thread that takes a turn: the event that it has it, and the one that lets it go."""
    begun, end = threading.Event(), threading.Event()

    def take() -> None:
        with turn():
            begun.set()
            end.wait(10)

    thread = threading.Thread(target=take, daemon=True)
    thread.start()
    return thread, begun, end


def test_recording_runs_go_side_by_side_and_a_timed_run_alone() -> None:
    turns = Turns()
    _, first, end_first = held(turns.recording)
    _, second, end_second = held(turns.recording)
    assert first.wait(5)
    assert second.wait(5)
    _, timed, end_timed = held(turns.timing)
    time.sleep(0.05)
    _, late, end_late = held(turns.recording)
    end_first.set()
    assert not timed.wait(0.1)
    end_second.set()
    assert timed.wait(5)
    assert not late.wait(0.1)
    end_timed.set()
    assert late.wait(5)
    end_late.set()


def test_two_timed_runs_take_turns() -> None:
    turns = Turns()
    _, first, end_first = held(turns.timing)
    assert first.wait(5)
    _, second, end_second = held(turns.timing)
    assert not second.wait(0.1)
    end_first.set()
    assert second.wait(5)
    end_second.set()


def test_who_waits_when_all_is_cancelled_gets_no_turn() -> None:
    turns = Turns()
    found: list[type[BaseException]] = []

    def wait() -> None:
        try:
            with turns.timing():
                found.append(AssertionError)
        except Cancelled:
            found.append(Cancelled)

    with turns.recording():
        thread = threading.Thread(target=wait)
        thread.start()
        time.sleep(0.05)
        turns.cancel()
        thread.join(5)
    assert found == [Cancelled]
    with pytest.raises(Cancelled), turns.recording():
        pass
