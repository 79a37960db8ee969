"""Runs work that recurses deeply: with a higher limit for the time of it, and a stack that is large enough."""

from __future__ import annotations

import contextlib
import gc
import sys
import threading
from collections.abc import Callable, Iterator
from typing import TypeVar

T = TypeVar("T")

RECURSION = 20_000
STACK = 512 * 1024 * 1024  # address space; the system gives only the pages that are touched


def deeply(work: Callable[[], T]) -> T:
    """What `work` gives, run in a thread of its own; its exceptions are raised here, KeyboardInterrupt at once."""
    results: list[T] = []
    failures: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # handed to the caller's thread
            failures.append(error)

    with _limits():
        thread = threading.Thread(target=run, name="conversion", daemon=True)
        thread.start()
        thread.join()
    if failures:
        raise failures[0]
    return results[0]


@contextlib.contextmanager
def _limits() -> Iterator[None]:
    """Limits for the time of the work. Trees hold millions of nodes, which each full collection would go through."""
    recursion, stack, thresholds = sys.getrecursionlimit(), threading.stack_size(), gc.get_threshold()
    sys.setrecursionlimit(max(recursion, RECURSION))
    threading.stack_size(STACK)
    gc.set_threshold(50_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        threading.stack_size(stack)
        sys.setrecursionlimit(recursion)
