"""contrib.layers.apply_regularization."""

from __future__ import annotations

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.expressions import fill, is_none


class SumOverWeights(Rule):
    """Writes out the sum of a regularizer over a list of weights.

    before  tf.contrib.layers.apply_regularization(penalty, weights)
    after   tf.add_n([penalty(w) for w in weights])

    Source: tensorflow/contrib/layers/python/layers/regularizers.py (1.15), `apply_regularization`.
    """

    symbols = ("contrib.layers.apply_regularization",)

    def rewrite(self, call: BoundCall, context: Context) -> Rewritten | Refused:
        weights = call.get("weights_list")
        if weights is None or is_none(weights):
            return Refused("TFM207", "tf.contrib.layers.apply_regularization over the collection of weights")
        regularizer = call.arguments["regularizer"]
        return Rewritten(fill("TF.add_n([PENALTY(w) for w in LIST])", TF=context.tf, PENALTY=regularizer, LIST=weights))
