"""What operators give where the host values they take are known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import libcst as cst

from tfmigrate.analysis.values import MISSING, Graphlike, Host, Sequence, Unknown, Value
from tfmigrate.rules.expressions import code

_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "**": lambda a, b: a**b,
}
_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "in": lambda a, b: a in b,
    "not in": lambda a, b: a not in b,
}


def fold(operator: cst.BaseBinaryOp, left: Any, right: Any) -> Any:
    """The result of a binary operator; MISSING where it fails or would be large."""
    symbol = code(operator).strip()
    if symbol == "**" and not (isinstance(right, (int, float)) and abs(right) < 64):
        return MISSING
    if symbol == "*" and isinstance(left, (str, list, tuple)) and isinstance(right, int) and right > 1000:
        return MISSING
    try:
        return _BINARY[symbol](left, right) if symbol in _BINARY else MISSING
    except (TypeError, ValueError, ArithmeticError):
        return MISSING


def compare(operator: cst.BaseCompOp, left: Any, right: Any) -> Any:
    """The result of a comparison; MISSING where it fails."""
    symbol = code(operator).strip()
    try:
        return _COMPARISONS[symbol](left, right) if symbol in _COMPARISONS else MISSING
    except TypeError:
        return MISSING


def plain(value: Value) -> Any:
    """The Python object that a value denotes, containers included; MISSING where it is not known."""
    if isinstance(value, Host):
        return value.literal
    if isinstance(value, Sequence) and not value.open_:
        items = [plain(i) for i in value.items]
        return MISSING if MISSING in items else (tuple(items) if value.tuple_ else items)
    return MISSING


def truth(value: Value) -> bool | None:
    """Whether the value is true; None where that is not known."""
    return bool(value.literal) if isinstance(value, Host) and value.known else None


def identical(left: Value, right: Value | None) -> bool | None:
    """What `left is right` gives; None where that is not known."""
    if right is None:
        return False
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Host) and one.literal is None:
            if isinstance(other, Host):
                return other.literal is None if other.known else None
            return None if isinstance(other, Unknown) else False
    if isinstance(left, Graphlike) and isinstance(right, Graphlike):
        return left is right
    return None


def same_key(left: Value, right: Value | None) -> bool:
    """Whether both are known to be one key of a dict."""
    if identical(left, right):
        return True
    return (
        isinstance(left, Host)
        and isinstance(right, Host)
        and left.known
        and right.known
        and left.literal == right.literal
    )
