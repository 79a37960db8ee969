"""Texts made harmless to look at: characters that move a cursor or turn the direction of writing become escapes."""

from __future__ import annotations

import re

_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters but tab and line feed
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # direction of writing
    "\u2028\u2029\ufeff\ufff9-\ufffb\ud800-\udfff]"  # separators, marks, halves of characters (undecodable names)
)


def visible(text: str) -> str:
    """`text` with such characters written as Python escapes; it can always be encoded as UTF-8."""
    return _HIDDEN.sub(lambda m: m[0].encode("unicode_escape").decode("ascii"), text)


def one_line(text: str) -> str:
    """`text` on one line, its white space joined."""
    return visible(" ".join(text.split()))
