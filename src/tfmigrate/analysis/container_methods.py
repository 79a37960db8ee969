"""Methods of lists, dicts and strings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import libcst as cst

from tfmigrate.analysis.frames import element
from tfmigrate.analysis.targets import mutated
from tfmigrate.analysis.values import Host, Mapping, MappingEntry, Sequence, Value, is_graph

if TYPE_CHECKING:
    from tfmigrate.analysis.interpreter import Interpreter

STRING_METHODS = frozenset({"startswith", "endswith", "split", "replace", "lower", "format", "strip", "find"})
_CHANGING = frozenset({"append", "insert", "extend", "add", "reverse", "remove", "pop", "sort", "clear", "update"})


def sequence(interp: Interpreter, receiver: Sequence, name: str, node: cst.Call, values: list[Value]) -> Value:
    """A method of a list, tuple or set."""
    if name in _CHANGING:
        return _changed(interp, receiver, name, node, values)
    if name in ("as_list", "copy"):
        return Sequence(list(receiver.items), open_=receiver.open_)
    return Host()


def _changed(interp: Interpreter, receiver: Sequence, name: str, node: cst.Call, values: list[Value]) -> Value:
    if name in ("append", "add") and values:
        if values[0] not in receiver.items:
            receiver.items.append(values[0])
    elif name == "insert" and len(values) > 1:
        receiver.items.insert(0, values[1])
        receiver.open_ |= not (isinstance(values[0], Host) and values[0].literal == 0)
    elif name in ("extend", "update") and values:
        items = values[0].items if isinstance(values[0], Sequence) else [element(values[0])]
        receiver.items.extend(i for i in items if i not in receiver.items)
    elif name == "reverse":
        receiver.items.reverse()
    else:
        receiver.open_ = True
    receiver.open_ |= bool(interp.loop_stack)
    if isinstance(node.func, cst.Attribute):
        mutated(interp, node.func.value)
    if name == "pop":
        return element(receiver)
    return receiver if is_graph(receiver) else Host(None)


def mapping(interp: Interpreter, receiver: Mapping, name: str, node: cst.Call, values: list[Value]) -> Value:
    """A method of a dict."""
    if name == "items":
        return Sequence([Sequence([e.key, e.value], True) for e in receiver.entries], open_=receiver.open_)
    if name == "values":
        return Sequence([e.value for e in receiver.entries], open_=receiver.open_)
    if name == "keys":
        return Sequence([e.key for e in receiver.entries], open_=receiver.open_)
    if name == "update":
        for value in values:
            if isinstance(value, Mapping):
                receiver.entries.extend(MappingEntry(e.key, e.value, None) for e in value.entries)
        if isinstance(node.func, cst.Attribute):
            mutated(interp, node.func.value)
        return Host(None)
    if name == "copy":
        return Mapping(list(receiver.entries), receiver.open_)
    if name == "get" and receiver.entries:
        return element(Sequence([e.value for e in receiver.entries]))
    return Host()


def string(receiver: Host, name: str, values: list[Value]) -> Value:
    """One of STRING_METHODS, computed where text and arguments are known."""
    arguments = [v.literal for v in values if isinstance(v, Host) and v.known]
    if not isinstance(receiver.literal, str) or len(arguments) < len(values):
        return Host()
    try:
        result: Any = getattr(receiver.literal, name)(*arguments)
    except (TypeError, ValueError, IndexError, KeyError):
        return Host()
    return Sequence([Host(p) for p in result]) if isinstance(result, list) else Host(result)
