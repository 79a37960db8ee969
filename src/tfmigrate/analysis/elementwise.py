"""Python's `map`, `filter` and `reduce` over things of the graph: the function is interpreted for each item."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.frames import element
from tfmigrate.analysis.values import Function, Host, Sequence, Value, is_graph, leaves

if TYPE_CHECKING:
    from tfmigrate.analysis.expressions import Expressions

_MAX_ITEMS = 64


def mapped(interp: Expressions, node: cst.Call, values: list[Value]) -> Value | None:
    """`map(f, items)`, or None where what it calls is not known. An iterator as Python 3 makes it: good for one use."""
    function, *iterables = values
    if not isinstance(function, Function) or any(argument.star for argument in node.args):
        return None
    known = [v.items for v in iterables if isinstance(v, Sequence) and not v.open_ and len(v.items) <= _MAX_ITEMS]
    if len(known) == len(iterables):
        rows = [list(row) for row in zip(*known, strict=False)]
        return Sequence([_called(interp, function, row, index) for index, row in enumerate(rows)])
    return Sequence([_called(interp, function, [element(v) for v in iterables], 0)], open_=True)


def filtered(values: list[Value]) -> Value:
    """`filter(f, items)`: some of the items."""
    return Sequence(list(leaves(values[1])), open_=True)


def reduced(interp: Expressions, node: cst.Call, values: list[Value]) -> Value | None:
    """`reduce(f, items, first)`, or None where what it calls or goes over is not known."""
    function, items, *first = values
    if not isinstance(function, Function) or not isinstance(items, Sequence) or any(a.star for a in node.args):
        return None
    row = [*first, *items.items]
    if not row:
        return Host()
    result = row[0]
    for index, item in enumerate(row[1:]):
        result = _called(interp, function, [result, item], index)
    if items.open_:
        result = _called(interp, function, [result, element(items)], len(row))
    return result


def _called(interp: Expressions, function: Function, arguments: list[Value], index: int) -> Value:
    params = function.node.params
    names = [p.name.value for p in (*params.posonly_params, *params.params)]
    values = [function.receiver, *arguments] if function.receiver is not None else arguments
    if any(is_graph(value) for value in arguments):
        interp.facts.callbacks.add(function.node)
    interp.context.append(index)
    result = interp.invoke(function, dict(zip(names, values, strict=False)))
    interp.context.pop()
    return result
