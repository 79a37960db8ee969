"""Names while interpreting: a frame for each module and each call of a function."""

from __future__ import annotations

from dataclasses import dataclass, field

from tfmigrate.analysis.facts import Scope, Statement
from tfmigrate.analysis.values import Host, Mapping, Sequence, Tensor, Unknown, Value, Variable, is_step, leaves


@dataclass(frozen=True, eq=False)
class Name:
    """What a name is bound to, and by which statements that may have been."""

    value: Value
    defs: frozenset[Statement] = frozenset()


@dataclass(eq=False)
class Frame:
    """The names of one module or one call. `parent` is the frame around the definition (closures)."""

    scope: Scope
    parent: Frame | None
    names: dict[str, Name] = field(default_factory=dict)
    globals_: set[str] = field(default_factory=set)
    nonlocals: set[str] = field(default_factory=set)
    statement: Statement | None = None
    returned: list[Value] = field(default_factory=list)

    def owner(self, name: str) -> Frame | None:
        """The frame that binds the name, looking outwards."""
        frame: Frame | None = self.module() if name in self.globals_ else self
        while frame is not None:
            if name in frame.names:
                return frame
            frame = frame.parent
        return None

    def module(self) -> Frame:
        """The module's frame."""
        frame = self
        while frame.parent is not None:
            frame = frame.parent
        return frame


def join(first: Value, second: Value) -> Value:
    """What a name may denote where two branches meet."""
    if first is second:
        return first
    if isinstance(first, Host) and isinstance(second, Host):
        if (
            first.known
            and second.known
            and type(first.literal) is type(second.literal)
            and first.literal == second.literal
        ):
            return first
        element = first.element if second.element is None else second.element
        return Host(element=element)
    if isinstance(first, Sequence) and isinstance(second, Sequence):
        if len(first.items) == len(second.items):
            items = [join(a, b) for a, b in zip(first.items, second.items, strict=True)]
            return Sequence(items, first.tuple_, first.open_ or second.open_)
        longer = first if len(first.items) > len(second.items) else second
        return Sequence(list(longer.items), longer.tuple_, open_=True)
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        seen = {id(entry.value) for entry in first.entries}
        return Mapping([*first.entries, *(e for e in second.entries if id(e.value) not in seen)], open_=True)
    for one, other in ((first, second), (second, first)):
        if isinstance(one, Host) and one.literal is None and not isinstance(other, Host):
            return other
    if isinstance(first, Variable) and isinstance(second, Variable):
        return first
    if is_step(first) or is_step(second):
        return Tensor(step=True, inputs=(first, second))
    if isinstance(first, Tensor) or isinstance(second, Tensor):
        return Tensor(inputs=(first, second))
    if isinstance(first, Unknown):
        return first
    if isinstance(second, Unknown):
        return second
    if type(first) is type(second):
        return first
    return Unknown("a name that is bound to different kinds of things")


def merge(first: dict[str, Name], second: dict[str, Name]) -> dict[str, Name]:
    """The names after a branch: bound by either side."""
    merged = dict(first)
    for name, other in second.items():
        mine = merged.get(name)
        if mine is None:
            merged[name] = other
        elif mine is not other:
            merged[name] = Name(join(mine.value, other.value), mine.defs | other.defs)
    return merged


def element(value: Value) -> Value:
    """What iterating over the value gives, one of them for all."""
    if isinstance(value, Sequence):
        if not value.items:
            return Host()
        found = value.items[0]
        for item in value.items[1:]:
            found = join(found, item)
        return found
    if isinstance(value, Host) and value.element is not None:
        return value.element
    if isinstance(value, Mapping):
        return Host() if not value.entries else value.entries[0].key
    if is_step(value):
        return Tensor(step=True, inputs=tuple(leaves(value)))
    if isinstance(value, Tensor):
        return Tensor(inputs=(value,))
    return Host()
