"""Whether TensorFlow 1 gives a gradient or None: whether a path of differentiable ops leads from a tensor to a source.

Followed are ops whose inputs and gradients are known here; anything else leaves the question open.
"""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst

from tfmigrate.analysis.values import (
    Gradients,
    Graphlike,
    Host,
    NoGradient,
    Placeholder,
    Sequence,
    Tensor,
    Value,
    Variable,
    leaves,
)

_PASSING = (
    "abs add add_n concat cos divide exp expand_dims identity log log_sigmoid matmul maximum minimum multiply negative "
    "nn.bias_add nn.elu nn.l2_loss nn.log_softmax nn.relu nn.sigmoid nn.softmax nn.softplus nn.tanh pow reduce_max "
    "reduce_mean reduce_min reduce_sum reshape sigmoid sin sqrt square squared_difference squeeze stack subtract tanh "
    "transpose truediv losses.mean_squared_error losses.absolute_difference"
)
DIFFERENTIABLE = frozenset(_PASSING.split())
WITHOUT = frozenset(("stop_gradient", "py_func", "numpy_function"))
"""Ops that give None to all their inputs."""


def gradient(symbols: Mapping[cst.CSTNode, str], value: Gradients, source: Value) -> Value:
    """The gradient for one source: a tensor, None, or something of which it is not known."""
    found = [_path(symbols, target, source, set()) for target in value.targets]
    if found and all(path is False for path in found):
        return NoGradient()
    return Tensor(step=True, inputs=(value, source))


def pairs(symbols: Mapping[cst.CSTNode, str], value: Gradients) -> Sequence | None:
    """What compute_gradients gives, where it is known for each variable whether it has a gradient."""
    if not value.pairs or value.sources is None:
        return None
    rows: list[Value] = []
    for variable in leaves(value.sources):
        found = [_path(symbols, target, variable, set()) for target in value.targets]
        certain = True in found or all(path is False for path in found)
        if not isinstance(variable, Variable) or not found or not certain:
            return None
        rows.append(Sequence([gradient(symbols, value, variable), variable], tuple_=True))
    return Sequence(rows)


def _path(symbols: Mapping[cst.CSTNode, str], target: Value, source: Value, seen: set[int]) -> bool | None:
    """Whether a path leads from the source to the target; None where that is open."""
    if target is source:
        return True
    if id(target) in seen or isinstance(target, (Host, Variable, Placeholder)):
        return False
    if not isinstance(target, Tensor):
        return None if isinstance(target, Graphlike) else False
    seen.add(id(target))
    if not target.step:
        return False  # a constant
    known = _differentiable(symbols, target)
    if known is False:
        return False
    found = [_path(symbols, leaf, source, seen) for value in target.inputs for leaf in leaves(value)]
    if known and True in found:
        return True
    return False if known and all(path is False for path in found) else None


def _differentiable(symbols: Mapping[cst.CSTNode, str], tensor: Tensor) -> bool | None:
    """Whether gradients pass the op to each of its inputs; None where that is not known."""
    node = tensor.expression
    if isinstance(node, cst.BinaryOperation):
        return True if isinstance(node.operator, (cst.Add, cst.Subtract, cst.Multiply, cst.Divide, cst.Power)) else None
    if isinstance(node, cst.UnaryOperation):
        return True if isinstance(node.operator, cst.Minus) else None
    symbol = symbols.get(node.func) if isinstance(node, cst.Call) else None
    if symbol in WITHOUT:
        return False
    return True if symbol in DIFFERENTIABLE else None


__all__ = ["gradient", "pairs"]
