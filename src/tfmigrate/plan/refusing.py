"""Refusals of the plan: the place is the node's, filled in by the pipeline's positions."""

from __future__ import annotations

import libcst as cst

from tfmigrate.model import Finding, Severity
from tfmigrate.plan.program import Plan


def refuse(plan: Plan, code: str, node: cst.CSTNode, message: str) -> None:
    """Record a reason why the program cannot be converted."""
    plan.refusals.setdefault(Finding(code, Severity.ERROR, plan.locate(node), message))


def note(plan: Plan, code: str, node: cst.CSTNode, message: str, severity: Severity = Severity.WARNING) -> None:
    """Record something to tell the user."""
    plan.notes.setdefault(Finding(code, severity, plan.locate(node), message))
