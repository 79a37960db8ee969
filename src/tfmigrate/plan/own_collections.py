"""Makes collections of the graph that a program fills itself into plain lists, before the program is analysed anew.

    tf.add_to_collection("losses", decay(w))             losses = []
    loss = tf.add_n(tf.get_collection("losses"))   ->    losses.append(decay(w))
                                                         loss = tf.add_n(losses)

Losses of tf.losses, which put themselves into a collection, are appended by a line of their own. What nothing reads is
left out. What it does not model: reads of a part of the names, and collections over several functions: helpers that
fill one are inlined first, by `plan/inlining.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import libcst as cst

from tfmigrate.analysis.facts import CollectionUse, Facts, Scope, Statement
from tfmigrate.analysis.project import Project
from tfmigrate.analysis.values import Variable
from tfmigrate.plan.inlining import evaluated_once
from tfmigrate.plan.naming import identifier
from tfmigrate.plan.statement_edits import Edits, names_in

READS = frozenset({"read", "filtered"})
SUMS = frozenset({"get_total_loss", "get_regularization_loss"})


@dataclass(eq=False)
class _Group:
    """One collection of one graph: all its uses."""

    key: str
    uses: list[CollectionUse] = field(default_factory=list)
    name: str = ""

    @property
    def reads(self) -> list[CollectionUse]:
        return [u for u in self.uses if u.kind in READS]

    @property
    def fills(self) -> list[CollectionUse]:
        return [u for u in self.uses if u.kind not in READS]

    @property
    def scope(self) -> Scope:
        return self.uses[0].statement.scope


def fills_for_others(facts: Facts, scope: Scope) -> bool:
    """Whether a function fills or reads a collection that other functions read or fill."""
    return any(
        group.reads and {u.statement.scope for u in group.uses} != {scope}
        for group in _groups(facts)
        if any(u.statement.scope is scope for u in group.uses)
    )


def make_lists(project: Project, facts: Facts) -> bool:
    """Write each collection that can be a list as one; whether any was."""
    groups = _groups(facts)
    several = {u.call for g in groups for u in g.uses if sum(_same(u, o) for h in groups for o in h.uses) > 1}
    listed = [g for g in groups if g.reads and _possible(facts, g) and not any(u.call in several for u in g.uses)]
    while True:  # a sum over two collections needs both
        calls = {u.call for g in groups if g not in listed for u in g.reads}
        kept = [g for g in listed if not any(u.call in calls for u in g.reads)]
        if len(kept) == len(listed):
            break
        listed = kept
    edits: dict[str, Edits] = {}
    for group in groups:
        edit = edits.setdefault(group.scope.path, Edits(project, group.scope.path))
        if not group.reads and not any(u.call in several for u in group.uses):
            _forget(facts, group, edit)
    taken: dict[str, set[str]] = {}
    for group in listed:
        path = group.scope.path
        names = taken.setdefault(path, names_in(project.module(path)))
        _list(group, edits[path], names)
    for call in {u.call: None for g in listed for u in g.reads}:
        read = [g for g in listed if any(u.call is call for u in g.reads)]
        edits[read[0].scope.path].expressions.setdefault(call, _read(call, read))
    return any([edit.apply() for edit in edits.values()])  # noqa: C419  each of them is applied


def _groups(facts: Facts) -> list[_Group]:
    found: dict[tuple[str, int], _Group] = {}
    for use in facts.collection_uses:
        if not use.uncalled:
            found.setdefault((use.key, use.graph), _Group(use.key)).uses.append(use)
    for group in found.values():
        group.uses.sort(key=lambda u: u.statement.order)
    return list(found.values())


def _same(one: CollectionUse, other: CollectionUse) -> bool:
    """Whether the two are one call, for the same collection of two graphs."""
    return one.call is other.call and one.key == other.key


def _possible(facts: Facts, group: _Group) -> bool:
    scopes = {u.statement.scope for u in group.uses}
    calls = facts.functions.get(group.scope.node, [])
    if len(scopes) > 1 or len({c.call for c in calls}) > 1 or isinstance(group.scope.node, (cst.Lambda, cst.ClassDef)):
        return False
    filling = group.fills
    reading = {loop for u in group.reads for loop in u.statement.loops}
    return (
        all(u.kind == "read" for u in group.reads)
        and not any(loop in reading for u in filling for loop in u.statement.loops)
        and all(_fills_plainly(u) for u in filling)
        and all(_text(u.call) is not None for u in group.reads)
    )


def _fills_plainly(use: CollectionUse) -> bool:
    line = use.statement.node
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return False
    if use.kind == "add":
        return _is_whole(use)
    return evaluated_once(line, use.call)


def _is_whole(use: CollectionUse) -> bool:
    """Whether the statement is the call and nothing else."""
    line = use.statement.node
    small = line.body[0] if isinstance(line, cst.SimpleStatementLine) else None
    return isinstance(small, cst.Expr) and small.value is use.call


def _forget(facts: Facts, group: _Group, edit: Edits) -> None:
    """Leave out what is put into a collection that nothing reads."""
    for use in group.uses:
        makes = any(isinstance(m, Variable) for m in use.statement.made)
        called = any(use.statement is f.statement for calls in facts.calls.values() for f in calls)
        if use.kind == "add" and _is_whole(use) and not makes and not called:
            edit.instead[use.statement.node] = []


def _list(group: _Group, edit: Edits, taken: set[str]) -> None:
    """Make the list, and append to it where the collection was filled."""
    if not group.fills:
        return
    bound = _bound_by_read(group, taken)
    group.name = bound or _fresh(identifier(group.key), taken)
    first = _outermost(group.uses[0].statement)
    edit.before.setdefault(first.node, []).append(_statement(f"{group.name} = []"))
    for use in group.uses:
        if use.kind == "add":
            value = next(a.value for a in use.call.args[::-1] if a.keyword is None or a.keyword.value != "name")
            edit.arguments[use.call] = (f"{group.name}.append", value)
        elif use.kind == "made":
            _append_made(group, use, edit, taken)
    if bound:
        edit.instead[group.reads[0].statement.node] = []


def _append_made(group: _Group, use: CollectionUse, edit: Edits, taken: set[str]) -> None:
    """A line after the loss that puts itself into the collection; a loss without a name gets one."""
    line = use.statement.node
    assert isinstance(line, cst.SimpleStatementLine)
    small = line.body[0]
    targets = [t.target for t in small.targets] if isinstance(small, cst.Assign) and small.value is use.call else []
    if len(targets) == 1 and isinstance(targets[0], cst.Name):
        edit.after.setdefault(line, []).append(_statement(f"{group.name}.append({targets[0].value})"))
    elif isinstance(small, cst.Expr) and small.value is use.call:
        edit.wrapped[use.call] = f"{group.name}.append"
    else:
        name = _fresh("loss_value", taken)
        edit.hoisted.setdefault(line, []).append((name, use.call, f"{group.name}.append({name})"))


def _bound_by_read(group: _Group, taken: Iterable[str]) -> str:
    """The name that the one read binds, after all that fills the collection: the list may bear it itself."""
    if len(group.reads) != 1 or group.uses[-1] is not group.reads[0]:
        return ""
    statement = group.reads[0].statement
    if (_text(group.reads[0].call) or ("", ""))[1] in SUMS:
        return ""
    line = statement.node
    small = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
    if not isinstance(small, cst.Assign) or small.value is not group.reads[0].call or len(small.targets) != 1:
        return ""
    target = small.targets[0].target
    if not isinstance(target, cst.Name) or statement.parent is not None:
        return ""
    binding = [s for s in group.scope.statements if target.value in s.defines]
    parameters = target.value in group.scope.bound and not binding
    return target.value if len(binding) == 1 and not parameters else ""


def _read(call: cst.Call, groups: list[_Group]) -> cst.BaseExpression:
    """The list, or the sum over the lists; one that nothing fills is left out."""
    symbol = _text(call)
    assert symbol is not None
    prefix, what = symbol
    names = " + ".join(g.name for g in groups if g.name)
    if what not in SUMS:
        return cst.parse_expression(names or "[]")
    if what == "get_total_loss":
        return cst.parse_expression(f"{prefix}add_n({names or '[]'})")  # which fails where there is no loss, as in TF1
    zero = f"{prefix}constant(0.0)"
    if not names:
        return cst.parse_expression(zero)
    certain = any(_certain(u.statement) for g in groups for u in g.fills)
    return cst.parse_expression(f"{prefix}add_n({names})" + ("" if certain else f" if {names} else {zero}"))


def _certain(statement: Statement) -> bool:
    at = statement.parent
    while at is not None and at.transparent:
        at = at.parent
    return at is None


def _text(call: cst.Call) -> tuple[str, str] | None:
    """What stands before `add_n` in the program, and the function's own name; None where it is imported by itself."""
    text = cst.Module([]).code_for_node(call.func)
    prefix, _, name = text.rpartition(".")
    if name in SUMS:
        return (prefix.removesuffix("losses"), name) if prefix.endswith(".losses") else None
    return prefix, name


def _outermost(statement: Statement) -> Statement:
    while statement.parent is not None:
        statement = statement.parent
    return statement


def _fresh(wanted: str, taken: set[str]) -> str:
    def candidates() -> Iterator[str]:
        yield wanted
        yield f"collected_{wanted}"
        count = 0
        while True:
            count += 1
            yield f"{wanted}_{count}"

    name = next(c for c in candidates() if c not in taken)
    taken.add(name)
    return name


def _statement(text: str) -> cst.SimpleStatementLine:
    made = cst.parse_statement(text)
    assert isinstance(made, cst.SimpleStatementLine)
    return made


__all__ = ["fills_for_others", "make_lists"]
