"""contrib's regularizers."""

from __future__ import annotations

from decimal import Decimal

import libcst as cst

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.expressions import call, fill, parse


class HalveL2(Rule):
    """Writes contrib's regularizers as Keras': contrib's L2 holds a half that Keras' has not.

    before  tf.contrib.layers.l2_regularizer(0.001)
    after   tf.keras.regularizers.L2(0.0005)

    before  tf.contrib.layers.l2_regularizer(scale=decay)
    after   tf.keras.regularizers.L2(0.5 * decay)

    Source: tensorflow/contrib/layers/python/layers/regularizers.py (1.15).
    """

    symbols = ("contrib.layers.l1_regularizer", "contrib.layers.l2_regularizer", "contrib.layers.l1_l2_regularizer")

    def rewrite(self, call_: BoundCall, context: Context) -> Rewritten | Refused:
        regularizers = f"{context.tf}.keras.regularizers"
        if call_.symbol == "contrib.layers.l1_regularizer":
            return Rewritten(call(f"{regularizers}.L1", call_.arguments["scale"]))
        if call_.symbol == "contrib.layers.l2_regularizer":
            return Rewritten(call(f"{regularizers}.L2", _halved(call_.arguments["scale"])))
        l1 = call_.get("scale_l1") or parse("1.0")
        l2 = call_.get("scale_l2") or parse("1.0")
        return Rewritten(call(f"{regularizers}.L1L2", l1=l1, l2=_halved(l2)))


def _halved(scale: cst.BaseExpression) -> cst.BaseExpression:
    if isinstance(scale, (cst.Float, cst.Integer)) and not scale.lpar:
        half = (Decimal(scale.value.replace("_", "")) / 2).normalize()
        text = str(half).replace("E", "e")
        return parse(text if "." in text or "e" in text else text + ".0")
    return fill("0.5 * SCALE", SCALE=scale)
