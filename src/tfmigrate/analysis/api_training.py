"""Optimizers, gradients, layers, losses, savers, summaries and writers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.api import HANDLERS, handles, operation
from tfmigrate.analysis.api_variables import Args, text
from tfmigrate.analysis.signatures import arguments
from tfmigrate.analysis.values import (
    Dataset,
    Gradients,
    Graphlike,
    Host,
    Iterator_,
    Layer,
    Mapping,
    Operation,
    Optimizer,
    Saver,
    Sequence,
    Summary,
    Tensor,
    Value,
    Variable,
    Writer,
    is_step,
    leaves,
)
from tfmigrate.rules.base import Context as RuleContext
from tfmigrate.rules.base import LayerForm
from tfmigrate.rules.engine import apply

if TYPE_CHECKING:
    from tfmigrate.analysis.interpreter import Interpreter

OPTIMIZERS = (
    "GradientDescentOptimizer",
    "MomentumOptimizer",
    "AdamOptimizer",
    "RMSPropOptimizer",
    "AdagradOptimizer",
    "AdadeltaOptimizer",
    "FtrlOptimizer",
    "ProximalGradientDescentOptimizer",
    "ProximalAdagradOptimizer",
    "AdagradDAOptimizer",
)
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


@handles(*(f"train.{name}" for name in OPTIMIZERS))
def optimizer(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """An optimizer; its rate may be a tensor of the step."""
    names = ("learning_rate",)
    rate_node = next((a.value for a in node.args if a.keyword is None or a.keyword.value in names), None)
    rate: Value | None = None
    for argument in node.args:
        value = interp.eval(argument.value)
        if argument.value is rate_node:
            rate = value
        elif is_step(value):
            interp.refuse("TFM131", argument, f"tf.{symbol} takes a tensor for another argument than its rate")
    known = interp.known(node)
    if known is not None:
        interp.lift(node, known)
        return known
    made = Optimizer(symbol=symbol, rate=rate, rate_node=rate_node, call=node)
    interp.made(made, node)
    interp.remember(node, made)
    interp.lift(node, made)
    return made


@handles("gradients")
def gradients(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """tf.gradients: one gradient for each source."""
    values = {name: interp.eval(argument) for name, argument in args.items()}
    sources = values.get("xs", Host())
    made = Gradients(
        targets=tuple(leaves(values.get("ys"))),
        target_node=args.get("ys"),
        sources=sources,
        sources_node=args.get("xs"),
        step=True,
    )
    for option in ("grad_ys", "stop_gradients"):
        if option in args:
            interp.refuse("TFM128", args[option], f"tf.gradients with {option}")
    interp.made(made, node)
    interp.facts.gradients[node] = made
    return made


def minimize(interp: Interpreter, receiver: Optimizer, node: cst.Call) -> Value:
    """optimizer.minimize(loss): a train op."""
    args = arguments("optimizer.minimize", node)
    values = {name: interp.eval(argument) for name, argument in args.items()}
    known = interp.known(node)
    if known is not None:
        interp.made_again(known)
        return known
    made = Operation(kind="minimize", optimizer=receiver, loss=values.get("loss"), loss_node=args["loss"], step=True)
    if "grad_loss" in args:
        interp.refuse("TFM128", args["grad_loss"], "minimize with grad_loss")
    _trained(interp, made, args, values)
    _step(interp, made, args, values)
    interp.made(made, node)
    interp.remember(node, made)
    interp.statement.effect = True
    interp.facts.slotted = True
    return made


def _trained(interp: Interpreter, made: Operation | Gradients, args: Args, values: dict[str, Value]) -> None:
    listed = values.get("var_list")
    if listed is not None and not (isinstance(listed, Host) and listed.literal is None):
        variables, node = listed, args["var_list"]
        if isinstance(made, Operation):
            made.variables, made.variables_node = variables, node
        else:
            made.sources, made.sources_node = variables, node
        trained = [v for v in leaves(listed) if isinstance(v, Variable)]
    else:
        trained = [v for v in interp.graph_variables if v.trainable and not v.local]
        if isinstance(made, Operation):
            made.default_variables = True
        else:
            made.sources = Sequence(list(trained))
    interp.facts.trained[made] = tuple(trained)
    if isinstance(made, Operation):
        made.trained = tuple(trained)


def _step(interp: Interpreter, made: Operation, args: Args, values: dict[str, Value]) -> None:
    step = values.get("global_step")
    if isinstance(step, Variable):
        made.global_step, made.global_step_node = step, args["global_step"]
    elif step is not None and not (isinstance(step, Host) and step.literal is None):
        interp.refuse("TFM131", args["global_step"], "a global step that is not known to be one variable")


def compute_gradients(interp: Interpreter, receiver: Optimizer, node: cst.Call) -> Value:
    """optimizer.compute_gradients(loss): (gradient, variable) pairs."""
    args = arguments("optimizer.compute_gradients", node)
    values = {name: interp.eval(argument) for name, argument in args.items()}
    known = interp.known(node)
    if known is not None:
        interp.made_again(known)
        return known
    made = Gradients(
        targets=tuple(leaves(values.get("loss"))),
        target_node=args["loss"],
        pairs=True,
        optimizer=receiver,
        step=True,
    )
    _trained(interp, made, args, values)
    interp.made(made, node)
    interp.remember(node, made)
    interp.facts.gradients[node] = made
    return made


def apply_gradients(interp: Interpreter, receiver: Optimizer, node: cst.Call) -> Value:
    """optimizer.apply_gradients(pairs): a train op."""
    args = arguments("optimizer.apply_gradients", node)
    values = {name: interp.eval(argument) for name, argument in args.items()}
    known = interp.known(node)
    if known is not None:
        interp.made_again(known)
        return known
    made = Operation(
        kind="apply",
        optimizer=receiver,
        variables=values.get("grads_and_vars"),
        variables_node=args.get("grads_and_vars"),
        step=True,
    )
    _step(interp, made, args, values)
    interp.made(made, node)
    interp.remember(node, made)
    interp.statement.effect = True
    interp.facts.slotted = True
    return made


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
    result = Tensor(step=True, inputs=tuple(values.values()))
    interp.made(result, node)
    interp.facts.layer_results[node] = made
    if form.updates:
        update = Operation(kind="update", members=(result,), step=True, layer=made, name="update")
        update.statement, update.scope = result.statement, result.scope
        interp.collections.setdefault("UPDATE_OPS", []).append(update)
    return result


@handles("train.Saver", "Saver")
def saver(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """A Saver of the variables there are, or of those given."""
    args = arguments("train.Saver", node)
    values = {name: interp.eval(argument) for name, argument in args.items()}
    known = interp.known(node)
    if known is not None:
        return known
    made = Saver(max_to_keep=args.get("max_to_keep"))
    listed = values.get("var_list")
    if listed is None or (isinstance(listed, Host) and listed.literal is None):
        made.variables = tuple((v.legacy_name, v) for v in interp.graph_variables if not v.local)
    elif isinstance(listed, Mapping):
        made.all_ = False
        made.variables = tuple((text(e.key), e.value) for e in listed.entries if isinstance(e.value, Variable))
    else:
        made.variables = tuple((v.legacy_name, v) for v in leaves(listed) if isinstance(v, Variable))
        made.all_ = {v for _, v in made.variables} == {
            v for v in interp.graph_variables if not v.local
        } and _all_listed(interp, args)
    if listed is not None and not made.variables:
        interp.refuse("TFM126", node, "a Saver of variables that are not known statically")
    interp.made(made, node)
    interp.remember(node, made)
    return made


def _all_listed(interp: Interpreter, args: Args) -> bool:
    node = args.get("var_list")
    return node is not None and interp.facts.symbols.get(getattr(node, "func", node)) in (
        "global_variables",
        "all_variables",
    )


@handles("summary.scalar", "summary.histogram", "summary.image", "summary.audio", "summary.text")
def summary(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """A summary op; its tag keeps the name scope."""
    values = {name: interp.eval(argument) for name, argument in args.items()}
    tag = text(values.get("name"))
    prefix = interp.naming.name_prefix()
    value_name = next((n for n in ("tensor", "values") if n in args), "tensor")
    memo = interp.known(node)
    known = memo if isinstance(memo, Summary) else None
    full = interp.naming.unique(prefix + tag) if known is None and tag is not None and prefix is not None else None
    if known is None and full is None:
        interp.refuse("TFM125", node, "a summary whose tag is not known statically")
    made = known or Summary(
        kind=symbol.split(".")[1],
        tag=full,
        tag_node=args.get("name"),
        value=values.get(value_name),
        value_node=args.get(value_name),
        call=node,
        step=True,
    )
    if known is None:
        interp.facts.summaries[node] = made
        interp.remember(node, made)
        if "collections" not in args:
            interp.summaries.append(made)
        interp.made(made, node)
    return made


@handles("summary.merge_all", "summary.merge")
def merged(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """Merged summaries: all there are at this moment, or those given."""
    values = {name: interp.eval(argument) for name, argument in args.items()}
    if symbol == "summary.merge":
        members = [v for v in leaves(values.get("inputs")) if isinstance(v, Summary)]
    else:
        members = list(interp.summaries)
    flat: list[Summary] = []
    for member in members:
        flat.extend(member.members if member.kind == "merged" else [member])
    known = interp.known(node)
    if isinstance(known, Summary):
        known.members = tuple(flat)
        return known
    made = Summary(kind="merged", members=tuple(flat), step=True, call=node)
    interp.made(made, node)
    interp.remember(node, made)
    return made


@handles("summary.FileWriter")
def writer(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """A writer of event files."""
    for argument in args.values():
        interp.eval(argument)
    known = interp.known(node)
    if known is not None:
        return known
    made = Writer()
    interp.made(made, node)
    interp.remember(node, made)
    interp.lift(node, made)
    return made


@handles("data.Iterator.from_structure")
def structure(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """A reinitializable iterator."""
    for argument in node.args:
        interp.eval(argument.value)
    made = Iterator_(kind="structure")
    interp.made(made, node)
    interp.refuse("TFM127", node, "a reinitializable iterator")
    return made


def iterator(interp: Interpreter, receiver: Dataset, node: cst.Call, kind: str) -> Value:
    """dataset.make_…_iterator()."""
    known = interp.known(node)
    if known is not None:
        interp.lift(node, known)
        return known
    made = Iterator_(dataset=receiver, kind=kind)
    interp.made(made, node)
    interp.remember(node, made)
    interp.lift(node, made)
    return made


def dataset_method(interp: Interpreter, receiver: Dataset, name: str, node: cst.Call) -> Value:
    """A stage of a tf.data pipeline."""
    values = [interp.eval(a.value) for a in node.args]
    made = Dataset(fed=receiver.fed or any(is_step(v) for v in values))
    interp.made(made, node)
    return made


__all__ = ["HANDLERS", "Graphlike"]


@handles(
    "train.exponential_decay",
    "train.piecewise_constant",
    "train.polynomial_decay",
    "train.natural_exp_decay",
    "train.inverse_time_decay",
    "train.cosine_decay",
    "train.cosine_decay_restarts",
    "train.linear_cosine_decay",
    "train.noisy_linear_cosine_decay",
)
def schedule(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """A learning rate computed from the global step."""
    values = [interp.eval(a.value) for a in node.args]
    made = Tensor(step=True, inputs=tuple(values))
    interp.made(made, node)
    return made
