"""What calls of the TensorFlow 1 API denote. Anything without a meaning of its own here is a tensor computed from its
arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis import dimensions, dtypes
from tfmigrate.analysis.api_symbols import DECIDING, HOST_PREFIXES, HOST_SUFFIXES, RANDOM, READERS
from tfmigrate.analysis.callbacks import invoke_callbacks
from tfmigrate.analysis.eager_models import handed_on
from tfmigrate.analysis.refused_symbols import refused
from tfmigrate.analysis.signatures import arguments
from tfmigrate.analysis.values import (
    Host,
    Initializer,
    Placeholder,
    Sequence,
    Tensor,
    Value,
    Variable,
    is_step,
)

if TYPE_CHECKING:
    from tfmigrate.analysis.interpreter import Interpreter

Args = dict[str, cst.BaseExpression]
Handler = Callable[["Interpreter", str, cst.Call, Args], Value]
HANDLERS: dict[str, Handler] = {}


def handles(*symbols: str) -> Callable[[Handler], Handler]:
    """Register what calls of these symbols denote."""

    def register(handler: Handler) -> Handler:
        for symbol in symbols:
            HANDLERS[symbol] = handler
        return handler

    return register


def call(interp: Interpreter, symbol: str, node: cst.Call) -> Value:
    """The value of a call of `symbol`."""
    handler = HANDLERS.get(symbol)
    if handler is not None:
        interp.facts.symbols.setdefault(node.func, symbol)
        return handler(interp, symbol, node, arguments(symbol, node))
    values = interp.eval_arguments(node)
    handed_on(interp, values, node)
    reason = refused(symbol)
    if reason is not None:
        interp.refuse(reason[0], node, f"{reason[1]} (tf.{symbol})")
    if symbol in READERS:
        interp.facts.checkpoint_reads.append(node)
    if symbol.lower().endswith(HOST_SUFFIXES):
        return Initializer(random=True)
    if symbol.startswith(HOST_PREFIXES):
        return Host(random=True)
    return operation(interp, symbol, node, values)


def operation(interp: Interpreter, symbol: str, node: cst.Call, values: list[Value]) -> Value:
    """An op without a meaning of its own here: a tensor of its arguments."""
    inner = invoke_callbacks(interp, values)
    everything = [*values, *inner]
    step = any(is_step(v) or _reads(v) for v in everything) or symbol in RANDOM
    if symbol in DECIDING:
        for value in values:
            if isinstance(value, Placeholder):
                value.decides = True
    tensor = Tensor(step=step, random=symbol in RANDOM, inputs=tuple(everything))
    tensor.effect = symbol in ("Print", "Assert", "py_func", "numpy_function") or any(
        isinstance(v, Tensor) and v.effect for v in inner
    )
    interp.made(tensor, node)
    tensor.dimensions = dimensions.infer(interp, symbol, node)
    if tensor.effect and symbol not in ("py_func", "numpy_function"):
        interp.statement.effect = True
    register_name(interp, tensor, node)
    dtypes.of_operation(interp, symbol, node, values, tensor)
    if symbol in ("split", "unstack", "unpack"):
        interp.facts.values[node] = tensor
    return tensor


def register_name(interp: Interpreter, value: Tensor | Placeholder, node: cst.Call) -> None:
    """Remember a tensor by the name it was given."""
    for argument in node.args:
        if argument.keyword is not None and argument.keyword.value == "name":
            name = interp.facts.values.get(argument.value)
            prefix = interp.naming.name_prefix()
            if isinstance(name, Host) and isinstance(name.literal, str) and prefix is not None:
                value.legacy_name = interp.naming.unique(prefix + name.literal)
                interp.named[value.legacy_name] = value


def _reads(value: Value) -> bool:
    """Whether an op over the value reads a variable."""
    if isinstance(value, (Variable, Placeholder)):
        return True
    return isinstance(value, Sequence) and any(_reads(item) for item in value.items)


@handles("constant", "convert_to_tensor")
def constant(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """tf.constant: a tensor of its own where the value is the host's."""
    return operation(interp, symbol, node, interp.eval_arguments(node))
