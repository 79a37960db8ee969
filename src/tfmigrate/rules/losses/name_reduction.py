"""tf.losses.Reduction."""

from __future__ import annotations

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.expressions import parse

_VALUES = {
    "NONE": "none",
    "SUM": "weighted_sum",
    "MEAN": "weighted_mean",
    "SUM_OVER_BATCH_SIZE": "weighted_sum_over_batch_size",
    "SUM_BY_NONZERO_WEIGHTS": "weighted_sum_by_nonzero_weights",
    "SUM_OVER_NONZERO_WEIGHTS": "weighted_sum_by_nonzero_weights",
}


class NameReduction(Rule):
    """Writes the name of a reduction as the text that it is in 1.15, which the rules of the losses read.

    before  tf.losses.Reduction.SUM
    after   "weighted_sum"

    Source: tensorflow/python/ops/losses/losses_impl.py (1.15), `Reduction`.
    """

    symbols = tuple(f"losses.Reduction.{name}" for name in _VALUES)

    def rewrite(self, call: BoundCall, context: Context) -> Rewritten | Refused:
        return Refused("TFM203", f"tf.{call.symbol} is no function")

    def reference(self, symbol: str, context: Context) -> Rewritten | Refused | None:
        return Rewritten(parse(f'"{_VALUES[symbol.rpartition(".")[2]]}"'))
