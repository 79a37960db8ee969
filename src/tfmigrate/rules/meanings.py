"""Symbols that the target has too but with another meaning: never kept as they are."""

from __future__ import annotations

from tfmigrate.rules.base import Refused

CHANGED: dict[str, str] = {
    "where": "a vector condition chooses rows in TensorFlow 1 and is broadcast in TensorFlow 2",
}
"""By 1.15's shortest name: what changed."""

CHANGED_MODULES = ("losses.", "metrics.", "initializers.", "optimizers.", "summary.", "estimator.", "feature_column.")
"""Their names hold other objects in TensorFlow 2."""

EQUAL_DEFAULTS: frozenset[tuple[str, str]] = frozenset()
"""(target symbol, parameter) whose defaults are written differently and mean the same."""


def changed(name: str) -> Refused | None:
    """The refusal of a symbol whose meaning changed, or None."""
    from tfmigrate import symbols

    plain = name.removeprefix("compat.v1.")
    short = symbols.canonical(name)
    if short in CHANGED:
        return Refused("TFM205", f"tf.{plain}: {CHANGED[short]}")
    if short.startswith(CHANGED_MODULES) or plain.startswith(CHANGED_MODULES):
        return Refused("TFM205", f"tf.{plain} names another object in TensorFlow 2")
    return None
