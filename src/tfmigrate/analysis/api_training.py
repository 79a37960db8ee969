"""Optimizers, their learning rates, gradients and train ops."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.api import Args, handles
from tfmigrate.analysis.folding import plain
from tfmigrate.analysis.memo import once
from tfmigrate.analysis.signatures import arguments
from tfmigrate.analysis.slot_names import slot_names
from tfmigrate.analysis.values import (
    Gradients,
    Host,
    Operation,
    Optimizer,
    Sequence,
    Tensor,
    Value,
    Variable,
    is_step,
    leaves,
)

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
    values = interp.eval_arguments(node)
    made = Tensor(step=True, inputs=tuple(values))
    interp.made(made, node)
    return made


@handles(*(f"train.{name}" for name in OPTIMIZERS))
def optimizer(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """An optimizer; its rate may be a tensor of the step."""
    rate_node = next((a.value for a in node.args if a.keyword is None or a.keyword.value == "learning_rate"), None)
    rate: Value | None = None
    for argument in node.args:
        value = interp.eval(argument.value)
        if argument.value is rate_node:
            rate = value
        elif is_step(value):
            interp.refuse("TFM131", argument, f"tf.{symbol} takes a tensor for another argument than its rate")
    make = partial(Optimizer, symbol=symbol, rate=rate, rate_node=rate_node, call=node)
    return once(interp, node, make, lifted=True)


def optimizer_method(interp: Interpreter, receiver: Optimizer, name: str, node: cst.Call) -> Value:
    """`optimizer.minimize(...)` and the like."""
    methods = {
        "minimize": _minimize,
        "compute_gradients": _compute_gradients,
        "apply_gradients": _apply_gradients,
    }
    if name in methods:
        args = arguments(f"optimizer.{name}", node)
        return once(interp, node, partial(methods[name], interp, receiver, node, args, interp.eval_named(args)))
    interp.eval_arguments(node)
    names = slot_names(interp.facts, receiver) if name == "get_slot_names" else None
    before = interp.facts.values.get(node)
    if names is not None and (not isinstance(before, Sequence) or plain(before) == names):
        return Sequence([Host(slot) for slot in names])
    interp.refuse("TFM131", node, f"Optimizer.{name}")
    return Host()


@handles("gradients")
def gradients(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """tf.gradients: one gradient for each source."""
    values = interp.eval_named(args)
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


def _minimize(
    interp: Interpreter, receiver: Optimizer, node: cst.Call, args: Args, values: dict[str, Value]
) -> Operation:
    """optimizer.minimize(loss): a train op."""
    made = Operation(kind="minimize", optimizer=receiver, loss=values.get("loss"), loss_node=args["loss"], step=True)
    if "grad_loss" in args:
        interp.refuse("TFM128", args["grad_loss"], "minimize with grad_loss")
    _trained(interp, made, args, values)
    _trains(interp, made, args, values)
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


def _trains(interp: Interpreter, made: Operation, args: Args, values: dict[str, Value]) -> None:
    """A train op counts the steps, changes variables and makes slots."""
    interp.statement.effect = True
    interp.facts.slotted |= made.optimizer is None or made.optimizer.symbol != "train.GradientDescentOptimizer"
    step = values.get("global_step")
    if isinstance(step, Variable):
        made.global_step, made.global_step_node = step, args["global_step"]
    elif step is not None and not (isinstance(step, Host) and step.literal is None):
        interp.refuse("TFM131", args["global_step"], "a global step that is not known to be one variable")


def _compute_gradients(
    interp: Interpreter, receiver: Optimizer, node: cst.Call, args: Args, values: dict[str, Value]
) -> Gradients:
    """optimizer.compute_gradients(loss): (gradient, variable) pairs."""
    made = Gradients(
        targets=tuple(leaves(values.get("loss"))),
        target_node=args["loss"],
        pairs=True,
        optimizer=receiver,
        step=True,
    )
    _trained(interp, made, args, values)
    interp.facts.gradients[node] = made
    return made


def _apply_gradients(
    interp: Interpreter, receiver: Optimizer, node: cst.Call, args: Args, values: dict[str, Value]
) -> Operation:
    """optimizer.apply_gradients(pairs): a train op."""
    made = Operation(
        kind="apply",
        optimizer=receiver,
        variables=values.get("grads_and_vars"),
        variables_node=args.get("grads_and_vars"),
        step=True,
    )
    _trains(interp, made, args, values)
    return made
