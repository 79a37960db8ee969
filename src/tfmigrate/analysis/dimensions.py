"""Static shapes of computed tensors, each dimension with where a program can read it: off a variable or a placeholder.

`hidden.get_shape()[1]` says how large a weight must be before there is any `hidden` in the converted program; that it
is `weights.shape[1]` can be told from the op that computed `hidden`. Only what follows surely is inferred.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.values import MISSING, Graphlike, Host, Placeholder, Sequence, Tensor, Value, Variable
from tfmigrate.rules.base import Refused
from tfmigrate.rules.binding import bind_arguments

if TYPE_CHECKING:
    from tfmigrate.analysis.expressions import Expressions

_ELEMENTWISE = """
abs cast clip_by_norm clip_by_value cos exp floor identity log log1p negative rsqrt sigmoid sign sin sqrt square
stop_gradient tanh to_double to_float to_int32 to_int64 zeros_like ones_like check_numerics Print
nn.bias_add nn.dropout nn.elu nn.leaky_relu nn.l2_normalize nn.local_response_normalization nn.log_softmax nn.lrn
nn.relu nn.relu6 nn.selu nn.sigmoid nn.softmax nn.softplus nn.softsign nn.tanh math.sigmoid math.tanh
nn.batch_normalization layers.dropout contrib.layers.dropout layers.batch_normalization contrib.layers.batch_norm
contrib.layers.layer_norm
"""
_PAIRWISE = "add add_n div divide maximum minimum mod mul multiply pow sub subtract truediv"
_POOLS = "nn.max_pool nn.avg_pool layers.max_pooling2d layers.average_pooling2d contrib.layers.max_pool2d"
ELEMENTWISE, PAIRWISE, POOLS = (frozenset(names.split()) for names in (_ELEMENTWISE, _PAIRWISE, _POOLS))


@dataclass(eq=False)
class Dimension(Host):
    """One dimension of a static shape: read off `of` at `index`, or written as `node` in the program."""

    of: Graphlike | None = None
    index: int = 0
    node: cst.BaseExpression | None = None
    tensor: Graphlike | None = None  # whose dimension the program reads here

    @property
    def readable(self) -> bool:
        """Whether a converted program has something to read it off."""
        return self.of is not None or self.node is not None


Dimensions = tuple[Dimension, ...]


def of(value: Value | None) -> Dimensions | None:
    """The dimensions of a value; None where not even their number is known."""
    if isinstance(value, Tensor):
        return value.dimensions
    if isinstance(value, Host):
        return () if value.known and isinstance(value.literal, (bool, int, float)) else None
    if isinstance(value, (Placeholder, Variable)):
        shape = value.shape
        if shape is None and isinstance(value, Variable) and isinstance(value.initial, Tensor):
            inner = value.initial.dimensions
            shape = None if inner is None else tuple(d.literal if d.known else None for d in inner)
        if shape is None:
            return None
        return tuple(
            Dimension(MISSING if size is None else size, of=value, index=index) for index, size in enumerate(shape)
        )
    return None


def infer(interp: Expressions, symbol: str, node: cst.Call) -> Dimensions | None:
    """The dimensions of what a call of the API gives."""
    if symbol not in ELEMENTWISE and symbol not in PAIRWISE and symbol not in POOLS and symbol not in _RULES:
        return None
    given = _given(symbol, node)
    values = {name: interp.facts.values.get(argument, Host()) for name, argument in given.items()}
    first = next(iter(values.values()), None)
    if symbol in ELEMENTWISE:
        return of(first)
    if symbol in PAIRWISE:
        pair = first.items if isinstance(first, Sequence) else list(values.values())[:2]
        return together([of(v) for v in pair])
    rule = _RULES.get(symbol)
    if rule is not None:
        return rule(values, given)
    return _pooled(of(first)) if symbol in POOLS else None


def _given(symbol: str, node: cst.Call) -> dict[str, cst.BaseExpression]:
    """The arguments by the names of 1.15's parameters."""
    bound = bind_arguments(symbol, node)
    if isinstance(bound, Refused):
        return {}
    return {a.parameter: a.node.value for a in bound.arguments if not a.starred and a.parameter}


def together(sides: list[Dimensions | None]) -> Dimensions | None:
    """The dimensions of an operator over several, as they are broadcast."""
    known = [s for s in sides if s is not None]
    if not known or len(known) != len(sides):
        return None
    result: list[Dimension] = []
    for offset in range(1, max(len(s) for s in known) + 1):
        here = [s[-offset] for s in known if len(s) >= offset]
        wide = [d for d in here if d.literal != 1]
        known_size = next((d for d in wide if d.readable and d.known), None)
        # of two that are not known either may be 1: only where all agree on what to read is it sure
        alone = wide[0] if len(wide) == 1 else None
        same = wide[0] if wide and all((d.of, d.index) == (wide[0].of, wide[0].index) for d in wide) else None
        result.insert(0, known_size or alone or same or (Dimension() if wide else here[0]))
    return tuple(result)


def broadcast(result: Value, left: Value, right: Value) -> Value:
    """The result of an operator over both, with its dimensions."""
    if isinstance(result, Tensor):
        result.dimensions = together([of(left), of(right)])
    return result


def _last(value: Value | None) -> Dimension:
    """A variable's or tensor's last dimension."""
    dimensions = of(value)
    if dimensions:
        return dimensions[-1]
    return Dimension(of=value, index=-1) if isinstance(value, Variable) else Dimension()


Values = dict[str, Value]
Given = dict[str, cst.BaseExpression]


def _matmul(values: Values, given: Given) -> Dimensions | None:
    flags = ("transpose_a", "transpose_b", "adjoint_a", "adjoint_b")
    if any(not (isinstance(values[f], Host) and values[f].literal is False) for f in flags if f in values):  # type: ignore[attr-defined]
        return None
    left = of(values.get("a", values.get("x")))
    right = values.get("b", values.get("weights"))
    ahead = left[:-1] if left else (Dimension(),)
    return (*ahead, _last(right))


def _convolution(values: Values, given: Given) -> Dimensions | None:
    return (Dimension(), Dimension(), Dimension(), _last(values.get("filter")))


def _pooled(dimensions: Dimensions | None) -> Dimensions | None:
    return None if not dimensions else (dimensions[0], *(Dimension() for _ in dimensions[1:-1]), dimensions[-1])


def _reshape(values: Values, given: Given) -> Dimensions | None:
    shape, node = values.get("shape"), given.get("shape")
    if not isinstance(shape, Sequence) or shape.open_:
        return None
    nodes = node.elements if isinstance(node, (cst.List, cst.Tuple)) else ()
    result: list[Dimension] = []
    for index, item in enumerate(shape.items):
        if isinstance(item, Dimension):
            result.append(item)
        elif isinstance(item, Host) and item.literal == -1:
            result.append(Dimension())
        elif isinstance(item, Host):
            written = nodes[index].value if index < len(nodes) else None
            result.append(Dimension(item.literal, node=written))
        else:
            result.append(Dimension())
    return tuple(result)


def _expanded(values: Values, given: Given) -> Dimensions | None:
    inner, axis = of(values.get("input")), values.get("axis", values.get("dim"))
    if inner is None or not isinstance(axis, Host) or not isinstance(axis.literal, int):
        return None
    position = axis.literal if axis.literal >= 0 else len(inner) + 1 + axis.literal
    return (*inner[:position], Dimension(1, node=cst.Integer("1")), *inner[position:])


def _transposed(values: Values, given: Given) -> Dimensions | None:
    inner, order = of(values.get("a")), values.get("perm")
    if inner is None or not isinstance(order, Sequence) or len(order.items) != len(inner):
        return None
    places = [i.literal for i in order.items if isinstance(i, Host) and isinstance(i.literal, int)]
    return tuple(inner[p] for p in places) if sorted(places) == list(range(len(inner))) else None


def _looked_up(values: Values, given: Given) -> Dimensions | None:
    ids = of(values.get("ids"))
    return None if ids is None else (*ids, _last(values.get("params")))


def _units(name: str) -> Callable[[Values, Given], Dimensions | None]:
    def rule(values: Values, given: Given) -> Dimensions | None:
        inner, units = of(next(iter(values.values()), None)), values.get(name)
        if not inner:
            return None
        last = (
            units
            if isinstance(units, Dimension)
            else Dimension(units.literal if isinstance(units, Host) else MISSING, node=given.get(name))
        )
        keep = (
            inner[:-1]
            if name in ("units", "num_outputs") and len(inner) == 2
            else (inner[0], *(Dimension() for _ in inner[1:-1]))
        )
        return (*keep, last)

    return rule


def _filled(values: Values, given: Given) -> Dimensions | None:
    return _reshape(values, given)


_RULES: dict[str, Callable[[Values, Given], Dimensions | None]] = {
    "matmul": _matmul,
    "nn.xw_plus_b": _matmul,
    "nn.relu_layer": _matmul,
    "nn.conv2d": _convolution,
    "reshape": _reshape,
    "expand_dims": _expanded,
    "transpose": _transposed,
    "nn.embedding_lookup": _looked_up,
    "layers.dense": _units("units"),
    "layers.conv2d": _units("filters"),
    "contrib.layers.fully_connected": _units("num_outputs"),
    "contrib.layers.conv2d": _units("num_outputs"),
    "zeros": _filled,
    "ones": _filled,
    "random_normal": _filled,
    "random_uniform": _filled,
    "truncated_normal": _filled,
    "constant": _filled,
    "fill": _filled,
}
