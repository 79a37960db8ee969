"""Gives a function that runs what its callers hand it one form for each of these, before the program is analysed anew.

    def run_epoch(sess, xs, train_op=None):           def run_epoch(sess, xs):
        if train_op is None:                              train_op = tf.no_op()
            train_op = tf.no_op()              ->         l, _ = sess.run([loss, train_op], {x: xs})
        l, _ = sess.run([loss, train_op], {x: xs})
                                                      def run_epoch_train(sess, xs):
    run_epoch(sess, xs, train)                            l, _ = sess.run([loss, train], {x: xs})

What is handed must have a name that the function itself can use: one of a scope around it, or an attribute of an object
that it has. What it does not model: functions called from other files, or in a loop with something else in each turn.
"""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst

from tfmigrate.analysis.facts import CallFact, Facts, Scope
from tfmigrate.analysis.project import Project
from tfmigrate.analysis.values import Host, Operation, Placeholder, Summary, Tensor, Value, leaves
from tfmigrate.plan.inlining import used_as_value
from tfmigrate.plan.name_places import names_in
from tfmigrate.plan.naming import identifier
from tfmigrate.plan.settled import Settle, settles, without_parameters

MOST = 4  # forms of one function

_Texts = dict[str, str]  # what each parameter stands for


@dataclass(eq=False)
class _Forms:
    """The forms of one function: its name in each, and which calls call it."""

    node: cst.FunctionDef
    path: str
    forms: dict[str, _Texts]
    calls: dict[cst.Call, tuple[str, set[cst.BaseExpression]]]  # the form's name, arguments that are gone


def choose_by_callers(project: Project, facts: Facts) -> bool:
    """Make the forms of such functions; whether any text changed."""
    for node, calls in facts.functions.items():
        if isinstance(node, cst.FunctionDef):
            forms = _forms(project, facts, node, calls)
            if forms is not None:
                project.replace(forms.path, _Write(project, forms))
                return True
    return False


def _forms(project: Project, facts: Facts, node: cst.FunctionDef, calls: list[CallFact]) -> _Forms | None:
    scope = facts.scopes[node]
    params = node.params
    names = [p.name.value for p in (*params.posonly_params, *params.params, *params.kwonly_params)]
    chosen = [name for name in names if _is_chosen(facts, scope, name, calls)]
    plain = not (node.decorators or params.star_kwarg or isinstance(params.star_arg, cst.Param))
    if not chosen or not plain or not all(settles(node, name) for name in chosen) or not _one_form(facts, scope):
        return None
    if used_as_value(facts, node, {c.call for c in calls}):
        return None
    if any(c.statement.scope.path != scope.path or any(a.star for a in c.call.args) for c in calls):
        return None
    forms: dict[str, _Texts] = {}
    found: dict[cst.Call, tuple[str, set[cst.BaseExpression]]] = {}
    taken = names_in(project.module(scope.path))
    for call in calls:
        texts = {name: _text(facts, scope, call, name) for name in chosen}
        known = {name: text for name, text in texts.items() if text is not None}
        if len(known) < len(texts):
            return None
        title = next((title for title, other in forms.items() if other == known), None)
        if title is None:
            title = _title(node.name.value, known, taken)
            forms[title] = known
        gone = {call.argument_nodes[name] for name in chosen if name in call.argument_nodes}
        if found.setdefault(call.call, (title, gone))[0] != title:
            return None
    if len(forms) > MOST:
        return None
    if len(forms) == 1:
        name = node.name.value
        forms = dict.fromkeys([name], next(iter(forms.values())))
        found = {call: (name, gone) for call, (_, gone) in found.items()}
    return _Forms(node, scope.path, forms, found)


def _is_chosen(facts: Facts, scope: Scope, name: str, calls: list[CallFact]) -> bool:
    """Whether the parameter is, or decides, what runs in the function fetch or feed, and graph things are handed."""
    runs = [run for run in facts.runs.values() if run.statement.scope is scope]
    if not any(name in names_in(run.call) or run.conflicting for run in runs):
        return False
    values = [call.arguments.get(name) for call in calls]
    return any(_runs_only(leaf) for value in values for leaf in leaves(value)) and all(
        _is_none(value) or (list(leaves(value)) and all(_may_be_named(leaf) for leaf in leaves(value)))
        for value in values
    )


def _runs_only(value: Value) -> bool:
    """Whether it lives in the graph only: variables are there for the host too."""
    return isinstance(value, (Operation, Summary)) or (isinstance(value, (Tensor, Placeholder)) and value.step)


def _may_be_named(value: Value) -> bool:
    return isinstance(value, (Operation, Summary, Tensor, Placeholder))


def _is_none(value: Value | None) -> bool:
    return isinstance(value, Host) and value.known and value.literal is None


def _one_form(facts: Facts, scope: Scope) -> bool:
    """Whether it is no method, or the only method of that name: no class overrides it."""
    if scope.parent is None or not isinstance(scope.parent.node, cst.ClassDef):
        return True
    same = [s for s in facts.scopes.values() if s.name == scope.name and s.parent is not None]
    return len([s for s in same if s.parent is not None and isinstance(s.parent.node, cst.ClassDef)]) == 1


def _text(facts: Facts, scope: Scope, call: CallFact, name: str) -> str | None:
    """What the argument is called inside the function; None where nothing there leads to it."""
    value, node = call.arguments[name], call.argument_nodes.get(name)
    if _is_none(value):
        return "None"
    if node is None:
        return None
    return _named(facts, scope, call, value, node)


def _named(facts: Facts, scope: Scope, call: CallFact, value: Value | None, node: cst.BaseExpression) -> str | None:
    if isinstance(node, (cst.List, cst.Tuple)):
        parts = [_named(facts, scope, call, facts.values.get(e.value), e.value) for e in node.elements]
        if any(part is None for part in parts):
            return None
        inner = ", ".join(part for part in parts if part is not None)
        return f"[{inner}]" if isinstance(node, cst.List) else f"({inner},)"
    for write in facts.attribute_writes:
        if write.value is value:
            holder = next((n for n, held in call.arguments.items() if held is write.instance), None)
            if holder is not None:
                return f"{holder}.{write.name}"
    if not isinstance(node, (cst.Name, cst.Attribute)):
        return None
    root: cst.BaseExpression = node
    while isinstance(root, cst.Attribute):
        root = root.value
    if not isinstance(root, cst.Name) or root.value in scope.bound:
        return None
    owners = [owner for owner, used in call.statement.uses if used == root.value]
    around = set(scope.ancestors()) - {scope}
    return cst.Module([]).code_for_node(node) if owners and all(owner in around for owner in owners) else None


def _title(name: str, texts: _Texts, taken: set[str]) -> str:
    """The function's own name where it is handed nothing, else one that says what."""
    given = [text for text in texts.values() if text != "None"]
    if not given:
        return name
    wanted = identifier(f"{name}_{given[0].rpartition('.')[2]}")
    title, count = wanted, 0
    while title in taken:
        count += 1
        title = f"{wanted}_{count}"
    taken.add(title)
    return title


class _Write(cst.CSTTransformer):
    """Writes the forms in the place of the function, and calls them."""

    def __init__(self, project: Project, forms: _Forms) -> None:
        super().__init__()
        self.project, self.forms = project, forms

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:
        if original_node not in self.forms.calls:
            return updated_node
        title, gone = self.forms.calls[original_node]
        pairs = zip(original_node.args, updated_node.args, strict=True)
        kept = [new for old, new in pairs if old.value not in gone]
        if kept:
            kept[-1] = kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
        function = updated_node.func
        if isinstance(function, cst.Attribute):
            function = function.with_changes(attr=cst.Name(title))
        elif isinstance(function, cst.Name):
            function = function.with_changes(value=title)
        return updated_node.with_changes(func=function, args=kept)

    def leave_FunctionDef(
        self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
    ) -> cst.FunctionDef | cst.FlattenSentinel[cst.FunctionDef]:
        if original_node is not self.forms.node:
            return updated_node
        path, made = self.forms.path, []
        for index, (title, texts) in enumerate(self.forms.forms.items()):
            copy = self.project.clone(path, original_node, path)
            form = self.project.changed(path, copy, Settle(texts))
            form = without_parameters(form, set(texts)).with_changes(name=cst.Name(title))
            if index:
                blank = [line for line in form.leading_lines if line.comment is None]
                form = form.with_changes(leading_lines=blank or [cst.EmptyLine(indent=False)])
            made.append(self.project.moved(path, original_node, form))
        return made[0] if len(made) == 1 else cst.FlattenSentinel(made)


__all__ = ["choose_by_callers"]
