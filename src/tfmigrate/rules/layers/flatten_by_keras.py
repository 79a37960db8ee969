"""tf.layers.flatten."""

from __future__ import annotations

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.expressions import fill, literal


class FlattenByKeras(Rule):
    """Flattens all but the first dimension; Keras' layer keeps the number of features known.

    before  tf.layers.flatten(x)
    after   tf.keras.layers.Flatten()(x)

    Source: tensorflow/python/layers/core.py (1.15), `flatten`, and contrib/layers/python/layers/layers.py.
    """

    symbols = ("layers.flatten", "contrib.layers.flatten")

    def rewrite(self, call: BoundCall, context: Context) -> Rewritten | Refused:
        if call.get("data_format") is not None and literal(call.get("data_format")) != "channels_last":
            return Refused("TFM204", "tf.layers.flatten with channels first")
        return Rewritten(fill("TF.keras.layers.Flatten()(INPUTS)", TF=context.tf, INPUTS=call.arguments["inputs"]))
