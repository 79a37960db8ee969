"""contrib.layers.one_hot_encoding."""

from __future__ import annotations

import libcst as cst

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.expressions import call, fill, parse


class OneHotOfContrib(Rule):
    """Writes `tf.contrib.layers.one_hot_encoding` as `tf.one_hot`, which it calls.

    before  tf.contrib.layers.one_hot_encoding(labels, 10)
    after   tf.one_hot(tf.cast(labels, tf.int64), 10, on_value=1.0, off_value=0.0)

    Source: tensorflow/contrib/layers/python/layers/layers.py (1.15), `one_hot_encoding`.
    """

    symbols = ("contrib.layers.one_hot_encoding",)

    def rewrite(self, call_: BoundCall, context: Context) -> Rewritten | Refused:
        labels = fill("TF.cast(LABELS, TF.int64)", TF=context.tf, LABELS=call_.arguments["labels"])
        values: dict[str, cst.BaseExpression] = {
            "on_value": call_.get("on_value") or parse("1.0"),
            "off_value": call_.get("off_value") or parse("0.0"),
        }
        return Rewritten(call(f"{context.tf}.one_hot", labels, call_.arguments["num_classes"], **values))
