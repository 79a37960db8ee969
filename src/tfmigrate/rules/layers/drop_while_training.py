"""tf.layers.dropout and contrib.layers.dropout."""

from __future__ import annotations

import libcst as cst

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.expressions import call, complement, fill, is_none, is_word, parse


class DropWhileTraining(Rule):
    """Writes a dropout layer as the op; its rate is zero while not training, where it drops and scales nothing.

    before  tf.layers.dropout(x, 0.4, training=is_training)
    after   tf.nn.dropout(x, rate=tf.where(is_training, 0.4, 0.0))

    before  tf.layers.dropout(x)
    after   tf.identity(x)

    before  tf.contrib.layers.dropout(x, keep_prob=0.9)
    after   tf.nn.dropout(x, rate=0.1)

    Source: tensorflow/python/layers/core.py (1.15), `dropout` (training is False by default); contrib's is True.
    """

    symbols = ("layers.dropout", "contrib.layers.dropout")

    def rewrite(self, call_: BoundCall, context: Context) -> Rewritten | Refused:
        inputs = call_.arguments["inputs"]
        if call_.symbol == "layers.dropout":
            training = call_.get("training") or parse("False")
            rate = call_.get("rate") or parse("0.5")
        else:
            training = call_.get("is_training") or parse("True")
            rate = complement(call_.get("keep_prob") or parse("0.5"))
        if is_word(training, "False"):
            return Rewritten(fill("TF.identity(X)", TF=context.tf, X=inputs))
        if not is_word(training, "True"):
            rate = fill("TF.where(TRAINING, RATE, 0.0)", TF=context.tf, TRAINING=training, RATE=rate)
        extra = {name: _given(call_.get(name)) for name in ("noise_shape", "seed")}
        return Rewritten(call(f"{context.tf}.nn.dropout", inputs, rate=rate, **extra))


def _given(value: cst.BaseExpression | None) -> cst.BaseExpression | None:
    return None if is_none(value) else value
