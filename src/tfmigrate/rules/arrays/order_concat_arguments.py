"""tf.concat."""

from __future__ import annotations

import libcst as cst

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.expressions import UNKNOWN, call, is_word, literal
from tfmigrate.rules.keeping import amend, keep_reference


class OrderConcatArguments(Rule):
    """Puts the arguments of TensorFlow 0.x's `tf.concat(axis, values)` in today's order.

    The old order shows by a first argument that is an integer literal.

    before  tf.concat(1, [a, b])
    after   tf.concat([a, b], 1)

    Source: RELEASE.md of TensorFlow 1.0, "tf.concat now takes values first".
    """

    symbols = ("concat",)

    def rewrite(self, call_: BoundCall, context: Context) -> Rewritten | Refused:
        values, axis = call_.get("values"), call_.get("axis")
        if values is None or axis is None or not _is_axis(values):
            return amend(call_, "concat", context)
        made = call(f"{context.tf}.concat", axis, values, name=call_.get("name"))
        return Rewritten(made, (("TFM420", "tf.concat with its axis first is TensorFlow 0.x's"),))

    def reference(self, symbol: str, context: Context) -> Rewritten | Refused | None:
        return keep_reference(symbol, context)


def _is_axis(value: cst.BaseExpression) -> bool:
    number = literal(value)
    return number is not UNKNOWN and isinstance(number, int) and not is_word(value, "True")
