"""Types of numbers where the program says them: what is known to be no float64, so that Keras leaves it as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.values import Host, Sequence, Symbol, Tensor, Value, Variable
from tfmigrate.rules.base import Refused
from tfmigrate.rules.binding import bind_arguments
from tfmigrate.rules.expressions import code, literal
from tfmigrate.symbols import canonical, legacy

if TYPE_CHECKING:
    from tfmigrate.analysis.expressions import Expressions

NARROW = frozenset({"float32", "int32", "int64", "uint8", "bool"})
_NUMPY = ("np.", "numpy.")
_KEEPING_ARRAYS = frozenset(
    {"expand_dims", "reshape", "concatenate", "stack", "squeeze", "transpose", "ravel", "copy", "vstack", "hstack"}
)
_KEEPING = frozenset(
    {
        "identity",
        "reshape",
        "expand_dims",
        "squeeze",
        "transpose",
        "concat",
        "stack",
        "matmul",
        "add",
        "subtract",
        "multiply",
        "square",
        "sqrt",
        "exp",
        "log",
        "abs",
        "maximum",
        "minimum",
        "reduce_sum",
        "reduce_mean",
        "reduce_max",
        "reduce_min",
        "stop_gradient",
        "tanh",
        "sigmoid",
        "nn.relu",
        "nn.softmax",
    }
)  # ops whose result has the type of their first argument
_FROM_VALUES = frozenset({"constant", "convert_to_tensor"})


def of(interp: Expressions, value: Value) -> str | None:
    """The type of the numbers as TensorFlow takes them, None where the program does not say it."""
    known = interp.dtypes.get(value)
    if known is not None:
        return known
    if isinstance(value, Host) and value.known:
        return {float: "float32", int: "int32", bool: "bool"}.get(type(value.literal))
    if isinstance(value, Sequence) and value.items and not value.open_:
        found = {of(interp, item) for item in value.items}
        if len(found) == 1:
            return found.pop()
        written = all(item not in interp.dtypes for item in _items(value))
        return "float32" if written and found == {"float32", "int32"} else None
    return None


def _items(value: Value) -> list[Value]:
    if isinstance(value, Sequence) and not value.open_:
        return [inner for item in value.items for inner in _items(item)]
    return [value]


def of_operation(interp: Expressions, symbol: str, node: cst.Call, values: list[Value], made: Value) -> None:
    """Remember the type of what an op gives."""
    short = canonical(symbol)
    binding = bind_arguments(symbol, node) if legacy(symbol) is not None else None
    if binding is None or isinstance(binding, Refused) or binding.starred:
        return
    given = next((a.node.value for a in binding.arguments if a.parameter == "dtype"), None)
    parameter = binding.symbol.parameter("dtype")
    if given is not None:
        _remember(interp, made, _named(interp, given))
    elif parameter is not None and parameter.default is not None and parameter.default.startswith("tf."):
        _remember(interp, made, parameter.default[3:])
    elif short == "one_hot" and len(binding.arguments) == 2:
        _remember(interp, made, "float32")
    elif short in _FROM_VALUES and len(binding.arguments) == 1:
        _remember(interp, made, of(interp, values[0]))
    elif short in _KEEPING:
        of_operator(interp, [item for value in values for item in _items(value)], made)


def of_operator(interp: Expressions, values: list[Value], made: Value) -> None:
    """Remember the type of what an operator gives: float32 where all tensors, or else all arrays, are of it.

    Integers divide to float64, and a single number of an array times a float may be one: no more is told.
    """
    operands = [v for v in values if isinstance(v, (Tensor, Variable))] or values
    if operands and all(interp.dtypes.get(operand) == "float32" for operand in operands):
        _remember(interp, made, "float32")


def of_array(interp: Expressions, node: cst.Call, name: str, values: list[Value], made: Value) -> None:
    """Remember the type of what a function of NumPy, or `array.astype(…)`, gives."""
    called = code(node.func).startswith(_NUMPY)
    dtype = next((a.value for a in node.args if a.keyword is not None and a.keyword.value == "dtype"), None)
    if name == "astype" and node.args:
        dtype = node.args[0].value
    if dtype is not None and (called or name == "astype"):
        _remember(interp, made, _named(interp, dtype))
    elif called and name in _KEEPING_ARRAYS and values:
        found = {interp.dtypes.get(item) for item in _items(values[0])}
        _remember(interp, made, found.pop() if len(found) == 1 else None)


def of_part(interp: Expressions, whole: Value, made: Value) -> None:
    """Remember the type of what a subscript takes out of an array or a tensor."""
    if isinstance(whole, (Host, Tensor, Variable)):
        _remember(interp, made, interp.dtypes.get(whole))


def _named(interp: Expressions, node: cst.BaseExpression) -> str | None:
    """The type that an expression names: `tf.float32`, `np.float32`, "float32"."""
    value = interp.facts.values.get(node)
    if isinstance(value, Symbol):
        return value.name.rpartition(".")[2]
    text = code(node)
    plain = literal(node)
    return plain if isinstance(plain, str) else text.rpartition(".")[2] if text.startswith(_NUMPY) else None


def _remember(interp: Expressions, made: Value, dtype: str | None) -> None:
    if dtype in NARROW:
        interp.dtypes[made] = dtype
