"""Ops and contexts that only order or place others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.api import Args, handles
from tfmigrate.analysis.values import Context, Host, Operation, Sequence, Value, is_graph

if TYPE_CHECKING:
    from tfmigrate.analysis.interpreter import Interpreter


@handles("control_dependencies")
def control_dependencies(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """`with tf.control_dependencies(...)`."""
    value = interp.eval(args["control_inputs"]) if "control_inputs" in args else Host()
    items = tuple(value.items) if isinstance(value, Sequence) else ((value,) if is_graph(value) else ())
    return Context("control", controls=items, node=args.get("control_inputs"))


@handles("device")
def device(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """`with tf.device(...)`: placement is left to TensorFlow."""
    interp.eval_arguments(node)
    return Context("device", node=args.get("device_name_or_function"))


@handles("group", "no_op")
def group(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """tf.group and tf.no_op: ops that only order others."""
    members: list[Value] = []
    for argument in node.args:
        value = interp.eval(argument.value)
        if argument.keyword is None:
            members.extend(value.items if isinstance(value, Sequence) else [value])
    made = Operation(kind="group" if symbol == "group" else "no_op", members=tuple(members), step=True)
    interp.made(made, node)
    return made


@handles("tuple")
def tuple_(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """tf.tuple: its tensors, all evaluated."""
    values = interp.eval_arguments(node)
    return values[0] if values else Host()
