"""Placeholders as specifications: `tf.placeholder` becomes a `tf.TensorSpec`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.signatures import arguments
from tfmigrate.analysis.values import Placeholder
from tfmigrate.rewrite import nodes

if TYPE_CHECKING:
    from tfmigrate.rewrite.expressions import ExpressionRewriter


def placeholder(rewriter: ExpressionRewriter, original: cst.Call, updated: cst.Call) -> cst.BaseExpression:
    """The placeholder's specification."""
    value = rewriter.facts.values.get(original)
    name = (value.name or value.legacy_name) if isinstance(value, Placeholder) else None
    return _spec(rewriter, updated, name or "input")


def _spec(rewriter: ExpressionRewriter, updated: cst.Call, name: str) -> cst.BaseExpression:
    """tf.placeholder as a tf.TensorSpec."""
    args = arguments("placeholder", updated)
    shape = nodes.code(args["shape"]) if "shape" in args else "None"
    dtype = args["dtype"]
    if isinstance(dtype, cst.SimpleString):
        text = f"{rewriter.context.tf}.as_dtype({nodes.code(dtype)})"
        plain = dtype.evaluated_value
        if isinstance(plain, str):
            text = f"{rewriter.context.tf}.{'float32' if plain == 'float' else plain}"
    else:
        text = nodes.code(dtype)
    return nodes.expression(f'{rewriter.context.tf}.TensorSpec({shape}, {text}, name="{name}")')
