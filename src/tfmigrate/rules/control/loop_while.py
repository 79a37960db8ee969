"""tf.while_loop."""

from __future__ import annotations

import libcst as cst

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.expressions import fill, is_word
from tfmigrate.rules.keeping import amend


class LoopWhile(Rule):
    """Keeps `tf.while_loop`; with one loop variable 1.15 gives the tensor itself, TensorFlow 2 a list of one.

    before  tf.while_loop(lambda i: i < 9, lambda i: i + 1, [start])
    after   tf.while_loop(lambda i: i < 9, lambda i: i + 1, [start])[0]

    Source: tensorflow/python/ops/control_flow_ops.py (1.15), `while_loop` with `return_same_structure=False`.
    """

    symbols = ("while_loop",)

    def rewrite(self, call: BoundCall, context: Context) -> Rewritten | Refused:
        rewritten = amend(call, "while_loop", context, dropped=("return_same_structure",))
        if isinstance(rewritten, Refused) or is_word(call.get("return_same_structure"), "True"):
            return rewritten
        variables = call.get("loop_vars")
        if not isinstance(variables, (cst.List, cst.Tuple)):
            return Refused("TFM204", "tf.while_loop: how many loop variables there are is not seen in the call")
        if len(variables.elements) > 1 or any(isinstance(e, cst.StarredElement) for e in variables.elements):
            return rewritten
        if isinstance(variables.elements[0].value, (cst.List, cst.Tuple, cst.Dict)):
            return Refused("TFM204", "tf.while_loop with one nested loop variable")
        return Rewritten(fill("LOOP[0]", LOOP=rewritten.expression))
