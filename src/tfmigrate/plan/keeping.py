"""Lines that their author keeps: `# tfmigrate: keep` leaves the statement on its line alone."""

from __future__ import annotations

import io
import re
import tokenize
from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.facts import Binding, Facts, Statement
from tfmigrate.analysis.project import Project
from tfmigrate.plan.refusing import refuse

if TYPE_CHECKING:
    from tfmigrate.plan.planner import Planner

_MARK = re.compile(r"#\s*tfmigrate:\s*keep\b")


def kept_lines(text: str) -> frozenset[int]:
    """The numbers of the lines that end with the mark; a string that holds its text is none."""
    if not _MARK.search(text):
        return frozenset()
    found: set[int] = set()
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT and _MARK.match(token.string):
                found.add(token.start[0])
    except (tokenize.TokenError, SyntaxError):
        pass  # what cannot be parsed is refused anyway
    return frozenset(found)


def kept_statements(project: Project, facts: Facts) -> list[Statement]:
    """The statements that stand on a kept line; of a compound statement that line is its head's."""
    lines: dict[str, frozenset[int]] = {}
    found: list[Statement] = []
    for node, statement in facts.statements.items():
        path = statement.scope.path
        if path not in lines:
            source = project.tree.file(path)
            lines[path] = kept_lines(source.text or "") if source is not None else frozenset()
        if lines[path]:
            first, last = project.lines(path, node)
            end = last if isinstance(node, cst.SimpleStatementLine) else first
            if any(first <= line <= end for line in lines[path]):
                found.append(statement)
    return found


def refuse_kept(project: Project, facts: Facts, planner: Planner) -> None:
    """Refuse a program whose graph holds a kept line; lines of the host's are kept as they are."""
    for statement in kept_statements(project, facts):
        hosts = planner.bindings.of(statement) is Binding.HOST and not (
            statement.made or statement.lifts or statement.runs
        )
        if hosts and isinstance(statement.node, cst.SimpleStatementLine):
            planner.plan.kept.add(statement.node)
        else:
            refuse(planner.plan, "TFM159", statement.node, "the author keeps this line, which belongs to the graph")
