"""tf.contrib.eager.Iterator."""

from __future__ import annotations

from tfmigrate.rules.base import BoundCall, Context, Rewritten, Rule
from tfmigrate.rules.expressions import call as call_of


class IterateEagerly(Rule):
    """Takes Python's iterator over the dataset; it has the methods `next` and `get_next` too.

    before  tf.contrib.eager.Iterator(dataset)
    after   iter(dataset)

    Source: tensorflow/contrib/eager/python/datasets.py (1.15), `Iterator`.
    """

    symbols = ("contrib.eager.Iterator",)

    def rewrite(self, call: BoundCall, context: Context) -> Rewritten:
        return Rewritten(call_of("iter", call.arguments["dataset"]))
