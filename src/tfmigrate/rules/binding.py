"""Binds the arguments of a call to the parameters of TensorFlow 1.15's signature."""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst

from tfmigrate import symbols
from tfmigrate.rules.base import BoundCall, Refused
from tfmigrate.symbols import Symbol

EARLIER_ARGUMENTS: dict[str, dict[str, str]] = {
    "concat": {"concat_dim": "axis"},
    "split": {"split_dim": "axis", "num_split": "num_or_size_splits"},
    "where": {"t": "x", "e": "y"},
    "matmul": {"adj_x": "adjoint_a", "adj_y": "adjoint_b", "x": "a", "y": "b"},
    "reverse": {"dims": "axis"},
    "nn.sigmoid_cross_entropy_with_logits": {"targets": "labels"},
    "contrib.layers.fully_connected": {"num_output_units": "num_outputs"},
}
"""Argument names of TensorFlow 0.x that 1.15 no longer takes, by symbol."""


@dataclass(frozen=True)
class Argument:
    """One argument of a call: where it stands, and the parameter it binds to ("" for `*rest` and `**rest`)."""

    index: int
    parameter: str
    node: cst.Arg
    position: int | None = None  # its place among the positional ones

    @property
    def starred(self) -> bool:
        """Whether it is `*rest` or `**rest`."""
        return bool(self.node.star)


@dataclass(frozen=True)
class Binding:
    """All arguments of a call, bound."""

    symbol: Symbol
    arguments: tuple[Argument, ...]

    @property
    def starred(self) -> str:
        """ "*" or "**" where the call unpacks, else ""."""
        return "".join(sorted({a.node.star for a in self.arguments}))


def bind_arguments(name: str, node: cst.Call) -> Binding | Refused:
    """Bind by 1.15's signature; a call that 1.15 would reject is refused (TFM203)."""
    symbol = symbols.legacy(name)
    if symbol is None:
        return Refused("TFM201", f"tf.{name} is no public symbol of TensorFlow 1.15")
    short = symbols.canonical(name)
    bound: list[Argument] = []
    taken: set[str] = set()
    position = 0
    unpacked = False
    for index, arg in enumerate(node.args):
        if arg.star:
            unpacked = True
            bound.append(Argument(index, "", arg))
            continue
        if arg.keyword is None:
            if unpacked:
                return Refused("TFM202", f"arguments follow *arguments in the call of tf.{name}")
            parameter = _positional(symbol, position)
            place: int | None = position
            position += 1
        else:
            place = None
            parameter = _keyword(symbol, short, arg.keyword.value)
        if parameter is None:
            what = f"argument {arg.keyword.value}" if arg.keyword else f"argument {position}"
            return Refused("TFM203", f"tf.{name} takes no {what} in TensorFlow 1.15")
        if parameter in taken and parameter != symbol.variadic:
            return Refused("TFM203", f"tf.{name} gets {parameter} twice")
        taken.add(parameter)
        bound.append(Argument(index, parameter, arg, place))
    return Binding(symbol, tuple(bound))


def _positional(symbol: Symbol, position: int) -> str | None:
    if symbol.unknown:
        return f"argument {position}"
    if position < len(symbol.positional):
        return symbol.positional[position].name
    return symbol.variadic or None


def _keyword(symbol: Symbol, short: str, given: str) -> str | None:
    if symbol.unknown or symbol.parameter(given):
        return given
    if earlier := EARLIER_ARGUMENTS.get(short, {}).get(given):
        return earlier
    return given if symbol.keywords else None


class NotPassed(Exception):
    """A rule needs an argument that the call does not give."""


class Passed(dict[str, cst.BaseExpression]):
    """The arguments of a call by parameter name; asking for one that was not passed raises NotPassed."""

    def __missing__(self, name: str) -> cst.BaseExpression:
        raise NotPassed(name)


def bound_call(name: str, binding: Binding, node: cst.Call) -> BoundCall | Refused:
    """The arguments by parameter name, for rules; calls that unpack arguments are refused (TFM202)."""
    if binding.starred:
        return Refused("TFM202", f"the call of tf.{name} unpacks its arguments ({binding.starred})")
    values = Passed()
    rest: list[cst.BaseExpression] = []
    for argument in binding.arguments:
        if argument.parameter == binding.symbol.variadic:
            rest.append(argument.node.value)
        else:
            values[argument.parameter] = argument.node.value
    if rest:
        values[binding.symbol.variadic] = cst.Tuple([cst.Element(value) for value in rest])
    return BoundCall(symbols.canonical(name), values, node)
