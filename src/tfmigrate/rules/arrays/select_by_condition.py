"""tf.where and tf.select."""

from __future__ import annotations

import re

import libcst as cst

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.expressions import code
from tfmigrate.rules.keeping import amend

_COMPARISONS = {"equal", "not_equal", "greater", "greater_equal", "less", "less_equal", "is_nan", "is_inf", "is_finite"}
_SAME_SHAPE = {
    "zeros_like",
    "ones_like",
    "exp",
    "log",
    "square",
    "sqrt",
    "abs",
    "negative",
    "identity",
    "tanh",
    "sigmoid",
}


class SelectByCondition(Rule):
    """Keeps what a condition vector does in 1.15: it chooses rows, where TensorFlow 2 would broadcast it.

    `tf.where` stays where the condition is seen to have the shape of what it chooses from (a comparison of that with
    a number).

    before  tf.where(mask, rows, other)
    after   tf.raw_ops.Select(condition=mask, x=rows, y=other)

    before  tf.where(x > 0, x, tf.zeros_like(x))
    after   tf.where(x > 0, x, tf.zeros_like(x))

    Source: tensorflow/python/ops/array_ops.py (1.15), `where`: the kernel Select.
    """

    symbols = ("where",)

    def rewrite(self, call: BoundCall, context: Context) -> Rewritten | Refused:
        condition, x, y = call.get("condition"), call.get("x"), call.get("y")
        if condition is None or x is None or y is None:
            return amend(call, "where", context)
        compared = _compared(condition, context)
        if compared and compared & (_shaped_as(x, context) | _shaped_as(y, context)):
            return amend(call, "where", context)
        return amend(call, "raw_ops.Select", context, named=("condition", "x", "y"))


def _compared(condition: cst.BaseExpression, context: Context) -> set[str]:
    """The texts of what is compared with a number: the condition has their shape."""
    if isinstance(condition, cst.Comparison) and len(condition.comparisons) == 1:
        sides = [condition.left, condition.comparisons[0].comparator]
    elif isinstance(condition, cst.Call) and (name := _function(condition, context)) and name in _COMPARISONS:
        sides = [arg.value for arg in condition.args if arg.keyword is None or arg.keyword.value in ("x", "y")]
    else:
        return set()
    tensors = [code(side) for side in sides if not _number(side)]
    return {tensors[0]} if len(tensors) == 1 or (len(set(tensors)) == 1 and tensors) else set()


def _shaped_as(value: cst.BaseExpression, context: Context) -> set[str]:
    """Texts of tensors that surely have the shape of `value`."""
    texts = {code(value)}
    if isinstance(value, cst.Call) and value.args and _function(value, context) in _SAME_SHAPE:
        texts |= _shaped_as(value.args[0].value, context)
    if isinstance(value, cst.BinaryOperation) and (_number(value.left) or _number(value.right)):
        texts |= _shaped_as(value.right if _number(value.left) else value.left, context)
    if isinstance(value, cst.UnaryOperation):
        texts |= _shaped_as(value.expression, context)
    return texts


def _function(call: cst.Call, context: Context) -> str:
    function = code(call.func)
    return function.rpartition(".")[2] if function.startswith(context.tf + ".") else ""


def _number(value: cst.BaseExpression) -> bool:
    return re.fullmatch(r"-?[\d.]+(e-?\d+)?", code(value).strip("() ")) is not None
