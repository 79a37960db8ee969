"""Gives a dictionary that a function makes for one run a line of its own, before the program is analysed anew.

    sess.run(train_op, feed_dict=fill(x, y))    ->    feeds = fill(x, y)
                                                      sess.run(train_op, feed_dict=feeds)

Where something else of the statement may act before the function is called, the statement is left as it is.
"""

from __future__ import annotations

import libcst as cst

from tfmigrate.analysis.facts import Facts, Run
from tfmigrate.analysis.project import Project
from tfmigrate.plan.calls import calls_in
from tfmigrate.plan.effects import may_act
from tfmigrate.plan.inlining import evaluated_once
from tfmigrate.plan.statement_edits import Edits, names_in


def name_feeds(project: Project, facts: Facts) -> bool:
    """Name the dictionaries that calls in run sites make; whether any text changed."""
    edits: dict[str, Edits] = {}
    taken: dict[str, set[str]] = {}
    for run in facts.runs.values():
        path, feed = run.statement.scope.path, run.feed_node
        edit = edits.setdefault(path, Edits(project, path))
        if not isinstance(feed, cst.Call) or not _possible(run, feed) or run.statement.node in edit.before:
            continue
        name = _fresh(taken.setdefault(path, names_in(project.module(path))))
        line = cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(cst.Name(name))], feed)])
        edit.before[run.statement.node] = [line]
        edit.expressions[feed] = cst.Name(name)
    return any([edit.apply() for edit in edits.values()])  # noqa: C419  each of them is applied


def _possible(run: Run, feed: cst.Call) -> bool:
    line = run.statement.node
    if len(run.feeds) < 2 or not may_act(feed) or not isinstance(line, cst.SimpleStatementLine):
        return False
    inside = calls_in(feed)
    others = [c for c in calls_in(line) if c not in inside and feed not in calls_in(c)]
    return evaluated_once(line, feed) and not any(may_act(call) for call in others)


def _fresh(taken: set[str]) -> str:
    name, count = "feeds", 0
    while name in taken:
        count += 1
        name = f"feeds_{count}"
    taken.add(name)
    return name


__all__ = ["name_feeds"]
