"""Gives a line of its own to an attribute that a run's fetches are computed with, before the program is analysed anew.

    sess.run(q * self.rate, …)    ->    rate = self.rate
                                        sess.run(q * rate, …)

The step then has the number as a parameter, not the object: what an object holds may change from call to call.
"""

from __future__ import annotations

import libcst as cst

from tfmigrate.analysis.facts import Facts, Run
from tfmigrate.analysis.project import Project
from tfmigrate.analysis.values import Host, Instance, Unknown, Value
from tfmigrate.model import SiteKind
from tfmigrate.plan.fetch_sets import fetches_of, is_identified
from tfmigrate.plan.naming import Names
from tfmigrate.plan.statement_edits import Edits


def name_attributes(project: Project, facts: Facts) -> bool:
    """Name such attributes; whether any text changed."""
    edits: dict[str, Edits] = {}
    names: dict[str, Names] = {}
    for run in facts.runs.values():
        path = run.statement.scope.path
        edit = edits.setdefault(path, Edits(project, path))
        if run.kind is not SiteKind.CALL or not isinstance(run.statement.node, cst.SimpleStatementLine):
            continue
        if run.statement.node in edit.before:
            continue
        if path not in names:
            scopes = [s for s in facts.scopes.values() if s.path == path and not isinstance(s.node, cst.ClassDef)]
            names[path] = Names({name for scope in scopes for name in scope.bound})
        held: dict[str, str] = {}
        for attribute in _attributes(facts, run):
            text = cst.Module([]).code_for_node(attribute)
            if text not in held:
                held[text] = names[path].fresh(attribute.attr.value)
                line = cst.parse_statement(f"{held[text]} = {text}")
                assert isinstance(line, cst.SimpleStatementLine)
                edit.before.setdefault(run.statement.node, []).append(line)
            edit.expressions[attribute] = cst.Name(held[text])
    return any([edit.apply() for edit in edits.values()])  # noqa: C419  each of them is applied


def _attributes(facts: Facts, run: Run) -> list[cst.Attribute]:
    """Values of the host that objects hold in attributes, in what the run computes itself."""
    found: list[cst.Attribute] = []

    methods: set[cst.CSTNode] = set()

    class Visitor(cst.CSTVisitor):
        def visit_Call(self, node: cst.Call) -> None:
            methods.add(node.func)

        def visit_Attribute(self, node: cst.Attribute) -> bool:
            receiver = facts.values.get(node.value)
            value = facts.values.get(node)
            plain = isinstance(node.value, cst.Name) and isinstance(receiver, Instance)
            if plain and node not in methods and _is_host(value):
                found.append(node)
            return not plain

    for leaf in fetches_of(run):
        if leaf.node is not None and not is_identified(leaf):
            leaf.node.visit(Visitor())
    return found


def _is_host(value: Value | None) -> bool:
    return value is None or type(value) in (Host, Unknown)


__all__ = ["name_attributes"]
