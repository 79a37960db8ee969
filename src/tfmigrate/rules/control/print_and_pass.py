"""tf.Print."""

from __future__ import annotations

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.expressions import is_none
from tfmigrate.rules.keeping import amend


class PrintAndPass(Rule):
    """Calls the kernel of `tf.Print`: it writes to standard error and gives its input back.

    before  tf.Print(loss, [step, loss], message="loss ")
    after   tf.raw_ops.Print(input=loss, data=[step, loss], message="loss ")

    Source: tensorflow/python/ops/logging_ops.py (1.15), `Print`.
    """

    symbols = ("Print",)

    def rewrite(self, call: BoundCall, context: Context) -> Rewritten | Refused:
        absent = [name for name, value in call.arguments.items() if is_none(value)]
        named = ("input", "data")
        return amend(call, "raw_ops.Print", context, arguments={"input_": "input"}, dropped=absent, named=named)
