"""Layer functions: objects with variables made once, and their calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis import dimensions
from tfmigrate.analysis.api import Args, handles, operation
from tfmigrate.analysis.api_variables import text
from tfmigrate.analysis.values import Layer, Operation, Tensor, Value, Variable
from tfmigrate.rules.base import Context as RuleContext
from tfmigrate.rules.base import LayerForm
from tfmigrate.rules.engine import apply

if TYPE_CHECKING:
    from tfmigrate.analysis.interpreter import Interpreter

LAYERS = (
    "layers.dense",
    "layers.conv1d",
    "layers.conv2d",
    "layers.conv3d",
    "layers.conv2d_transpose",
    "layers.separable_conv2d",
    "layers.batch_normalization",
    "contrib.layers.fully_connected",
    "contrib.layers.linear",
    "contrib.layers.relu",
    "contrib.layers.conv2d",
    "contrib.layers.convolution2d",
    "contrib.layers.batch_norm",
    "contrib.layers.conv2d_transpose",
    "contrib.layers.layer_norm",
    "contrib.layers.embed_sequence",
    "contrib.layers.convolution",
    "layers.conv3d_transpose",
    "layers.separable_conv1d",
    "contrib.layers.separable_conv2d",
    "contrib.layers.convolution2d_transpose",
)


@handles(*LAYERS)
def layer(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """A layer function: an object with variables made once, and its call."""
    values = {id(a.value): interp.eval(a.value) for a in node.args}
    form = apply(symbol, node, RuleContext())
    if not isinstance(form, LayerForm):
        if hasattr(form, "code"):
            interp.refuse(form.code, node, form.message)  # type: ignore[union-attr]
        return operation(interp, symbol, node, list(values.values()))
    name = text(interp.facts.values.get(form.name)) if form.name is not None else None
    scope = interp.naming.layer(form.base_name, name, form.name is not None)
    made = interp.facts.layers.get((node, scope))
    reuse = interp.naming.reuse[-1] if interp.naming.reuse else None
    shared = interp.facts.shared_layers.get(scope) if scope is not None and (reuse or form.name is not None) else None
    if shared is not None and (reuse in (True, "auto")) and shared.expression is not node:
        interp.facts.layer_calls[node] = shared
        made = shared
    if made is None:
        made = Layer(form=form, legacy_name=scope)
        for suffix, attribute, trainable in form.weights:
            weight = Variable(
                legacy_name=f"{scope}/{suffix}" if scope is not None else None,
                trainable=trainable,
                layer=made,
                attribute=attribute,
            )
            made.variables.append(weight)
            interp.facts.variables.append(weight)
            interp.graph_variables.append(weight)
        interp.facts.layers[(node, scope)] = made
        if scope is not None:
            interp.facts.shared_layers[scope] = made
        interp.made(made, node)
        interp.lift(node, made)
    if form.regularized:
        interp.refuse("TFM146", node, "a layer with a regularizer")
    result = Tensor(step=True, inputs=tuple(values.values()), dimensions=dimensions.infer(interp, symbol, node))
    interp.made(result, node)
    interp.facts.layer_results[node] = made
    if form.updates:
        update = Operation(kind="update", members=(result,), step=True, layer=made, name="update")
        update.statement, update.scope = result.statement, result.scope
        interp.collections.setdefault("update_ops", []).append(update)
    return result
