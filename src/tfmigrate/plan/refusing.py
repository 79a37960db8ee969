"""Refusals of the plan: the place is the node's, filled in by the pipeline's positions."""

from __future__ import annotations

import libcst as cst

from tfmigrate.model import Finding, Severity
from tfmigrate.plan.program import Plan


def refuse(plan: Plan, code: str, node: cst.CSTNode, message: str) -> None:
    """Record a reason why the program cannot be converted."""
    finding = Finding(code, Severity.ERROR, plan.locate(node), message)
    if finding not in plan.refusals:
        plan.refusals.append(finding)


def note(plan: Plan, code: str, node: cst.CSTNode, message: str, severity: Severity = Severity.WARNING) -> None:
    """Record something to tell the user."""
    finding = Finding(code, severity, plan.locate(node), message)
    if finding not in plan.notes:
        plan.notes.append(finding)
