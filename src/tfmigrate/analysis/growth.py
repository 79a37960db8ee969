"""What grows the graph: ops, savers, summaries, sessions, iterators made in a loop that runs the session."""

from __future__ import annotations

import libcst as cst

from tfmigrate.analysis.facts import Facts, Statement
from tfmigrate.analysis.project import Project
from tfmigrate.analysis.values import (
    Gradients,
    Graphlike,
    Iterator_,
    Operation,
    Optimizer,
    Placeholder,
    Saver,
    Session,
    Summary,
    Tensor,
    Variable,
)
from tfmigrate.model import Finding, Severity

KINDS: tuple[tuple[type[Graphlike], str, str], ...] = (
    (Saver, "TFM301", "a Saver is made in a loop: each turn adds all its save and restore ops to the graph"),
    (
        Summary,
        "TFM302",
        "a summary is made or merged in a loop: each turn adds its ops to the graph, and later merges run them all",
    ),
    (Optimizer, "TFM303", "an optimizer is made in a loop: each turn adds gradients, slots and updates to the graph"),
    (Gradients, "TFM303", "gradients are made in a loop: each turn adds the whole backward pass to the graph"),
    (Variable, "TFM304", "a variable is made in a loop: each turn adds it, its initializer and its reads to the graph"),
    (Session, "TFM305", "a session is made in a loop: each turn sets up the graph's execution anew"),
    (Iterator_, "TFM306", "an iterator is made in a loop: each turn adds its ops to the graph"),
    (
        Placeholder,
        "TFM307",
        "a placeholder is made in a loop: each turn adds it, and what is computed from it, to the graph",
    ),
)


def growth(facts: Facts, project: Project) -> list[Finding]:
    """A finding for each place where a loop that runs the session adds to the graph."""
    running: set[Statement] = {loop for run in facts.runs.values() for loop in run.loops}
    found: dict[tuple[str, str], Finding] = {}
    for value, loops in facts.loops.items():
        if not any(loop in running for loop in loops) or value.expression is None:
            continue
        reason = _reason(value)
        if reason is None:
            continue
        place = project.locate(value.expression)
        if place is not None:
            finding = Finding(
                reason[0], Severity.WARNING, place, f"{reason[1]}, so that every step is slower than the last"
            )
            found.setdefault((reason[0], f"{place.path}:{place.line}"), finding)
    return sorted(found.values(), key=lambda f: (f.place.path, f.place.line, f.place.column))


def _reason(value: Graphlike) -> tuple[str, str] | None:
    for kind, code, message in KINDS:
        if isinstance(value, kind):
            return code, message
    if isinstance(value, Operation):
        if value.kind in ("minimize", "apply"):
            return "TFM303", "a train op is made in a loop: each turn adds gradients and updates to the graph"
        if value.kind == "iterator":
            return None  # an iterator holds its initializer
        if value.kind == "initializer":
            return "TFM308", "an initializer op is made in a loop: each turn adds one to the graph"
        return "TFM309", "an op is made in a loop: each turn adds it to the graph"
    if isinstance(value, Tensor):
        call = value.expression.func if isinstance(value.expression, cst.Call) else None
        if value.effect:
            return "TFM310", "an assignment is made in a loop: each turn adds its op and its constant to the graph"
        if isinstance(call, cst.Attribute) and call.attr.value == "get_next":
            return "TFM306", "get_next() is called in a loop: each turn adds an op to the graph"
        return "TFM309", "an op is made in a loop: each turn adds it, and its constants, to the graph"
    return None
