"""What a program writes as it trains: the functions that write summaries, and the checkpoints of its Savers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfmigrate.analysis.facts import Statement
from tfmigrate.analysis.values import Saver, Summary, Writer
from tfmigrate.model import SiteKind
from tfmigrate.plan.naming import identifier
from tfmigrate.plan.program import SaverPlan
from tfmigrate.plan.reaching import reach, receiver, through
from tfmigrate.plan.refusing import refuse

if TYPE_CHECKING:
    from tfmigrate.plan.planner import Planner


def plan_summaries(planner: Planner) -> None:
    """Name a function for each summary and the writer that it goes to."""
    facts, plan = planner.facts, planner.plan
    runs = [run for run in facts.runs.values() if run.kind is SiteKind.SUMMARY]
    several = len({run.saver for run in runs}) > 1
    for run in runs:
        value = run.values.get("summary")
        summary = getattr(value, "summary", None)
        if not isinstance(summary, Summary) or not isinstance(run.saver, Writer):
            refuse(plan, "TFM125", run.call, "what is written here is not known to be one fetched summary")
            continue
        around = through(plan, facts, run.saver, run.statement.scope, run.receiver_node)
        if around is None:
            refuse(plan, "TFM125", run.call, "the writer is made in another function")
        elif around:
            plan.summary_objects[run] = around
        key = (run.saver, summary)
        if key not in plan.summary_functions:
            names = planner.names[run.statement.scope.path]
            about = identifier(run.saver.name or "").removesuffix("writer").strip("_") if several else ""
            plan.summary_functions[key] = names.fresh(f"write_{about}_summaries" if about else "write_summaries")


def plan_savers(planner: Planner) -> None:
    """Name a checkpoint for each Saver."""
    facts, plan = planner.facts, planner.plan
    if any(run.kind is SiteKind.SAVE for run in facts.runs.values()):
        for node in (*facts.checkpoint_reads, *facts.meta_reads):
            refuse(
                plan,
                "TFM126",
                node,
                "the program looks into the checkpoints that it writes, whose files and names differ now",
            )
    for statement in sorted(facts.statements.values(), key=lambda s: s.order):
        for value in statement.made:
            if isinstance(value, Saver) and value not in plan.savers:
                _plan_saver(planner, value, statement)


def _plan_saver(planner: Planner, saver: Saver, statement: Statement) -> None:
    plan = planner.plan
    planned = SaverPlan(saver, planner.names[statement.scope.path].fresh("checkpoint"))
    if saver.all_:
        planned.optimizers = [o for o in plan.optimizer_names if o.statement and o.statement.order <= statement.order]
    plan.savers[saver] = planned
    for _, variable in saver.variables:
        if variable not in plan.variable_names and variable.layer is None:
            refuse(plan, "TFM126", statement.node, "a Saver of variables that cannot be reached by a name")
    for value in (*(v.layer or v for _, v in saver.variables), *planned.optimizers):
        if not reach(plan, planner.facts, value, statement.scope):
            refuse(plan, "TFM126", statement.node, f"a Saver of {value.name or 'what'} another function makes")
            break
    for run in planner.facts.runs.values():
        if run.saver is saver and run.kind in (SiteKind.SAVE, SiteKind.RESTORE):
            around = through(plan, planner.facts, saver, run.statement.scope, run.receiver_node)
            if around is None:
                refuse(plan, "TFM126", run.call, "the Saver is made in another function")
            elif around:
                planned.objects[run] = around
    if planned.objects:
        planned.own = receiver(statement.scope) or ""
        if any(run.kind is SiteKind.RESTORE for run in planned.objects):
            planned.restored = planner.names[statement.scope.path].fresh("legacy_variables")
