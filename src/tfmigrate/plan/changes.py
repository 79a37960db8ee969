"""What changes between the place of an op and the place where its step function is traced.

TensorFlow 1 reads a host value when it makes the op. A step function reads it when it is traced: where an array was
changed in place by then, or an attribute was given another value, it would mean something else.
"""

from __future__ import annotations

import libcst as cst

from tfmigrate.analysis.facts import AttributeWrite, Facts, Statement
from tfmigrate.analysis.values import Graphlike, Instance, leaves
from tfmigrate.plan.bindings import Bindings
from tfmigrate.plan.program import Plan, StepFunction
from tfmigrate.plan.refusing import refuse
from tfmigrate.rules.expressions import code

IN_PLACE = {
    "append",
    "clear",
    "extend",
    "fill",
    "insert",
    "itemset",
    "partition",
    "pop",
    "put",
    "remove",
    "resize",
    "reverse",
    "setdefault",
    "setfield",
    "sort",
    "update",
}
FIRST_ARGUMENT = {"copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask", "shuffle"}


def check_changes(plan: Plan, facts: Facts, bindings: Bindings) -> None:
    """Refuse steps that would read a host value after it was changed."""
    changing: list[tuple[Statement, set[str]]] = []
    for statement in facts.statements.values():
        texts = changed_in_place(statement)
        if texts:
            changing.append((statement, texts))
    writes: dict[tuple[Instance, str], list[AttributeWrite]] = {}
    for write in facts.attribute_writes:
        if not any(isinstance(v, Graphlike) for v in leaves(write.value)):
            writes.setdefault((write.instance, write.name), []).append(write)
    for step in plan.steps:
        _check_step(plan, facts, bindings, step, changing, writes)


def _check_step(
    plan: Plan,
    facts: Facts,
    bindings: Bindings,
    step: StepFunction,
    changing: list[tuple[Statement, set[str]]],
    writes: dict[tuple[Instance, str], list[AttributeWrite]],
) -> None:
    units = {unit.statement for unit in step.units}
    inner = [s for unit in units for s in bindings.descendants(unit)]
    for statement in inner:
        reads = _Reads(facts)
        statement.node.visit(reads)
        for change, texts in changing:
            found = texts & reads.texts
            if found and change not in inner and change.scope is statement.scope and _between(statement, change, step):
                message = f"{min(found)} is changed in place before what reads it can be traced"
                refuse(plan, "TFM123", change.node, message)
                return
        for key in reads.attributes:
            for write in writes.get(key, ()):
                if write.statement not in inner and _between(statement, write.statement, step):
                    message = f"{write.receiver}.{write.name} is given another value before what reads it can be traced"
                    refuse(plan, "TFM123", write.target, message)
                    return


def _between(reading: Statement, change: Statement, step: StepFunction) -> bool:
    """Whether the change comes after the op was made and before its step function is traced."""
    if step.anchor is None or change.order <= reading.order:
        return False
    return change.order < step.anchor.order or (change.order == step.anchor.order and not step.before)


def changed_in_place(statement: Statement) -> set[str]:
    """The names and attributes, as text, of which the statement changes what they hold."""
    if not isinstance(statement.node, cst.SimpleStatementLine):
        return set()
    finder = _Changes()
    statement.node.visit(finder)
    return finder.found


class _Changes(cst.CSTVisitor):
    """Finds assignments to a part of something, and calls of methods that change it."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def visit_AssignTarget(self, node: cst.AssignTarget) -> None:
        self._target(node.target)

    def visit_AugAssign(self, node: cst.AugAssign) -> None:
        self._target(node.target)
        self.found.add(code(node.target))

    def visit_Call(self, node: cst.Call) -> None:
        if not isinstance(node.func, cst.Attribute):
            return
        called = node.func.attr.value
        if called in IN_PLACE:
            self.found.add(code(node.func.value))
        if called in FIRST_ARGUMENT and node.args:
            self.found.add(code(node.args[0].value))

    def _target(self, node: cst.BaseExpression) -> None:
        if isinstance(node, (cst.Tuple, cst.List)):
            for element in node.elements:
                self._target(element.value)
        elif isinstance(node, cst.Subscript):
            self.found.add(code(node.value))


class _Reads(cst.CSTVisitor):
    """Names and attributes that a statement reads, but not those of which it takes one element."""

    def __init__(self, facts: Facts) -> None:
        super().__init__()
        self.facts = facts
        self.texts: set[str] = set()
        self.attributes: dict[tuple[Instance, str], None] = {}

    def visit_AssignTarget(self, node: cst.AssignTarget) -> bool:
        return isinstance(node.target, cst.Subscript)

    def visit_Subscript(self, node: cst.Subscript) -> bool:
        index = node.slice[0].slice
        return not (isinstance(index, cst.Index) and self._is_graph(node))

    def _is_graph(self, node: cst.BaseExpression) -> bool:
        """Whether the element is known, however the list around it goes on."""
        value = self.facts.values.get(node)
        return value is not None and any(isinstance(v, Graphlike) for v in leaves(value))

    def visit_Name(self, node: cst.Name) -> None:
        if not isinstance(self.facts.values.get(node), Graphlike):
            self.texts.add(node.value)

    def visit_Attribute(self, node: cst.Attribute) -> bool:
        owner = self.facts.values.get(node.value)
        if isinstance(self.facts.values.get(node), Graphlike):
            return False
        self.texts.add(code(node))
        if isinstance(owner, Instance):
            self.attributes[owner, node.attr.value] = None
        node.value.visit(self)
        return False


__all__ = ["changed_in_place", "check_changes"]
