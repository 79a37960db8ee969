"""Lists, tuples, sets and dicts that are written out, and what subscripts take out of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis import dtypes
from tfmigrate.analysis.dimensions import Dimension
from tfmigrate.analysis.folding import plain, same_key
from tfmigrate.analysis.frames import element
from tfmigrate.analysis.recurrent_cells import State, part_of
from tfmigrate.analysis.values import (
    MISSING,
    Host,
    Mapping,
    MappingEntry,
    Sequence,
    Symbol,
    Unknown,
    Value,
    is_graph,
)

if TYPE_CHECKING:
    from tfmigrate.analysis.expressions import Expressions


def sequence(interp: Expressions, node: cst.List | cst.Tuple | cst.Set) -> Value:
    """A list, tuple or set."""
    items: list[Value] = []
    open_ = False
    for entry in node.elements:
        value = interp.eval(entry.value)
        if not isinstance(entry, cst.StarredElement):
            items.append(value)
        elif isinstance(value, Sequence):
            items.extend(value.items)
            open_ |= value.open_
        else:
            items.append(element(value))
            open_ = True
    return Sequence(items, isinstance(node, cst.Tuple), open_)


def dictionary(interp: Expressions, node: cst.Dict) -> Value:
    """A dict."""
    mapping = Mapping()
    for entry in node.elements:
        if isinstance(entry, cst.DictElement):
            mapping.entries.append(MappingEntry(interp.eval(entry.key), interp.eval(entry.value), entry.value))
        else:
            value = interp.eval(entry.value)
            mapping.open_ |= not isinstance(value, Mapping)
            if isinstance(value, Mapping):
                mapping.entries.extend(MappingEntry(e.key, e.value, None) for e in value.entries)
    return mapping


def subscript(interp: Expressions, node: cst.Subscript) -> Value:
    """`x[i]`, of containers and of tensors."""
    statement = interp.frame.statement
    reads = len(statement.reads_step) if statement is not None else 0
    value = interp.eval(node.value)
    if (
        isinstance(node.value, cst.Call)
        and isinstance(node.slice[0].slice, cst.Index)
        and isinstance(node.slice[0].slice.value, (cst.Integer, cst.UnaryOperation))
    ):
        interp.facts.picked.add(node.value)
    indices = _indices(interp, node)
    index = indices[0] if len(indices) == 1 else None
    if isinstance(value, Sequence):
        item = _item(interp, value, index, node)
        if isinstance(item, Dimension) and item.readable and item.tensor is not None and statement is not None:
            del statement.reads_step[reads:]  # no look at the tensor: the dimension is read off something else
            interp.facts.dimensions[node] = item
        return item
    if isinstance(value, Mapping):
        for entry in value.entries:
            if same_key(entry.key, index):
                return entry.value
        return element(Sequence([e.value for e in value.entries])) if value.entries else Host()
    if isinstance(value, Symbol):
        interp.refuse("TFM190", node, f"tf.{value.name} is subscripted")
    part = part_of(value, index) if isinstance(value, State) else None
    if part is not None:
        interp.made(part, node)
        return part
    if is_graph(value) or any(is_graph(i) for i in indices):
        made = interp.tensor([value, *indices], node)
    else:
        made = element(value) if isinstance(value, Host) and value.element is not None else Host()
    dtypes.of_part(interp, value, made)
    return made


def _indices(interp: Expressions, node: cst.Subscript) -> list[Value]:
    indices: list[Value] = []
    for part in node.slice:
        if isinstance(part.slice, cst.Index):
            indices.append(interp.eval(part.slice.value))
        elif isinstance(part.slice, cst.Slice):
            for bound in (part.slice.lower, part.slice.upper, part.slice.step):
                if bound is not None:
                    interp.eval(bound)
            indices.append(Host())
    return indices


def _item(interp: Expressions, value: Sequence, index: Value | None, node: cst.Subscript) -> Value:
    if isinstance(index, Host) and isinstance(index.literal, int) and not value.open_:
        try:
            return value.items[index.literal]
        except IndexError:
            return Unknown("an index out of range")
    part = node.slice[0].slice
    if isinstance(part, cst.Slice):
        bounds = [
            None if b is None else plain(interp.facts.values.get(b, Host()))
            for b in (part.lower, part.upper, part.step)
        ]
        if MISSING not in bounds and not value.open_:
            return Sequence(value.items[slice(*bounds)], value.tuple_)
        return Sequence(value.items, value.tuple_, open_=True)
    return element(value)
