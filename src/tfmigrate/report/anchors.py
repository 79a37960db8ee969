"""Names of the places in a report that a link can point to: readable, plain ASCII, each given once."""

from __future__ import annotations

import re


class Anchors:
    """Gives names out; the same name asked for twice gets a number behind it."""

    def __init__(self) -> None:
        self._given: dict[str, int] = {}

    def give(self, *parts: str | int) -> str:
        """A new anchor made of the parts: `give("finding", "a/b.py", 3)` is "finding-a-b.py-3"."""
        wanted = "-".join(_plain(str(p)) for p in parts)
        number = self._given.get(wanted, 0) + 1
        self._given[wanted] = number
        return wanted if number == 1 else self.give(wanted, number)


def _plain(text: str) -> str:
    ascii_text = "".join(c if c.isascii() else f"u{ord(c):x}" for c in text)
    return re.sub(r"[^A-Za-z0-9._]+", "-", ascii_text).strip("-")[-80:] or "x"
