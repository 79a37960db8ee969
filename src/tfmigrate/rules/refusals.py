"""Which refusal a symbol without a counterpart gets: the code tells what kind of API it belongs to."""

from __future__ import annotations

from tfmigrate.rules.base import Refused


def refusal(name: str) -> Refused:
    """The refusal of a symbol that no rule covers and the target does not have."""
    return Refused("TFM201", f"tf.{name} has no counterpart in TensorFlow 2 that keeps its meaning")
