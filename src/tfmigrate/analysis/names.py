"""What names and attributes denote."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis import graph_attributes
from tfmigrate.analysis.eager_models import attribute as model_attribute
from tfmigrate.analysis.eager_models import is_model
from tfmigrate.analysis.facts import Statement
from tfmigrate.analysis.python_builtins import BUILTINS
from tfmigrate.analysis.values import (
    Class,
    Context,
    Function,
    Graphlike,
    Host,
    Instance,
    Mapping,
    Method,
    Module,
    Record,
    Sequence,
    Super,
    Symbol,
    Unknown,
    Value,
)
from tfmigrate.symbols import public

if TYPE_CHECKING:
    from tfmigrate.analysis.expressions import Expressions

_CONSTANTS = {"True": True, "False": False, "None": None}


def name(interp: Expressions, node: cst.Name) -> Value:
    """A name: bound by the program, or a builtin."""
    owner = interp.frame.owner(node.value)
    if owner is None:
        if node.value in _CONSTANTS:
            return Host(_CONSTANTS[node.value])
        return Symbol("builtins." + node.value) if node.value in BUILTINS else Unknown(f"the name {node.value}")
    found = owner.names[node.value]
    interp.record_use(owner, node.value, found.defs)
    if isinstance(found.value, Symbol) and (not found.defs or any(_imports(d) for d in found.defs)):
        interp.facts.symbols[node] = found.value.name  # a name of the user's own (FLAGS = flags.FLAGS) stays
    return found.value


def _imports(statement: Statement) -> bool:
    node = statement.node
    return isinstance(node, cst.SimpleStatementLine) and any(
        isinstance(s, (cst.Import, cst.ImportFrom)) for s in node.body
    )


def attribute(interp: Expressions, node: cst.Attribute) -> Value:
    """`x.name`, of modules, instances, classes, containers and of the graph's things."""
    receiver = interp.eval(node.value)
    attr = node.attr.value
    if isinstance(receiver, Symbol):
        if receiver.name.startswith("builtins."):
            return Host()
        if receiver.name in ("__version__", "VERSION", "GIT_VERSION"):
            return Host()
        full = public(f"{receiver.name}.{attr}" if receiver.name else attr)
        interp.facts.symbols[node] = full
        return Symbol(full)
    if isinstance(receiver, Module):
        return interp.module_member(receiver, attr)
    if isinstance(receiver, Instance):
        found = _of_instance(receiver, attr)
        if isinstance(found, Unknown) and is_model(receiver.cls):
            model_attribute(interp, receiver, attr, node)
        return found
    if isinstance(receiver, Super):
        return _bound(receiver.instance, _of_bases(receiver.bases, attr)) or Host()
    if isinstance(receiver, Class):
        return class_member(receiver, attr) or Host()
    if isinstance(receiver, Graphlike):
        return graph_attributes.attribute(interp, receiver, attr, node)
    if isinstance(receiver, Context) and receiver.absolute and attr in ("name", "original_name_scope"):
        known = receiver.name is not None and attr == "name"
        return Host(receiver.name) if known else Host()
    if isinstance(receiver, Record) and attr in receiver.members:
        return receiver.members[attr]
    if isinstance(receiver, (Sequence, Mapping, Host, Context)):
        return Method(receiver, attr)
    return Unknown(f"the attribute {attr}")


def _of_instance(receiver: Instance, attr: str) -> Value:
    if attr in receiver.attributes:
        return receiver.attributes[attr]
    member = _bound(receiver, class_member(receiver.cls, attr))
    return member if member is not None else Unknown(f"the attribute {attr}")


def _bound(instance: Instance, member: Value | None) -> Value | None:
    """A function of a class as a method of the object."""
    if isinstance(member, Function):
        return Function(member.node, member.path, member.frame, instance, member.name)
    return member


def super_of(interp: Expressions) -> Value:
    """`super()` or `super(Class, self)` in a method."""
    scope = interp.frame.scope
    node = scope.node
    first = [*node.params.posonly_params, *node.params.params][:1] if isinstance(node, cst.FunctionDef) else []
    bound = interp.frame.names.get(first[0].name.value) if first else None
    if bound is None or not isinstance(bound.value, Instance) or scope.parent is None:
        return Host()
    todo: list[Value] = [bound.value.cls]
    while todo:
        cls = todo.pop(0)
        if isinstance(cls, Class):
            if cls.node is scope.parent.node:
                return Super(bound.value, cls.bases)
            todo.extend(cls.bases)
    return Host()


def class_member(cls: Class, attr: str) -> Value | None:
    """A member of the class or of its bases."""
    if attr in cls.members:
        return cls.members[attr]
    return _of_bases(cls.bases, attr)


def _of_bases(bases: tuple[Value, ...], attr: str) -> Value | None:
    for base in bases:
        if isinstance(base, Class):
            found = class_member(base, attr)
            if found is not None:
                return found
    return None
