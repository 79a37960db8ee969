"""tf.div."""

from __future__ import annotations

import libcst as cst

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.expressions import code
from tfmigrate.rules.keeping import amend

_REAL = ("sqrt", "exp", "log", "norm", "sigmoid", "tanh", "softmax")


class DivideAsPython2(Rule):
    """Keeps `tf.div`: division of floats, and of integers without leaving the integers.

    Where an operand is seen to be a float (a literal, a cast, a root …) this is `tf.divide`, where both are seen to be
    integers it is `tf.math.floordiv`; else the kernel itself, which differs from 1.15 only for integers of different
    sign (it rounds towards zero).

    before  tf.div(total, 2.0)
    after   tf.divide(total, 2.0)

    Source: tensorflow/python/ops/math_ops.py (1.15), `_div_python2`.
    """

    symbols = ("div",)

    def rewrite(self, call: BoundCall, context: Context) -> Rewritten | Refused:
        if any(_is_float(call.get(name), context) for name in ("x", "y")):
            return amend(call, "divide", context)
        if all(_is_integer(call.get(name), context) for name in ("x", "y")):
            return amend(call, "math.floordiv", context)
        return amend(call, "raw_ops.Div", context, named=("x", "y"))


def _is_float(value: cst.BaseExpression | None, context: Context) -> bool:
    if value is None:
        return False
    if isinstance(value, cst.Float):
        return True
    if isinstance(value, cst.BinaryOperation):
        return _is_float(value.left, context) or _is_float(value.right, context)
    if isinstance(value, cst.UnaryOperation):
        return _is_float(cst.ensure_type(value, cst.UnaryOperation).expression, context)
    if not isinstance(value, cst.Call):
        return False
    function = code(value.func)
    if function == f"{context.tf}.cast":
        return any("float" in code(arg.value) for arg in value.args[1:])
    return function.startswith(context.tf + ".") and function.rpartition(".")[2] in _REAL


def _is_integer(value: cst.BaseExpression | None, context: Context) -> bool:
    """Whether the expression is made of integer literals, or cast to an integer type."""
    if isinstance(value, cst.Integer):
        return True
    if isinstance(value, (cst.List, cst.Tuple)):
        return bool(value.elements) and all(_is_integer(e.value, context) for e in value.elements)
    if isinstance(value, cst.UnaryOperation):
        return _is_integer(value.expression, context)
    if isinstance(value, cst.BinaryOperation):
        return _is_integer(value.left, context) and _is_integer(value.right, context)
    if isinstance(value, cst.Call):
        function = code(value.func)
        if function == f"{context.tf}.constant" and value.args:
            rest = [code(a.value) for a in value.args[1:]]
            return all("float" not in text for text in rest) and _is_integer(value.args[0].value, context)
        return function == f"{context.tf}.cast" and any("int" in code(a.value) for a in value.args[1:])
    return False
