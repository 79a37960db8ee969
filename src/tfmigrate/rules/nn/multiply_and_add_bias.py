"""tf.nn.relu_layer and tf.nn.xw_plus_b."""

from __future__ import annotations

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.expressions import fill

_TEMPLATES = {
    "nn.xw_plus_b": "TF.nn.bias_add(TF.matmul(X, WEIGHTS), BIASES)",
    "nn.relu_layer": "TF.nn.relu(TF.nn.bias_add(TF.matmul(X, WEIGHTS), BIASES))",
}


class MultiplyAndAddBias(Rule):
    """Writes out the product with its bias.

    before  tf.nn.xw_plus_b(x, w, b)
    after   tf.nn.bias_add(tf.matmul(x, w), b)

    Source: tensorflow/python/ops/nn_ops.py (1.15), `xw_plus_b`, and nn_impl.py, `relu_layer`.
    """

    symbols = tuple(_TEMPLATES)

    def rewrite(self, call: BoundCall, context: Context) -> Rewritten | Refused:
        x, weights, biases = (call.get(name) for name in ("x", "weights", "biases"))
        if x is None or weights is None or biases is None:
            return Refused("TFM203", f"tf.{call.symbol} takes x, weights and biases")
        return Rewritten(fill(_TEMPLATES[call.symbol], TF=context.tf, X=x, WEIGHTS=weights, BIASES=biases))
