# ruff: noqa: B905, TID252  (runs before Python 3.10, in a package of another name)
"""When a program is stopped, and how: cleanly, at the run that comes next, in a way that user code cannot swallow for
long.
"""

import os
import threading
from typing import Any, Callable, Dict, Optional, Tuple

from .settings import Settings

REACH = 20  # a site may run this many times max_steps while another loop site has not been reached twice
PATIENCE = 10.0  # seconds that `finally` blocks and threads get after the stop
ATTEMPTS = 20  # runs refused after the stop before the process is ended from here


class Stop(BaseException):
    """Ends the program at a run; no `except Exception` catches it."""


class Stopper(object):
    """Counts runs and decides the stop.

    A counted run has a partner on the other side (a step's run). The before side stops when a counted site is asked for
    its (max_steps + 1)-th run; the after side when as many counted runs were done as before had done then.
    """

    def __init__(self, settings: Settings, now: Callable[[], float], finish: Callable[[], None]) -> None:
        self.settings = settings
        self.counted = 0
        self.sites: Dict[Tuple[str, int], int] = {}
        self.stopped_at: Dict[str, int] = {}
        self.reason: Optional[str] = None
        self._now = now
        self._finish = finish
        self._refused = 0
        self._lock = threading.RLock()

    def enter(self, place: Tuple[str, int], counted: bool) -> int:
        """Called before a run; its number among the counted runs. Raises Stop where the program ends."""
        with self._lock:
            if self.reason is not None:
                self._refuse()
            number = self.counted
            if counted:
                reason = self._reason(place)
                if reason is not None:
                    self._stop(place, reason)
                self.counted += 1
                self.sites[place] = self.sites.get(place, 0) + 1
            return number

    def take_back(self, place: Tuple[str, int]) -> None:
        """A counted run raised (the end of a dataset, say): it gave nothing that the other side could have a partner
        of, which may raise before its step is called.
        """
        with self._lock:
            self.counted -= 1
            self.sites[place] -= 1

    def _reason(self, place: Tuple[str, int]) -> Optional[str]:
        runs = self.settings.stop_at.get("runs")
        if runs is not None:
            return "step limit" if self.counted >= runs else None
        done = self.sites.get(place, 0)
        most = self.settings.max_steps
        if done >= most and (
            done >= REACH * most or all(self.sites.get(site, 0) >= 2 for site in self.settings.loop_sites)
        ):
            return "step limit"
        limit = self.settings.soft_limit
        return "time limit of steps" if limit is not None and done >= 2 and self._now() > limit else None

    def _stop(self, place: Tuple[str, int], reason: str) -> None:
        self.reason = reason
        self.stopped_at["%s:%d" % place] = self.sites.get(place, 0)
        timer = threading.Timer(PATIENCE, self._end)
        timer.daemon = True
        timer.start()
        raise Stop(reason)

    def _refuse(self) -> None:
        self._refused += 1
        if self._refused > ATTEMPTS:
            self._end()
        raise Stop(self.reason)

    def _end(self) -> None:
        self._finish()
        leave(0)


leave: Callable[[int], Any] = os._exit  # kept before user code or we ourselves wrap it
