"""tf.cond and tf.case."""

from __future__ import annotations

import libcst as cst

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.expressions import is_word
from tfmigrate.rules.keeping import amend


class ChooseABranch(Rule):
    """Names the branches of `tf.cond` as TensorFlow 2 does; a list of one tensor comes back as the tensor, as in 1.15.

    before  tf.cond(p, fn1=lambda: a, fn2=lambda: b)
    after   tf.cond(p, true_fn=lambda: a, false_fn=lambda: b)

    Source: tensorflow/python/ops/control_flow_ops.py (1.15), `cond` with `strict=False`.
    """

    symbols = ("cond",)

    def rewrite(self, call: BoundCall, context: Context) -> Rewritten | Refused:
        if is_word(call.get("strict"), "True"):
            values = {}
        else:
            values = {
                name: _unwrapped(value) for name, value in call.arguments.items() if isinstance(value, cst.Lambda)
            }
        names = {"fn1": "true_fn", "fn2": "false_fn"}
        return amend(call, "cond", context, arguments=names, values=values, dropped=("strict",))


def _unwrapped(branch: cst.Lambda) -> cst.Lambda:
    body = branch.body
    if (
        isinstance(body, (cst.List, cst.Tuple))
        and len(body.elements) == 1
        and isinstance(body.elements[0], cst.Element)
    ):
        return branch.with_changes(body=body.elements[0].value)
    return branch
