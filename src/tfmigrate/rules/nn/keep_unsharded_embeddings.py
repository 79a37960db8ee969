"""Ops on embedding tables that may be sharded."""

from __future__ import annotations

import libcst as cst

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.expressions import literal
from tfmigrate.rules.keeping import amend

_TABLES = {
    "nn.embedding_lookup": "params",
    "nn.embedding_lookup_sparse": "params",
    "nn.safe_embedding_lookup_sparse": "embedding_weights",
    "nn.nce_loss": "weights",
    "nn.sampled_softmax_loss": "weights",
}


class KeepUnshardedEmbeddings(Rule):
    """Leaves out how rows are spread over several tables, which has no effect on one table.

    TensorFlow 2 always spreads them in blocks ("div"); a list of several tables spread in turn ("mod", the default of
    1.15) is refused.

    before  tf.nn.embedding_lookup(table, ids, partition_strategy="div")
    after   tf.nn.embedding_lookup(table, ids)

    Source: tensorflow/python/ops/embedding_ops.py and nn_impl.py (1.15).
    """

    symbols = tuple(_TABLES)

    def rewrite(self, call: BoundCall, context: Context) -> Rewritten | Refused:
        table = call.get(_TABLES[call.symbol])
        blocks = literal(call.get("partition_strategy")) == "div" or call.symbol == "nn.safe_embedding_lookup_sparse"
        listed = isinstance(table, (cst.List, cst.Tuple)) and len(table.elements) > 1
        several = listed or isinstance(table, cst.ListComp)
        if several and not blocks:
            return Refused(
                "TFM204", f"tf.{call.symbol} on several tables with rows spread in turn (partition_strategy 'mod')"
            )
        return amend(call, call.symbol, context, dropped=("partition_strategy", "validate_indices"))
