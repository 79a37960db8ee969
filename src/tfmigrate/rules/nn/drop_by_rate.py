"""tf.nn.dropout."""

from __future__ import annotations

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.expressions import complement, is_none
from tfmigrate.rules.keeping import amend


class DropByRate(Rule):
    """Turns the share that is kept into the share that is dropped; a literal is folded.

    before  tf.nn.dropout(hidden, keep_prob)
    after   tf.nn.dropout(hidden, rate=1 - keep_prob)

    before  tf.nn.dropout(hidden, keep_prob=0.9, seed=3)
    after   tf.nn.dropout(hidden, rate=0.1, seed=3)

    Source: tensorflow/python/ops/nn_ops.py (1.15), `dropout`: it calls `dropout_v2` with `rate = 1 - keep_prob`.
    """

    symbols = ("nn.dropout",)

    def rewrite(self, call: BoundCall, context: Context) -> Rewritten | Refused:
        keep, rate = call.get("keep_prob"), call.get("rate")
        if keep is None or is_none(keep):
            dropped = () if keep is None else ("keep_prob",)
            return amend(call, "nn.dropout", context, dropped=dropped, named=("rate",))
        if not is_none(rate):
            return Refused("TFM203", "tf.nn.dropout takes keep_prob or rate, not both")
        return amend(
            call,
            "nn.dropout",
            context,
            arguments={"keep_prob": "rate"},
            values={"keep_prob": complement(keep)},
            dropped=() if rate is None else ("rate",),
            named=("rate",),
        )
