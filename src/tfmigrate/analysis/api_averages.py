"""tf.train.ExponentialMovingAverage: shadow variables, made once where `apply` is called and moved where its op runs.

Source: tensorflow/python/training/moving_averages.py and slot_creator.py of TensorFlow 1.15. What it does not model:
averages of tensors (their shadow variables begin with zeros of a shape that only the graph knows).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.api import handles
from tfmigrate.analysis.values import (
    Host,
    Layer,
    Mapping,
    MappingEntry,
    MovingAverage,
    Operation,
    Sequence,
    Value,
    Variable,
    is_step,
    leaves,
)

if TYPE_CHECKING:
    from tfmigrate.analysis.interpreter import Interpreter

Args = dict[str, cst.BaseExpression]
CODE = "TFM165"


@handles("train.ExponentialMovingAverage")
def moving_average(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """An object that keeps averages; it has no variable before `apply`."""
    values = {name: interp.eval(argument) for name, argument in args.items()}
    for name in ("decay", "zero_debias", "name"):
        if name in values and (is_step(values[name]) or isinstance(values[name], Variable)):
            interp.refuse(CODE, args[name], f"an ExponentialMovingAverage whose {name} is a tensor")
    updates = values.get("num_updates")
    if updates is not None and is_step(updates) and not isinstance(updates, Variable):
        interp.refuse(CODE, args["num_updates"], "an ExponentialMovingAverage that counts by a computed tensor")
    title = values.get("name", Host("ExponentialMovingAverage"))
    if not (isinstance(title, Host) and isinstance(title.literal, str)):
        interp.refuse(CODE, node, "an ExponentialMovingAverage whose name is not known statically")
    known = interp.known(node)
    if known is not None:
        return known
    if interp.loop_stack:
        interp.refuse(CODE, node, "an ExponentialMovingAverage is made in a loop")
    made = MovingAverage(title=title.literal if isinstance(title, Host) else None)
    interp.made(made, node)
    interp.remember(node, made)
    return made


def method(interp: Interpreter, receiver: MovingAverage, name: str, node: cst.Call) -> Value:
    """A method of an ExponentialMovingAverage."""
    values = [interp.eval(argument.value) for argument in node.args]
    given = values[0] if values else Host(None)
    if name == "apply":
        return _apply(interp, receiver, node, given)
    if name == "average":
        if isinstance(given, Variable):
            return receiver.shadows.get(given, Host(None))
        interp.refuse(CODE, node, "the average of something that is not known to be one variable")
    elif name == "average_name":
        if isinstance(given, Variable) and (known := average_name(receiver, given)) is not None:
            return Host(known)
        interp.refuse(CODE, node, "the name of an average that is not known statically")
    elif name == "variables_to_restore":
        return _to_restore(interp, receiver, node, given)
    else:
        interp.refuse(CODE, node, f"ExponentialMovingAverage.{name}")
    return Host()


def average_name(receiver: MovingAverage, variable: Variable) -> str | None:
    """The legacy name of a variable's shadow; None where the variable's own is not known."""
    if variable in receiver.shadows:
        return receiver.shadows[variable].legacy_name
    return f"{variable.legacy_name}/{receiver.title}" if variable.legacy_name and receiver.title else None


def _apply(interp: Interpreter, receiver: MovingAverage, node: cst.Call, given: Value) -> Value:
    known = interp.known(node)
    if known is not None:
        interp.made_again(known)
        return known
    if interp.loop_stack:
        interp.refuse(CODE, node, "ExponentialMovingAverage.apply is called in a loop")
    if receiver.name is None:
        interp.refuse(CODE, node, "an ExponentialMovingAverage that has no name of its own")
    if isinstance(given, Host) and given.literal is None:
        listed: list[Value] = [v for v in interp.graph_variables if v.trainable and not v.local]
    elif isinstance(given, Sequence) and not given.open_:
        listed = list(given.items)
    else:
        listed = []
        interp.refuse(CODE, node, "the averages of variables that are not known statically")
    made = Operation(kind="average", step=True, averages=receiver)
    for value in dict.fromkeys(leaf for item in listed for leaf in leaves(item)):
        if not isinstance(value, Variable):
            interp.refuse(CODE, node, "an ExponentialMovingAverage of a tensor, whose average begins with zeros")
        elif value in receiver.shadows:
            interp.refuse(CODE, node, "the average of a variable is kept twice")
        else:
            receiver.shadows[value] = _shadow(interp, receiver, value, node)
    made.trained = tuple(v for v in listed if isinstance(v, Variable))
    interp.made(made, node)
    interp.remember(node, made)
    interp.statement.effect = True
    interp.facts.averaging[interp.statement] = made
    return made


def _shadow(interp: Interpreter, receiver: MovingAverage, variable: Variable, node: cst.Call) -> Variable:
    if isinstance(variable.layer, Layer) and hasattr(variable.layer.form, "weights"):
        interp.refuse(CODE, node, "the averages of a layer's variables, which it makes when it is first called")
    around = interp.naming.current()  # slot variables stand in the variable scope around `apply`
    name = average_name(receiver, variable)
    full = None if name is None or around is None else interp.naming.unique(f"{around}/{name}" if around else name)
    shadow = Variable(legacy_name=full, trainable=False, initial=variable, shape=variable.shape)
    shadow.average_of = (receiver, variable)
    interp.made(shadow, node)
    interp.facts.variables.append(shadow)
    interp.graph_variables.append(shadow)
    interp.collections.setdefault("moving_average_variables", []).append(variable)
    return shadow


def _to_restore(interp: Interpreter, receiver: MovingAverage, node: cst.Call, given: Value) -> Value:
    """{name in a checkpoint: variable}: averages in place of what is averaged, the others as they are."""
    if isinstance(given, Sequence) and not given.open_:
        averaged = [v for v in given.items if isinstance(v, Variable)]
    elif isinstance(given, Host) and given.literal is None:
        kept = interp.collections.get("moving_average_variables", [])
        averaged = [v for v in interp.graph_variables if v.trainable and not v.local]
        averaged += [v for v in kept if isinstance(v, Variable)]
    else:
        averaged = []
        interp.refuse(CODE, node, "the averages of variables that are not known statically")
    found: dict[str, Variable] = {}
    for variable in averaged:
        name = average_name(receiver, variable)
        if name is None:
            interp.refuse(CODE, node, "the name of an average that is not known statically")
        else:
            found[name] = variable
    for variable in interp.graph_variables:
        if variable.legacy_name is None:
            interp.refuse(CODE, node, "the name of a restored variable is not known statically")
        elif not variable.local and variable not in averaged:
            found.setdefault(variable.legacy_name, variable)
    if interp.facts.slotted:
        interp.refuse(CODE, node, "the variables to restore hold the slots of an optimizer, too")
    made = Mapping([MappingEntry(Host(name), variable, None) for name, variable in found.items()])
    interp.facts.restored[node] = made
    return made


__all__ = ["average_name", "method"]
