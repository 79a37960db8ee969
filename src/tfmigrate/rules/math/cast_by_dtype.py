"""tf.to_float and its siblings."""

from __future__ import annotations

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.expressions import call, parse

_DTYPES = {
    "to_float": "float32",
    "to_double": "float64",
    "to_int32": "int32",
    "to_int64": "int64",
    "to_bfloat16": "bfloat16",
    "to_complex64": "complex64",
    "to_complex128": "complex128",
}


class CastByDtype(Rule):
    """Writes the cast that `tf.to_float` and its siblings stand for.

    before  tf.to_float(step)
    after   tf.cast(step, tf.float32)

    Source: tensorflow/python/ops/math_ops.py (1.15), `to_float` and following.
    """

    symbols = tuple(_DTYPES)

    def rewrite(self, call_: BoundCall, context: Context) -> Rewritten | Refused:
        dtype = parse(f"{context.tf}.{_DTYPES[call_.symbol]}")
        return Rewritten(call(f"{context.tf}.cast", call_.arguments["x"], dtype, name=call_.get("name")))
