"""Attributes of things in the graph, and what they give where they are unpacked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis import dimensions, recurrent_cells
from tfmigrate.analysis.dimensions import Dimension
from tfmigrate.analysis.gradient_paths import gradient
from tfmigrate.analysis.recurrent_cells import Cell, State, StepCell
from tfmigrate.analysis.values import (
    Config,
    Gradients,
    Graph,
    Graphlike,
    Host,
    Iterator_,
    Method,
    Operation,
    Placeholder,
    Sequence,
    Session,
    Table,
    Tensor,
    Unknown,
    Value,
    Variable,
    leaves,
)

if TYPE_CHECKING:
    from tfmigrate.analysis.expressions import Expressions


class _Op(Graphlike):
    """The op behind a variable."""

    def __init__(self, of: Variable) -> None:
        super().__init__()
        self.of = of


def attribute(interp: Expressions, receiver: Graphlike, name: str, node: cst.Attribute) -> Value:
    """The value of `receiver.name`."""
    if isinstance(receiver, Session):
        return Graph() if name == "graph" else Method(receiver, name)
    if isinstance(receiver, Config):
        return Config(settings=receiver.settings) if name.endswith("options") else Host()
    if isinstance(receiver, Iterator_) and name == "initializer":
        made = Operation(kind="iterator", iterator=receiver, step=True)
        interp.made(made, node)
        return made
    if isinstance(receiver, Variable):
        return _of_variable(receiver, name)
    if isinstance(receiver, _Op):
        legacy = receiver.of.legacy_name
        return Host(legacy) if name == "name" and legacy is not None else Host()
    if isinstance(receiver, (Cell, StepCell)):
        return recurrent_cells.attribute(receiver, name)
    if isinstance(receiver, State) and name in ("c", "h"):
        return recurrent_cells.part_of(receiver, Host(name)) or Host()
    if isinstance(receiver, Table):
        filled = name in ("init", "initializer")  # when it is made
        return Operation(kind="initializer", legacy_name="tables") if filled else Method(receiver, name)
    if isinstance(receiver, (Tensor, Placeholder, Gradients)):
        return _of_tensor(interp, receiver, name, node)
    if isinstance(receiver, Operation):
        return Method(receiver, name) if name == "run" else Host()
    return Method(receiver, name)


def _of_variable(receiver: Variable, name: str) -> Value:
    if name == "name" and receiver.legacy_name is not None:
        return Host(receiver.legacy_name + ":0")
    if name == "initializer":
        return Operation(kind="initializer", members=(receiver,), legacy_name="initializer")
    if name == "op":
        return _Op(receiver)
    if name == "shape":
        return shape(receiver)
    if name in ("dtype", "device"):
        return Host()
    return Method(receiver, name)


def _of_tensor(interp: Expressions, receiver: Graphlike, name: str, node: cst.Attribute) -> Value:
    if name in ("shape", "dtype", "name", "op", "device", "graph"):
        static_read(interp, receiver, node)
        return shape(receiver) if name == "shape" else Host()
    if name in ("values", "indices", "dense_shape"):
        return Tensor(step=receiver.step, inputs=(receiver,))
    return Method(receiver, name)


def shape(value: Value) -> Value:
    """The static shape: a tuple of dimensions where it is known."""
    known = dimensions.of(value)
    if known is not None:
        return Sequence(
            [Dimension(d.literal, None, d.random, d.of, d.index, d.node, _tensor(value)) for d in known], tuple_=True
        )
    sizes = getattr(value, "shape", None)
    return Host() if sizes is None else Sequence([Host(d) for d in sizes], tuple_=True)


def _tensor(value: Value) -> Tensor | Placeholder | None:
    return value if isinstance(value, (Tensor, Placeholder)) else None


def static_read(interp: Expressions, receiver: Graphlike, node: cst.BaseExpression) -> None:
    """Host code looks at a tensor itself rather than at its value."""
    if receiver.step:
        interp.statement.reads_step.append(receiver)
        interp.facts.static_reads[node] = receiver


def set_attribute(interp: Expressions, receiver: Graphlike, target: cst.Attribute) -> None:
    """`receiver.name = …`."""
    if isinstance(receiver, Config):
        receiver.settings[_dotted(target)] = target
        interp.facts.config_settings.append((receiver, target))
        return
    if isinstance(receiver, (Session, Graph)):
        return
    interp.refuse("TFM113", target, "an attribute of something in the graph is set")


def _dotted(node: cst.BaseExpression) -> str:
    names: list[str] = []
    while isinstance(node, cst.Attribute):
        names.append(node.attr.value)
        node = node.value
    return ".".join(reversed(names))


def parts(value: Graphlike, count: int, symbols: dict[cst.CSTNode, str]) -> list[Value]:
    """What unpacking something of the graph gives."""
    if isinstance(value, Gradients):
        sources = list(leaves(value.sources)) if value.sources is not None else []
        if not value.pairs and len(sources) == count:
            return [gradient(symbols, value, s) for s in sources]
        return [Tensor(step=True, inputs=(value,)) for _ in range(count)]
    if isinstance(value, State) and len(value.parts) == count:
        return recurrent_cells.parts(value)
    if isinstance(value, (Variable, Tensor, Placeholder)):
        step = value.step or isinstance(value, (Variable, Placeholder))
        nested = isinstance(value, Tensor) and value.nested
        return [Tensor(step=step, inputs=(value,), nested=nested) for _ in range(count)]
    return [Unknown("a part") for _ in range(count)]
