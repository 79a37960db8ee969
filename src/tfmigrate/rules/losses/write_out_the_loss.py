"""The losses of tf.losses and tf.contrib.losses."""

from __future__ import annotations

import libcst as cst

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.expressions import call, fill, is_none, literal
from tfmigrate.rules.losses.weigh_and_reduce import as_float, reduced

_TEMPLATES = {
    "mean_squared_error": "TF.math.squared_difference(PREDICTIONS, LABELS)",
    "absolute_difference": "TF.abs(TF.subtract(PREDICTIONS, LABELS))",
    "cosine_distance": "1 - TF.reduce_sum(TF.multiply(PREDICTIONS, LABELS), axis=(AXIS,), keepdims=True)",
    "hinge_loss": "TF.nn.relu(1 - (2 * LABELS - 1) * LOGITS)",
    "sigmoid_cross_entropy": "TF.nn.sigmoid_cross_entropy_with_logits(labels=LABELS, logits=LOGITS)",
    "softmax_cross_entropy": "TF.nn.softmax_cross_entropy_with_logits(labels=TF.stop_gradient(LABELS), logits=LOGITS)",
    "sparse_softmax_cross_entropy": "TF.nn.sparse_softmax_cross_entropy_with_logits(labels=LABELS, logits=LOGITS)",
}
_NAMES = (*_TEMPLATES, "compute_weighted_loss", "log_loss")
_LABELS = ("labels", "multi_class_labels", "onehot_labels")


class WriteOutTheLoss(Rule):
    """Writes out a loss of `tf.losses`: element losses in float32, 1.15's reduction by the number of non-zero weights.

    before  tf.losses.mean_squared_error(y, output)
    after   tf.reduce_mean(tf.math.squared_difference(tf.cast(output, tf.float32), tf.cast(y, tf.float32)))

    before  tf.losses.sparse_softmax_cross_entropy(labels=y, logits=z, weights=mask)
    after   weighted_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=z), mask)

    Source: tensorflow/python/ops/losses/losses_impl.py and tensorflow/contrib/losses/python/losses/loss_ops.py (1.15).
    """

    symbols = (
        "losses.huber_loss",
        *(f"{module}.{name}" for module in ("losses", "contrib.losses") for name in _NAMES),
    )

    def rewrite(self, call_: BoundCall, context: Context) -> Rewritten | Refused:
        name = call_.symbol.rpartition(".")[2]
        if name == "compute_weighted_loss":
            return reduced(call_, call_.arguments["losses"], context)
        labels = next((call_.arguments[key] for key in _LABELS if key in call_.arguments), None)
        output = call_.get("predictions") or call_.get("logits")
        if labels is None or output is None or is_none(labels):
            return Refused("TFM203", f"tf.{call_.symbol} needs its labels")
        if name in ("huber_loss", "log_loss"):
            losses = call(name, labels, output, delta=call_.get("delta"), epsilon=call_.get("epsilon"))
            return reduced(call_, losses, context, (f"legacy_losses:{name}",))
        holes: dict[str, cst.BaseExpression | str] = {"TF": context.tf, "LOGITS": output}
        if "PREDICTIONS" in _TEMPLATES[name]:
            holes["PREDICTIONS"] = as_float(output, context)
        if name == "cosine_distance":
            axis = call_.get("axis") or call_.get("dim")
            if axis is None:
                return Refused("TFM203", "tf.losses.cosine_distance needs its axis")
            holes["AXIS"] = axis
        smoothed = _smoothed(call_, name, labels, context)
        if isinstance(smoothed, Refused):
            return smoothed
        holes["LABELS"] = smoothed
        return reduced(call_, fill(_TEMPLATES[name], **holes), context)


def _smoothed(
    call_: BoundCall, name: str, labels: cst.BaseExpression, context: Context
) -> cst.BaseExpression | Refused:
    """The labels as float32, moved towards the middle by `label_smoothing`."""
    if name == "sparse_softmax_cross_entropy":
        return labels
    floats = as_float(labels, context)
    smoothing = call_.get("label_smoothing")
    if smoothing is None or literal(smoothing) == 0:
        return floats
    if name == "sigmoid_cross_entropy":
        return fill("LABELS * (1 - S) + 0.5 * S", LABELS=floats, S=smoothing)
    if not isinstance(labels, (cst.Name, cst.Attribute)):
        return Refused("TFM204", "tf.losses.softmax_cross_entropy: label_smoothing of labels that have no name")
    text = "LABELS * (1.0 - S) + S / TF.cast(TF.shape(NAME)[1], TF.float32)"
    return fill(text, TF=context.tf, LABELS=floats, S=smoothing, NAME=labels)
