"""tf.nn.softmax_cross_entropy_with_logits."""

from __future__ import annotations

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.expressions import code, fill
from tfmigrate.rules.keeping import amend
from tfmigrate.rules.nn.earlier_order import logits_first


class StopLabelGradient(Rule):
    """Keeps the labels of the first softmax cross entropy out of the gradient, as 1.15 does.

    Labels known to hold no variable (placeholders, constants) are taken as they are.

    before  tf.nn.softmax_cross_entropy_with_logits(labels=p, logits=z)
    after   tf.nn.softmax_cross_entropy_with_logits(labels=tf.stop_gradient(p), logits=z)

    Positional arguments are TensorFlow 0.x's: the logits, then the labels.

    before  tf.nn.softmax_cross_entropy_with_logits(z, p)
    after   tf.nn.softmax_cross_entropy_with_logits(logits=z, labels=tf.stop_gradient(p))

    Source: tensorflow/python/ops/nn_ops.py (1.15), `softmax_cross_entropy_with_logits`.
    """

    symbols = ("nn.softmax_cross_entropy_with_logits",)

    def rewrite(self, call: BoundCall, context: Context) -> Rewritten | Refused:
        labels = call.get("labels")
        order = logits_first(call)
        if isinstance(order, Refused):
            return order
        if labels is None:
            return Refused("TFM203", "softmax_cross_entropy_with_logits is called without labels")
        if code(labels) not in context.frozen:
            labels = fill("TF.stop_gradient(LABELS)", TF=context.tf, LABELS=labels)
        return amend(
            call,
            "nn.softmax_cross_entropy_with_logits",
            context,
            arguments={"dim": "axis", **order.names},
            values={"labels": labels},
            dropped=order.dropped,
            notes=order.notes,
        )
