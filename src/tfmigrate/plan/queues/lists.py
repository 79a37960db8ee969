"""Elements of several tensors that a run fetches as a whole: queues give them as a list, datasets as a tuple.

batch = iterator.get_next()        ->        batch = list(iterator.get_next())
values = sess.run(batch)                     values = sess.run(batch)
"""

from __future__ import annotations

import libcst as cst

from tfmigrate.analysis.facts import Facts
from tfmigrate.analysis.project import Project
from tfmigrate.plan.fetch_sets import fetches_of
from tfmigrate.plan.queues.names import QueueNames
from tfmigrate.plan.queues.slices import element_of
from tfmigrate.plan.statement_edits import Edits


def as_lists(project: Project, facts: Facts, names: QueueNames) -> bool:
    """Make lists of the elements that are fetched as a whole; whether any text changed."""
    fetched = {id(leaf.value) for run in facts.runs.values() for leaf in fetches_of(run)}
    edits: dict[str, Edits] = {}
    for statement in list(facts.statements.values()):
        element = element_of(statement, names)
        if element is None or not names.plain.get((statement.scope.place, element.dataset)):
            continue
        if isinstance(element.target, cst.Name) and id(statement.value) in fetched:
            edit = edits.setdefault(statement.scope.path, Edits(project, statement.scope.path))
            edit.wrapped[element.call] = "list"
    return any([edit.apply() for edit in edits.values()])  # noqa: C419  each of them is applied
