"""Names what is differentiated where it is computed in the call itself, before the program is analysed anew.

    tf.gradients(tf.reduce_sum(y), x)    ->    target = tf.reduce_sum(y)
                                               tf.gradients(target, x)

A tape then records it with everything else; in the call itself it would be computed after the tape.
"""

from __future__ import annotations

import libcst as cst

from tfmigrate.analysis.facts import Facts
from tfmigrate.analysis.project import Project
from tfmigrate.analysis.values import Gradients, Host, Sequence
from tfmigrate.plan.inlining import evaluated_once
from tfmigrate.plan.naming import Names
from tfmigrate.plan.statement_edits import Edits


def name_targets(project: Project, facts: Facts) -> bool:
    """Name such targets; whether any text changed."""
    edits: dict[str, Edits] = {}
    names: dict[str, Names] = {}
    for call, gradients in facts.gradients.items():
        statement = gradients.statement
        if statement is None or not isinstance(statement.node, cst.SimpleStatementLine):
            continue
        path, line = statement.scope.path, statement.node
        edit = edits.setdefault(path, Edits(project, path))
        if line in edit.before or not evaluated_once(line, call):
            continue
        for target in _computed(facts, gradients):
            if path not in names:
                names[path] = Names({n for scope in facts.scopes.values() if scope.path == path for n in scope.bound})
            name = names[path].fresh("loss" if gradients.pairs else "target")
            made = cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(cst.Name(name))], target)])
            edit.before.setdefault(line, []).append(made)
            edit.expressions[target] = cst.Name(name)
    return any([edit.apply() for edit in edits.values()])  # noqa: C419  each of them is applied


def _computed(facts: Facts, gradients: Gradients) -> list[cst.BaseExpression]:
    """The targets that the call computes itself."""
    node = gradients.target_node
    if node is None:
        return []
    parts = [e.value for e in node.elements] if isinstance(node, (cst.List, cst.Tuple)) else [node]
    known = [facts.values.get(part) for part in parts]
    return [
        part
        for part, value in zip(parts, known, strict=True)
        if not isinstance(part, (cst.Name, cst.Attribute, cst.Subscript, cst.StarredElement))
        and value is not None
        and not isinstance(value, (Host, Sequence))
    ]


__all__ = ["name_targets"]
