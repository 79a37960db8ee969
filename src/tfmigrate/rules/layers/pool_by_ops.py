"""Pooling layers: they have no weights."""

from __future__ import annotations

import libcst as cst

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.expressions import call, fill, is_none, literal, parse

_OPS = {
    **{f"layers.max_pooling{n}d": f"nn.max_pool{n}d" for n in (1, 2, 3)},
    **{f"layers.average_pooling{n}d": f"nn.avg_pool{n}d" for n in (1, 2, 3)},
    "contrib.layers.max_pool2d": "nn.max_pool2d",
    "contrib.layers.avg_pool2d": "nn.avg_pool2d",
}
_FIRST = {"1": "NCW", "2": "NCHW", "3": "NCDHW"}


class PoolByOps(Rule):
    """Writes a pooling layer as the op it calls; contrib's stride is 2 unless given.

    before  tf.layers.max_pooling2d(x, 2, 2, padding="same")
    after   tf.nn.max_pool2d(x, 2, 2, "SAME")

    before  tf.contrib.layers.max_pool2d(x, [3, 3])
    after   tf.nn.max_pool2d(x, [3, 3], 2, "VALID")

    Source: tensorflow/python/layers/pooling.py and contrib/layers/python/layers/layers.py (1.15).
    """

    symbols = tuple(_OPS)

    def rewrite(self, call_: BoundCall, context: Context) -> Rewritten | Refused:
        inputs = call_.get("inputs")
        size = call_.get("pool_size") or call_.get("kernel_size")
        strides = call_.get("strides") or call_.get("stride") or parse("2")
        if inputs is None or size is None:
            return Refused("TFM203", f"tf.{call_.symbol} needs inputs and the size of the window")
        order = call_.get("data_format")
        layout = None
        if order is not None and not is_none(order):
            if literal(order) in ("channels_first", "NCHW"):
                layout = parse(f'"{_FIRST[call_.symbol[-2]]}"')
            elif literal(order) not in ("channels_last", "NHWC"):
                return Refused("TFM204", f"tf.{call_.symbol}: its data_format is not seen in the call")
        target = f"{context.tf}.{_OPS[call_.symbol]}"
        return Rewritten(call(target, inputs, size, strides, _upper(call_.get("padding")), data_format=layout))


def _upper(value: cst.BaseExpression | None) -> cst.BaseExpression:
    if value is None:
        return parse('"VALID"')
    text = literal(value)
    return parse(f'"{text.upper()}"') if isinstance(text, str) else fill("PADDING.upper()", PADDING=value)
