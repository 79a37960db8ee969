"""Binding: what assignments, loops, imports and definitions do to names, attributes and items."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis import graph_attributes
from tfmigrate.analysis.facts import AttributeWrite, Statement
from tfmigrate.analysis.folding import same_key
from tfmigrate.analysis.frames import Frame, Name, element
from tfmigrate.analysis.values import (
    Graphlike,
    Host,
    Instance,
    Mapping,
    MappingEntry,
    Sequence,
    Tensor,
    Value,
    Variable,
    is_step,
)
from tfmigrate.rules.expressions import code

if TYPE_CHECKING:
    from tfmigrate.analysis.expressions import Expressions


def bind(interp: Expressions, name: str, value: Value) -> None:
    """Bind a name in the current frame (or where `global`/`nonlocal` say)."""
    frame = interp.frame
    if name in frame.globals_:
        frame = frame.module()
    elif name in frame.nonlocals and frame.parent is not None:
        frame = frame.parent.owner(name) or frame
    statement = interp.frame.statement
    defs = frozenset([statement]) if statement is not None else frozenset()
    frame.names[name] = Name(value, defs)
    frame.scope.bound.add(name)
    if statement is not None and frame is interp.frame:
        statement.defines.add(name)
    if isinstance(value, Graphlike) and not interp.iterating:
        _home(value, name, frame, statement)


def _home(value: Graphlike, name: str, frame: Frame, statement: Statement | None) -> None:
    """The first name by which a thing can be reached; one that a called function gave out of sight is replaced by the
    caller's.
    """
    if value.owner is not None:
        return
    hidden = value.scope is not None and value.scope not in set(frame.scope.ancestors())
    if hidden and value.path is None:
        value.name, value.scope, value.statement = name, frame.scope, statement
    elif value.name is None and value.path is None:
        value.name = name
        value.scope = value.scope or frame.scope
        value.statement = value.statement or statement


def bind_target(interp: Expressions, target: cst.BaseExpression, value: Value) -> None:
    """Bind an assignment's target, unpacking where it is a tuple."""
    if isinstance(target, cst.Name):
        bind(interp, target.value, value)
    elif isinstance(target, (cst.Tuple, cst.List)):
        _unpack(interp, target, value)
    elif isinstance(target, cst.Attribute):
        _set_attribute(interp, target, value)
    elif isinstance(target, cst.Subscript):
        _set_item(interp, target, value)
    elif isinstance(target, cst.StarredElement):
        bind_target(interp, target.value, Sequence([value], open_=True))
    else:
        interp.eval(target)


def bind_element(interp: Expressions, target: cst.BaseExpression, value: Value) -> None:
    """Bind the target of a loop or of a comprehension to what it goes over."""
    interp.iterating += 1
    try:
        bind_target(interp, target, value)
    finally:
        interp.iterating -= 1


def bind_expression(interp: Expressions, node: cst.NamedExpr) -> Value:
    """`name := value`."""
    value = interp.eval(node.value)
    bind_target(interp, node.target, value)
    return value


def _unpack(interp: Expressions, target: cst.Tuple | cst.List, value: Value) -> None:
    elements = target.elements
    if isinstance(value, Sequence) and not value.open_ and len(value.items) == len(elements):
        items = value.items
    elif isinstance(value, Graphlike):
        items = graph_attributes.parts(value, len(elements), interp.facts.symbols)
    else:
        for entry in elements:
            bind_target(interp, entry.value, element(value))
        return
    for entry, item in zip(elements, items, strict=True):
        bind_target(interp, entry.value, item)


def _set_attribute(interp: Expressions, target: cst.Attribute, value: Value) -> None:
    receiver = interp.eval(target.value)
    if isinstance(receiver, Instance):
        receiver.attributes[target.attr.value] = value
        if isinstance(value, Graphlike) and value.name is None and value.path is None:
            value.path = f"{code(target.value)}.{target.attr.value}"
        _kept(interp, target, receiver, value)
    elif isinstance(receiver, Graphlike):
        graph_attributes.set_attribute(interp, receiver, target)


def _kept(interp: Expressions, target: cst.Attribute, receiver: Instance, value: Value) -> None:
    """What an object keeps in an attribute: there others find it, whatever they call it."""
    write = AttributeWrite(target, code(target.value), target.attr.value, receiver, value, interp.statement)
    interp.facts.attribute_writes.append(write)
    if isinstance(value, Graphlike) and value.owner is None and value.scope is interp.frame.scope:
        value.owner = receiver


def _set_item(interp: Expressions, target: cst.Subscript, value: Value) -> None:
    receiver = interp.eval(target.value)
    index = target.slice[0].slice
    key = interp.eval(index.value) if isinstance(index, cst.Index) else Host()
    if isinstance(receiver, Mapping):
        kept = [e for e in receiver.entries if not same_key(e.key, key)]
        receiver.entries[:] = [*kept, MappingEntry(key, value, None)]
        branch = interp.statement.parent is not None and isinstance(interp.statement.parent.node, cst.If)
        receiver.open_ |= branch and isinstance(key, (Tensor, Variable))
        mutated(interp, target.value)
    elif isinstance(receiver, Sequence):
        at = key.literal if isinstance(key, Host) else None
        if isinstance(at, int) and -len(receiver.items) <= at < len(receiver.items):
            receiver.items[at] = value
        else:
            receiver.items.append(value)
            receiver.open_ = True
        mutated(interp, target.value)
    elif is_step(value):
        interp.refuse("TFM113", target, "a tensor of the graph is put into an object whose contents are not known")


def mutated(interp: Expressions, node: cst.BaseExpression) -> None:
    """The object that the expression names was changed in place: later uses depend on this statement too."""
    if isinstance(node, cst.Name):
        owner = interp.frame.owner(node.value)
        if owner is not None and interp.frame.statement is not None:
            name = owner.names[node.value]
            owner.names[node.value] = Name(name.value, name.defs | {interp.frame.statement})
            interp.frame.statement.mutates.add(node.value)
