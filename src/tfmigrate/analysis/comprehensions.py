"""Comprehensions: evaluated once for each item where the items are known and few, else once for all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis import gradient_paths
from tfmigrate.analysis.folding import truth
from tfmigrate.analysis.frames import Name, element
from tfmigrate.analysis.targets import bind_element
from tfmigrate.analysis.values import Gradients, Mapping, MappingEntry, Sequence, Value, Variable
from tfmigrate.rules.expressions import code

if TYPE_CHECKING:
    from tfmigrate.analysis.expressions import Expressions

MAX_ITEMS = 64


def sequence(interp: Expressions, node: cst.ListComp | cst.GeneratorExp | cst.SetComp) -> Value:
    """A list, set or generator comprehension."""
    saved, defined = dict(interp.frame.names), set(interp.statement.defines)
    read = set(interp.statement.uses)
    exact, iterated = _items(interp, node.for_in)
    gone_over = set(interp.statement.uses) - read
    if exact is None and isinstance(iterated, Gradients) and _only_names(node.elt):
        known = gradient_paths.pairs(interp.facts.symbols, iterated)
        exact = known.items if known is not None else None
    items: list[Value] = []
    open_ = False  # a condition may leave items out
    if exact is not None:
        for index, item in enumerate(exact):
            interp.context.append(index)
            bind_element(interp, node.for_in.target, item)
            tests = [truth(interp.eval(c.test)) for c in node.for_in.ifs]
            open_ |= None in tests
            if False not in tests:
                items.append(interp.eval(node.elt))
            interp.context.pop()
    else:
        _enter(interp, node.for_in, iterated)
        items.append(interp.eval(node.elt))
        open_ = True
    _leave(interp, saved, defined)
    if exact is not None and not open_ and _picks_by_name(node) and all(isinstance(i, Variable) for i in items):
        for use in gone_over:  # what is picked is written out: the list that it is picked from is not read any more
            interp.statement.uses.pop(use, None)
    return Sequence(items, open_=open_) if items else Sequence([])


def dictionary(interp: Expressions, node: cst.DictComp) -> Value:
    """A dict comprehension."""
    saved, defined = dict(interp.frame.names), set(interp.statement.defines)
    exact, iterated = _items(interp, node.for_in)
    mapping = Mapping(open_=exact is None)
    for index, item in enumerate(exact if exact is not None else [element(iterated)]):
        interp.context.append(index)
        if exact is not None:
            bind_element(interp, node.for_in.target, item)
        else:
            _enter(interp, node.for_in, iterated)
        mapping.entries.append(MappingEntry(interp.eval(node.key), interp.eval(node.value), None))
        interp.context.pop()
    _leave(interp, saved, defined)
    return mapping


def _leave(interp: Expressions, saved: dict[str, Name], defined: set[str]) -> None:
    """The names of a comprehension are its own: the statement around does not bind them."""
    interp.frame.names = saved
    interp.statement.defines = defined


def _picks_by_name(node: cst.ListComp | cst.GeneratorExp | cst.SetComp) -> bool:
    """Whether this is `[v for v in variables if "G" in v.name]`."""
    return (
        isinstance(node, cst.ListComp)
        and isinstance(node.elt, cst.Name)
        and isinstance(node.for_in.target, cst.Name)
        and node.elt.value == node.for_in.target.value
        and node.for_in.inner_for_in is None
        and any(f"{node.elt.value}.name" in code(test.test) for test in node.for_in.ifs)
    )


def _only_names(node: cst.BaseExpression) -> bool:
    """Whether the expression tells names of variables, and calls nothing."""
    text = code(node)
    return ".name" in text and "(" not in text.lstrip("(")


def _items(interp: Expressions, loop: cst.CompFor) -> tuple[list[Value] | None, Value]:
    """The items one by one, or None; and what is gone over."""
    value = interp.eval(loop.iter)
    single = loop.inner_for_in is None
    if isinstance(value, Sequence) and not value.open_ and single and len(value.items) <= MAX_ITEMS:
        return value.items, value
    return None, value


def _enter(interp: Expressions, loop: cst.CompFor, value: Value) -> None:
    bind_element(interp, loop.target, element(value))
    for condition in loop.ifs:
        interp.eval(condition.test)
    if loop.inner_for_in is not None:
        _enter(interp, loop.inner_for_in, interp.eval(loop.inner_for_in.iter))


def bound_inside(node: cst.BaseExpression) -> set[str]:
    """The names that comprehensions in the expression bind and that mean nothing else in it."""
    finder = _Bound()
    node.visit(finder)
    return {name for name, count in finder.inside.items() if count == finder.seen.get(name, 0)}


class _Bound(cst.CSTVisitor):
    """Counts how often a name stands in the expression, and how often in a comprehension that binds it."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: dict[str, int] = {}
        self.inside: dict[str, int] = {}
        self.binding: list[set[str]] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.BaseComp):
            self.binding.append(_targets(node.for_in))
        return super().on_visit(node)

    def on_leave(self, original_node: cst.CSTNode) -> None:
        if isinstance(original_node, cst.BaseComp):
            self.binding.pop()
        super().on_leave(original_node)

    def visit_Attribute(self, node: cst.Attribute) -> bool:
        node.value.visit(self)
        return False

    def visit_Name(self, node: cst.Name) -> None:
        self.seen[node.value] = self.seen.get(node.value, 0) + 1
        if any(node.value in names for names in self.binding):
            self.inside[node.value] = self.inside.get(node.value, 0) + 1


def _targets(loop: cst.CompFor) -> set[str]:
    found: set[str] = set()
    todo: list[cst.BaseExpression] = [loop.target]
    while todo:
        target = todo.pop()
        if isinstance(target, cst.Name):
            found.add(target.value)
        elif isinstance(target, (cst.Tuple, cst.List)):
            todo.extend(e.value for e in target.elements)
    return found | (_targets(loop.inner_for_in) if loop.inner_for_in is not None else set())
