"""The gradient functions of tf.contrib.eager."""

from __future__ import annotations

from tfmigrate.rules.base import BoundCall, Context, Rewritten, Rule
from tfmigrate.rules.expressions import call as call_of


class DifferentiateImplicitly(Rule):
    """Makes the gradient functions of tf.contrib.eager of a tape: it watches every trainable variable that is read.

    before  tf.contrib.eager.implicit_gradients(loss_fn)
    after   implicit_gradients(loss_fn)

    before  tf.contrib.eager.implicit_value_and_gradients(loss_fn)
    after   implicit_value_and_gradients(loss_fn)

    Source: tensorflow/python/eager/backprop.py (1.15), `implicit_val_and_grad`.
    """

    symbols = ("contrib.eager.implicit_gradients", "contrib.eager.implicit_value_and_gradients")

    def rewrite(self, call: BoundCall, context: Context) -> Rewritten:
        name = call.symbol.rpartition(".")[2]
        return Rewritten(call_of(name, call.arguments["f"]), support=(f"legacy_eager:{name}",))
