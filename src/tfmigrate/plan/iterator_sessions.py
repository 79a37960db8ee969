"""Refuses iterators from which several sessions take elements: each session begins with the first one.

TensorFlow 1 keeps the position of a one-shot iterator, and of an input queue, in the session; an iterator object of
TensorFlow 2 has one position. With the default graph run by one session after the other the two differ.
"""

from __future__ import annotations

import libcst as cst

from tfmigrate.analysis.facts import Facts, Statement
from tfmigrate.analysis.values import Iterator_, Session, Tensor
from tfmigrate.plan.bindings import Bindings
from tfmigrate.plan.program import Plan
from tfmigrate.plan.refusing import refuse


def check_sessions(plan: Plan, facts: Facts, bindings: Bindings) -> None:
    """Refuse each one-shot iterator that a second session would begin anew."""
    takers: dict[Statement, Iterator_] = {
        statement: facts.nexts[made.expression]
        for statement in facts.statements.values()
        for made in statement.made
        if isinstance(made, Tensor) and isinstance(made.expression, cst.Call) and made.expression in facts.nexts
    }
    sessions: dict[Iterator_, dict[Session, None]] = {}
    for step in plan.steps:
        taken = {takers[s] for unit in step.units for s in bindings.descendants(unit.statement) if s in takers}
        for iterator in taken:
            if iterator.kind == "one_shot":
                made = [s for run in step.runs for s in run.sessions if s.statement is not None]
                sessions.setdefault(iterator, {}).update(dict.fromkeys(made))
    for iterator, several in sessions.items():
        inside = set(facts.loops.get(iterator, ()))
        if iterator.statement is not None and (
            len(several) > 1 or any(set(facts.loops.get(s, ())) - inside for s in several)
        ):
            message = "several sessions take elements from it, each from the first one on"
            refuse(plan, "TFM127", iterator.statement.node, message)
