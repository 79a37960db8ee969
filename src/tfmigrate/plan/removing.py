"""The statements that are gone from where they stood: they moved into functions, or nothing needs them any more."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.facts import Binding, Facts, Statement
from tfmigrate.analysis.values import Operation, Optimizer, Tensor, Variable
from tfmigrate.plan.refusing import note, refuse

if TYPE_CHECKING:
    from tfmigrate.plan.planner import Planner


def plan_removed(planner: Planner) -> None:
    """Find the statements that are left out, and tell of those that nothing needs."""
    bindings, plan = planner.bindings, planner.plan
    gone: set[Statement] = set()
    users = _users(planner.facts)
    for statement in planner.facts.statements.values():
        if statement.scope not in planner.drivers or statement.transparent:
            continue
        binding = bindings.of(statement)
        if binding in (Binding.STEP, Binding.DROP) or (
            binding is Binding.RANDOM and not any(_builds_with(planner, u) for u in users.get(statement, ()))
        ):
            gone.add(bindings.unit(statement))
    for iterator in plan.iterators.values():
        others = [
            u
            for s in iterator.pipeline
            for u in users.get(s, ())
            if u not in iterator.pipeline and u is not iterator.statement
        ]
        if not others:
            gone.update(iterator.pipeline)
    moved = {unit.statement for step in plan.steps for unit in step.units}
    for statement in sorted(moved, key=lambda s: s.order, reverse=True):  # what uses it before itself
        if bindings.of(statement) is Binding.HOST and all(
            stands_in(u, gone) for u in users.get(statement, ()) if u is not statement
        ):
            gone.add(statement)
    plan.removed = {s: None for s in planner.facts.statements.values() if s in gone}
    plan.removed_names = {n for r in plan.removed for s in bindings.descendants(r) for n in s.defines}
    for statement in plan.removed:
        if bindings.of(statement) is not Binding.STEP or statement in moved:
            continue
        if _computes(statement):
            note(plan, "TFM503", statement.node, "nothing that is run needs this; it is left out")
            continue
        calls = _looking(statement)
        if calls and all(isinstance(c.func, cst.Name) and c.func.value == "print" for c in calls):
            note(plan, "TFM406", statement.node, "this prints how a tensor of the graph looks; it is left out")
        elif calls:
            message = "host code acts on how a tensor of the graph looks (its shape, type or name)"
            refuse(plan, "TFM111", statement.node, message)


def stands_in(statement: Statement, others: Container[Statement]) -> bool:
    """Whether the statement, or one that it stands inside of, is among the others."""
    at: Statement | None = statement
    while at is not None and at not in others:
        at = at.parent
    return at is not None


def _builds_with(planner: Planner, user: Statement) -> bool:
    """Whether a statement that stays uses what is drawn, to make an object or on the host."""
    return planner.bindings.of(user) in (Binding.BUILD, Binding.HOST) or (
        bool(user.made) and planner.bindings.makes(user, Variable, Optimizer)
    )


def _computes(statement: Statement) -> bool:
    return any(isinstance(m, (Tensor, Operation)) for m in statement.made)


def _looking(statement: Statement) -> list[cst.Call]:
    """The calls that are all of the statement, where the host looks at a thing of the graph in them."""
    line = statement.node
    if not statement.reads_step or statement.made or statement.effect or not isinstance(line, cst.SimpleStatementLine):
        return []
    calls = [s.value for s in line.body if isinstance(s, cst.Expr) and isinstance(s.value, cst.Call)]
    return calls if len(calls) == len(line.body) else []


def _users(facts: Facts) -> dict[Statement, list[Statement]]:
    """The statements that read what each statement binds."""
    found: dict[Statement, list[Statement]] = {}
    for statement in facts.statements.values():
        for defs in statement.uses.values():
            for definition in defs:
                found.setdefault(definition, []).append(statement)
    return found
