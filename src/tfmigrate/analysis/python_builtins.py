"""What calls of Python's builtins give, of containers, host values and things of the graph."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import libcst as cst

from tfmigrate.analysis import elementwise
from tfmigrate.analysis.frames import element
from tfmigrate.analysis.values import (
    Gradients,
    Graph,
    Graphlike,
    Host,
    Mapping,
    MappingEntry,
    Operation,
    Placeholder,
    Sequence,
    Session,
    Symbol,
    Tensor,
    Unknown,
    Value,
    Variable,
    is_graph,
    is_step,
    leaves,
)

if TYPE_CHECKING:
    from tfmigrate.analysis.expressions import Expressions

BUILTINS = frozenset(dir(builtins)) | {
    "xrange",
    "unicode",
    "raw_input",
    "long",
    "reduce",
    "unichr",
    "basestring",
    "cmp",
    "execfile",
    "reload",
}
_COPYING = frozenset({"list", "tuple", "sorted", "reversed", "set", "iter"})
_NUMERIC = frozenset({"int", "float", "str", "bool", "round", "abs", "min", "max", "sum"})
_SHOWING = frozenset({"print", "repr", "type", "id", "hasattr", "format", "vars", "dir"})
_OPAQUE = frozenset({"super", "open", "input", "raw_input", "getattr", "setattr"})
_EXCEPTIONS = frozenset(n for n, v in vars(builtins).items() if isinstance(v, type) and issubclass(v, BaseException))
_CONVERSIONS: dict[str, Callable[[Any], Any]] = {"int": int, "float": float, "str": str, "bool": bool, "abs": abs}
_KINDS: dict[str, type] = {
    "str": str,
    "int": int,
    "float": float,
    "bool": bool,
    "list": list,
    "tuple": tuple,
    "dict": dict,
}


def call(interp: Expressions, name: str, node: cst.Call) -> Value:
    """A call of the builtin `name`."""
    values = interp.eval_arguments(node)
    first = values[0] if values else Host()
    if name in _COPYING:
        return _copied(name, values)
    if name == "zip":
        return _starred_zip(values) if any(a.star == "*" for a in node.args) else _zip(values)
    if name == "enumerate":
        if isinstance(first, Sequence):
            return Sequence([Sequence([Host(), i], True) for i in first.items], open_=first.open_)
        return Host(element=Sequence([Host(), element(first)], True))
    if name == "dict":
        return _dict(values, node)
    if name == "len":
        return Host(len(first.items)) if isinstance(first, Sequence) and not first.open_ else Host()
    if name == "isinstance":
        return _isinstance(values)
    if name in _NUMERIC:
        return _number(interp, name, node, values)
    if name in _SHOWING:
        return _shown(interp, node, values)
    if name in _EXCEPTIONS:
        return Host()  # its message tells of things of the graph as text
    if name in ("range", "xrange"):
        return _range(node, values)
    if name in _OPAQUE:
        if name in ("getattr", "setattr") and any(is_graph(v) for v in values):
            interp.refuse("TFM190", node, f"{name}() on things of the graph")
        return Unknown(f"{name}()")
    if name in ("map", "filter", "reduce") and len(values) > 1 and any(is_graph(v) for v in values[1:]):
        return _elementwise(interp, name, node, values)
    if name in ("exec", "eval", "execfile", "compile"):
        interp.refuse("TFM191", node, f"{name}() runs code that cannot be analysed")
    if any(is_step(v) for v in values):
        interp.refuse("TFM110", node, f"a tensor is given to {name}()")
    return Host()


def _elementwise(interp: Expressions, name: str, node: cst.Call, values: list[Value]) -> Value:
    if name == "filter":
        return elementwise.filtered(values)
    found = elementwise.mapped(interp, node, values) if name == "map" else elementwise.reduced(interp, node, values)
    if found is None:
        interp.refuse("TFM190", node, f"{name}() over things of the graph by a function that is not the program's own")
        return Host()
    return found


def _copied(name: str, values: list[Value]) -> Value:
    if not values:
        return Sequence([]) if name in ("list", "set", "tuple") else Host()
    first = values[0]
    if isinstance(first, Gradients):
        return first
    if isinstance(first, Sequence):
        items = list(reversed(first.items)) if name == "reversed" else list(first.items)
        return Sequence(items, name == "tuple", first.open_)
    if isinstance(first, Mapping):
        return Sequence([e.key for e in first.entries], open_=first.open_)
    if is_graph(first):
        return first
    return Host(element=first.element if isinstance(first, Host) else None)


def _number(interp: Expressions, name: str, node: cst.Call, values: list[Value]) -> Value:
    first = values[0] if values else Host()
    if name in ("sum", "abs") and is_graph(first):
        return interp.tensor([first], node)
    if len(values) == 1 and isinstance(first, Host) and first.known and name in _CONVERSIONS:
        try:
            return Host(_CONVERSIONS[name](first.literal))
        except (TypeError, ValueError):
            return Host()
    if any(isinstance(v, (Tensor, Placeholder)) and v.step for v in values):
        interp.refuse("TFM111", node, f"{name}() of a tensor of the graph")
    return Host()


def _shown(interp: Expressions, node: cst.Call, values: list[Value]) -> Value:
    """What looks at a thing of the graph itself rather than at its value."""
    for value in values:
        for leaf in leaves(value):
            if isinstance(leaf, Graphlike) and (leaf.step or isinstance(leaf, (Operation, Session, Graph))):
                interp.statement.reads_step.append(leaf)
                interp.facts.printed[node] = leaf
    return Host()


def _range(node: cst.Call, values: list[Value]) -> Value:
    bounds = [v.literal for v in values if isinstance(v, Host) and isinstance(v.literal, int)]
    if not values or len(bounds) < len(values):
        return Host()
    numbers = range(*bounds)
    written = all(isinstance(a.value, cst.Integer) for a in node.args)
    return Sequence([Host(n) for n in numbers]) if 0 < len(numbers) <= 8 and written else Host()


def _starred_zip(values: list[Value]) -> Value:
    """`zip(*pairs)`: the columns."""
    if len(values) != 1:
        return Host()
    source = values[0]
    if isinstance(source, Gradients):
        variables = list(leaves(source.sources)) if source.sources is not None else []
        grads = [Tensor(step=True, inputs=(source, v)) for v in variables]
        return Sequence([Sequence(list(grads), True), Sequence(list(variables), True)])
    if isinstance(source, Sequence):
        rows = [i.items for i in source.items if isinstance(i, Sequence)]
        if len(rows) == len(source.items):
            return Sequence([Sequence(list(c), True, source.open_) for c in zip(*rows, strict=False)])
    return Host()


def _zip(values: list[Value]) -> Value:
    closed = [v.items for v in values if isinstance(v, Sequence) and not v.open_]
    if values and len(closed) == len(values):
        return Sequence([Sequence(list(row), True) for row in zip(*closed, strict=False)])
    if any(is_graph(v) for v in values):
        lengths = {length for length in map(_length, values) if length is not None}
        if len(lengths) == 1:
            rows = [[_part(v, i) for v in values] for i in range(lengths.pop())]
            return Sequence(
                [Sequence(row, True) for row in rows], open_=any(isinstance(v, Sequence) and v.open_ for v in values)
            )
    return Host(element=Sequence([element(v) for v in values], True))


def _length(value: Value) -> int | None:
    if isinstance(value, Sequence):
        return len(value.items)
    return len(list(leaves(value.sources))) if isinstance(value, Gradients) and value.sources else None


def _part(value: Value, index: int) -> Value:
    """What iterating over the value gives at one turn."""
    if isinstance(value, Gradients):
        return Tensor(step=True, inputs=(value,))
    return value.items[index] if isinstance(value, Sequence) else element(value)


def _dict(values: list[Value], node: cst.Call) -> Value:
    mapping = Mapping()
    for argument, value in zip(node.args, values, strict=True):
        if argument.keyword is not None:
            mapping.entries.append(MappingEntry(Host(argument.keyword.value), value, argument.value))
        elif isinstance(value, Mapping):
            mapping.entries.extend(
                MappingEntry(e.key, e.value, e.value_node if argument.star != "**" else None) for e in value.entries
            )
            mapping.open_ |= value.open_
        elif isinstance(value, Sequence) and all(isinstance(i, Sequence) and len(i.items) == 2 for i in value.items):
            mapping.entries.extend(
                MappingEntry(i.items[0], i.items[1], None) for i in value.items if isinstance(i, Sequence)
            )
            mapping.open_ |= value.open_
        else:
            mapping.open_ = True
    return mapping


def _isinstance(values: list[Value]) -> Value:
    if len(values) != 2 or not isinstance(values[1], Symbol):
        return Host()
    first, cls = values[0], values[1].name
    if cls in ("Tensor", "Variable"):
        if isinstance(first, (Tensor, Placeholder, Variable)):
            return Host(isinstance(first, Variable) is (cls == "Variable"))
        if isinstance(first, Sequence) or (isinstance(first, Host) and first.known):
            return Host(False)
    if cls.startswith("builtins.") and isinstance(first, Host) and first.known:
        kind = _KINDS.get(cls.removeprefix("builtins."))
        return Host(isinstance(first.literal, kind)) if kind else Host()
    if cls in ("builtins.list", "builtins.tuple") and isinstance(first, Sequence):
        return Host(first.tuple_ is (cls == "builtins.tuple"))
    if cls.startswith("builtins.") and isinstance(first, Graphlike):
        return Host(False)
    return Host()
