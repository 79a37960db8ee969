"""Layers: objects made once (Keras layers, and modules from the program's own functions), and their calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.values import Layer
from tfmigrate.rewrite import nodes
from tfmigrate.rules.base import LayerForm, Refused
from tfmigrate.rules.engine import apply

if TYPE_CHECKING:
    from tfmigrate.rewrite.expressions import ExpressionRewriter


def called(rewriter: ExpressionRewriter, layer: Layer, original: cst.Call, updated: cst.Call) -> cst.BaseExpression:
    """`tf.layers.dense(x, 10)` as `dense(x)`."""
    symbol = rewriter.facts.symbols.get(original.func, "")
    form = apply(symbol, updated, rewriter.context)
    if not isinstance(form, LayerForm):
        if isinstance(form, Refused):
            rewriter.refuse(form.code, original, form.message)
        return updated
    name = rewriter.object_text(rewriter.plan.layer_names.get(layer, "layer"))
    keywords = dict(form.keywords)
    if form.updates and layer not in rewriter.updating:
        keywords["updates"] = cst.Name("False")
    made: cst.BaseExpression = nodes.call(name, form.inputs, **keywords)
    if form.activation is not None:
        made = cst.Call(form.activation, [cst.Arg(made)])
    return made


def function_called(
    rewriter: ExpressionRewriter, layer: Layer, original: cst.Call, updated: cst.Call
) -> cst.BaseExpression:
    """`add_layer(x, 1, 10)` as `l1_layer(x)`."""
    fact = layer.form
    layer_class = rewriter.plan.layers[fact.function.node]
    kept = [
        a
        for a, o in zip(updated.args, original.args, strict=True)
        if any(fact.argument_nodes.get(p) is o.value for p in layer_class.call_parameters)
    ]
    name = rewriter.object_text(rewriter.plan.layer_names[layer])
    kept = [
        a.with_changes(comma=cst.MaybeSentinel.DEFAULT, whitespace_after_arg=cst.SimpleWhitespace(""))
        if a is kept[-1]
        else a
        for a in kept
    ]
    return cst.Call(nodes.expression(name), kept)
