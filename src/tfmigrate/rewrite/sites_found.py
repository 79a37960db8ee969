"""What verification needs to know of a conversion: the run sites with what they became, and the variables' pairs."""

from __future__ import annotations

from tfmigrate.analysis.facts import Facts, Run
from tfmigrate.analysis.project import Project
from tfmigrate.analysis.values import Graphlike, Operation
from tfmigrate.model import RunSite, SiteKind, VariablePair
from tfmigrate.plan.program import Plan
from tfmigrate.rewrite import nodes


def run_sites(facts: Facts, plan: Plan, project: Project) -> tuple[RunSite, ...]:
    """All run sites, in source order."""
    found = [_site(run, plan) for run in facts.runs.values()]
    return tuple(sorted(found, key=lambda s: (s.place.path, s.place.line, s.place.column)))


def _site(run: Run, plan: Plan) -> RunSite:
    step = plan.step_of.get(run)
    fetches: list[str] = []
    for leaf in run.fetch.leaves() if run.fetch is not None else ():
        if isinstance(leaf.value, Operation):
            continue
        if leaf.node is not None:
            fetches.append(nodes.code(leaf.node))
        else:
            fetches.append((leaf.value.name or "") if isinstance(leaf.value, Graphlike) else "")
    return RunSite(
        plan.locate(run.call),
        run.kind,
        step.name if step is not None and run.kind is SiteKind.CALL else "",
        tuple(fetches),
        tuple(p.name for p in step.parameters) if step is not None else (),
        bool(run.loops),
    )


def variable_pairs(facts: Facts, plan: Plan) -> tuple[VariablePair, ...]:
    """The variables whose legacy names are known, with the expression that reaches them now."""
    return tuple(
        VariablePair(v.legacy_name, plan.variable_names.get(v, ""), v.trainable)
        for v in facts.variables
        if v.legacy_name is not None
    )
