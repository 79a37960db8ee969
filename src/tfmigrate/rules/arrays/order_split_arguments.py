"""tf.split."""

from __future__ import annotations

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.expressions import call, literal
from tfmigrate.rules.keeping import amend, keep_reference


class OrderSplitArguments(Rule):
    """Puts the arguments of TensorFlow 0.x's `tf.split(axis, number, value)` in today's order.

    The old order shows by a first argument that is an integer literal.

    before  tf.split(1, 4, gates)
    after   tf.split(gates, 4, 1)

    Source: RELEASE.md of TensorFlow 1.0, "tf.split now takes value first".
    """

    symbols = ("split",)

    def rewrite(self, call_: BoundCall, context: Context) -> Rewritten | Refused:
        value, number, axis = (call_.get(name) for name in ("value", "num_or_size_splits", "axis"))
        if value is None or number is None or axis is None or not isinstance(literal(value), int):
            return amend(call_, "split", context)
        made = call(f"{context.tf}.split", axis, number, value, num=call_.get("num"), name=call_.get("name"))
        return Rewritten(made, (("TFM420", "tf.split with its axis first is TensorFlow 0.x's"),))

    def reference(self, symbol: str, context: Context) -> Rewritten | Refused | None:
        return keep_reference(symbol, context)
