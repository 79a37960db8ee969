"""tf.sparse_to_dense."""

from __future__ import annotations

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.expressions import parse
from tfmigrate.rules.keeping import amend


class FillFromSparse(Rule):
    """Calls the kernel of `tf.sparse_to_dense`, with 1.15's default of zero elsewhere.

    before  tf.sparse_to_dense(places, [10], 1.0)
    after   tf.raw_ops.SparseToDense(sparse_indices=places, output_shape=[10], sparse_values=1.0, default_value=0)

    Source: tensorflow/python/ops/sparse_ops.py (1.15), `sparse_to_dense`.
    """

    symbols = ("sparse_to_dense",)

    def rewrite(self, call: BoundCall, context: Context) -> Rewritten | Refused:
        added = {} if "default_value" in call.arguments else {"default_value": parse("0")}
        return amend(call, "raw_ops.SparseToDense", context, added=added)
