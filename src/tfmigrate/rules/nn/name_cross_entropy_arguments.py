"""The other cross entropies of tf.nn."""

from __future__ import annotations

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.keeping import amend
from tfmigrate.rules.nn.earlier_order import logits_first

_TARGETS = {
    "nn.softmax_cross_entropy_with_logits_v2": "nn.softmax_cross_entropy_with_logits",
    "nn.sparse_softmax_cross_entropy_with_logits": "nn.sparse_softmax_cross_entropy_with_logits",
    "nn.sigmoid_cross_entropy_with_logits": "nn.sigmoid_cross_entropy_with_logits",
}


class NameCrossEntropyArguments(Rule):
    """Keeps the cross entropies whose labels take part in the gradient; `_v2` is today's plain name.

    before  tf.nn.softmax_cross_entropy_with_logits_v2(labels=p, logits=z, dim=1)
    after   tf.nn.softmax_cross_entropy_with_logits(labels=p, logits=z, axis=1)

    TensorFlow 0.x took them by position, the logits first; 1.15 takes none so, which leaves that one meaning.

    before  tf.nn.sigmoid_cross_entropy_with_logits(z, p)
    after   tf.nn.sigmoid_cross_entropy_with_logits(logits=z, labels=p)

    Source: tensorflow/python/ops/nn_ops.py (1.15), `softmax_cross_entropy_with_logits_v2_helper`; nn_impl.py;
    RELEASE.md of TensorFlow 1.0, "softmax_cross_entropy_with_logits … now take keyword arguments".
    """

    symbols = tuple(_TARGETS)

    def rewrite(self, call: BoundCall, context: Context) -> Rewritten | Refused:
        order = logits_first(call)
        if isinstance(order, Refused):
            return order
        return amend(
            call,
            _TARGETS[call.symbol],
            context,
            arguments={"dim": "axis", **order.names},
            dropped=order.dropped,
            notes=order.notes,
        )
