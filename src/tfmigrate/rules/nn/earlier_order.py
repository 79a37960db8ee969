"""Cross entropies called as in TensorFlow 0.x: `(logits, labels)` by position, which 1.15 rejects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tfmigrate.rules.base import BoundCall, Refused
from tfmigrate.rules.expressions import is_none


@dataclass(frozen=True)
class Order:
    """New names and left-out names of 1.15's parameters, and what to tell of it."""

    names: Mapping[str, str] = field(default_factory=dict)
    dropped: tuple[str, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()


def logits_first(call: BoundCall) -> Order | Refused:
    """How the call's arguments are meant: 1.15 raises for any by position, so only the order of 0.x can be meant.

    1.15's first parameter is a sentinel that takes what stands first, its second one is `labels`: as in 0.x.
    """
    if is_none(call.get("_sentinel")):
        return Order(dropped=("_sentinel",))
    if call.get("logits") is not None or call.get("labels") is None:
        return Refused("TFM203", f"tf.{call.symbol} takes labels= and logits= by name in TensorFlow 1.15")
    message = f"tf.{call.symbol} by position: 1.15 raises, in TensorFlow 0.x the logits stood first"
    return Order({"_sentinel": "logits"}, notes=(("TFM420", message),))
