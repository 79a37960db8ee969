"""Sets parallel assignments apart whose sides are done at different times: `self.x, self.sess = x, tf.Session()`."""

from __future__ import annotations

import libcst as cst

from tfmigrate.analysis.facts import Binding, Facts, Statement
from tfmigrate.analysis.project import Project
from tfmigrate.analysis.values import Placeholder, Value, leaves
from tfmigrate.plan.bindings import binding_of_value
from tfmigrate.plan.name_places import names_in


def set_apart(project: Project, facts: Facts) -> bool:
    """Make one assignment of each pair, where their order makes no difference; whether any text changed."""
    found: dict[str, dict[cst.CSTNode, list[cst.BaseStatement]]] = {}
    for statement in facts.statements.values():
        path = statement.scope.path
        made = _apart(project, facts, statement, path)
        if made:
            found.setdefault(path, {})[statement.node] = made
    for path, lines in found.items():
        project.replace(path, _Replace(lines))
    return bool(found)


def _apart(project: Project, facts: Facts, statement: Statement, path: str) -> list[cst.BaseStatement]:
    line = statement.node
    small = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
    if not (isinstance(small, cst.Assign) and len(small.targets) == 1 and isinstance(small.value, cst.Tuple)):
        return []
    target = small.targets[0].target
    if not isinstance(target, (cst.Tuple, cst.List)) or len(target.elements) != len(small.value.elements):
        return []
    pairs = list(zip(target.elements, small.value.elements, strict=True))
    if any(isinstance(e, cst.StarredElement) for pair in pairs for e in pair):
        return []
    values = [facts.values.get(v.value) for _, v in pairs]
    placeholders = any(isinstance(v, Placeholder) for v in values)  # each of them has a specification of its own
    if not (placeholders or len({_time(v) for v in values}) > 1) or not _independent(pairs):
        return []
    made: list[cst.BaseStatement] = []
    for bound, value in pairs:
        assert isinstance(bound.value, cst.BaseAssignTargetExpression)
        one = cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(bound.value)], value.value)])
        for node in (one, *one.body):
            project.moved(path, line, node)
        made.append(one)
    assert isinstance(line, cst.SimpleStatementLine)
    made[0] = made[0].with_changes(leading_lines=line.leading_lines)
    made[-1] = made[-1].with_changes(trailing_whitespace=line.trailing_whitespace)
    for node in made:
        project.moved(path, line, node)
    return made


def _time(value: Value | None) -> Binding:
    """When a side is done, placeholders being parameters."""
    found = [Binding.STEP if isinstance(v, Placeholder) else binding_of_value(v) for v in leaves(value)]
    return max(found, key=list(Binding).index, default=Binding.HOST)


def _independent(pairs: list[tuple[cst.BaseElement, cst.BaseElement]]) -> bool:
    """Whether no value reads what a target before it binds."""
    return not any(
        isinstance(bound.value, cst.Subscript) or _reads(value.value, bound.value)
        for index, (bound, _) in enumerate(pairs)
        for _, value in pairs[index + 1 :]
    )


def _reads(value: cst.BaseExpression, bound: cst.BaseExpression) -> bool:
    if isinstance(bound, cst.Name):
        return bound.value in names_in(value)
    return cst.Module([]).code_for_node(bound) in cst.Module([]).code_for_node(value)


class _Replace(cst.CSTTransformer):
    """Puts lines in the place of others."""

    def __init__(self, lines: dict[cst.CSTNode, list[cst.BaseStatement]]) -> None:
        super().__init__()
        self.lines = lines

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.FlattenSentinel[cst.BaseStatement]:
        made = self.lines.get(original_node)
        return cst.FlattenSentinel(made) if made else updated_node
