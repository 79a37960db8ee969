"""The other cross entropies of tf.nn."""

from __future__ import annotations

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.expressions import is_none
from tfmigrate.rules.keeping import amend

_TARGETS = {
    "nn.softmax_cross_entropy_with_logits_v2": "nn.softmax_cross_entropy_with_logits",
    "nn.sparse_softmax_cross_entropy_with_logits": "nn.sparse_softmax_cross_entropy_with_logits",
    "nn.sigmoid_cross_entropy_with_logits": "nn.sigmoid_cross_entropy_with_logits",
}


class NameCrossEntropyArguments(Rule):
    """Keeps the cross entropies whose labels take part in the gradient; `_v2` is today's plain name.

    before  tf.nn.softmax_cross_entropy_with_logits_v2(labels=p, logits=z, dim=1)
    after   tf.nn.softmax_cross_entropy_with_logits(labels=p, logits=z, axis=1)

    Source: tensorflow/python/ops/nn_ops.py (1.15), `softmax_cross_entropy_with_logits_v2_helper`; nn_impl.py.
    """

    symbols = tuple(_TARGETS)

    def rewrite(self, call: BoundCall, context: Context) -> Rewritten | Refused:
        if not is_none(call.get("_sentinel")):
            return Refused("TFM203", f"tf.{call.symbol} takes labels= and logits= by name in TensorFlow 1.15")
        return amend(call, _TARGETS[call.symbol], context, arguments={"dim": "axis"}, dropped=("_sentinel",))
