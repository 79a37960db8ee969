"""What a shared function is called: `forward` for the network, else by what it computes."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from tfmigrate.analysis.facts import Facts, Statement
from tfmigrate.analysis.values import Variable
from tfmigrate.plan.naming import Names, identifier, words
from tfmigrate.plan.program import StepFunction
from tfmigrate.plan.readings import Readings

LOSSES = ("loss", "cost", "error", "entropy", "objective", "mse")
MEASURES = (*LOSSES, "acc", "correct", "metric")


def fed_names(steps: list[StepFunction], readings: Readings) -> set[str | None]:
    """What steps are given: placeholders, elements of iterators, results of the functions that they share already."""
    found: set[str | None] = set(readings.placeholders)
    for step in steps:
        found.update(name for function, _ in step.prefix for name in function.returns)
        for unit in step.units:
            if readings.takes_element(unit.statement):
                found |= readings.defined(unit.statement)
    return found


def is_forward(units: list[Statement], results: list[str], fed: set[str | None], readings: Readings) -> bool:
    """Whether this is the network: computed with variables from what is `fed`, and measuring nothing."""
    facts = readings.facts
    if (
        len(results) > 2
        or any(_is(name, MEASURES) for name in results)
        or (len(units) == 1 and _only_calls(units[0], facts))
    ):
        return False
    reads = {name for unit in units for name in readings.reads(unit)}
    called = any(
        call in facts.layer_calls or call in facts.layer_results or call in facts.calls
        for unit in units
        for call in readings.calls(unit)
    )
    made = any(isinstance(v, Variable) for unit in units for s in readings.bindings.descendants(unit) for v in s.made)
    return bool(reads & fed) and (called or made or bool(reads & readings.variables))


def _only_calls(unit: Statement, facts: Facts) -> bool:
    """Whether the statement is no more than one call of a user's function or of a layer."""
    small = unit.node.body[0] if isinstance(unit.node, cst.SimpleStatementLine) else None
    value = small.value if isinstance(small, cst.Assign) else None
    return isinstance(value, cst.Call) and (
        value in facts.calls or value in facts.layer_calls or value in facts.layer_results
    )


def function_name(results: list[str], forward: bool, names: Names, is_bound: Callable[[str], bool]) -> str:
    """A name for the function that gives the results: none that is taken in the file or bound around it."""
    plain = list(dict.fromkeys(words(identifier(name)) for name in results))
    if forward:
        wanted = "forward"
    elif len(plain) > 1 and sum(_is(name, LOSSES) for name in plain) >= (len(plain) if len(plain) <= 3 else 1):
        wanted = "compute_losses"
    else:
        wanted = "compute_" + ("_and_".join(plain) if len(plain) <= 3 else f"{plain[0]}_and_more")
        if wanted in names.taken and len(plain) == 1:
            wanted = "loss_fn" if _is(plain[0], LOSSES) else f"measure_{plain[0]}"
    name = names.fresh(wanted)
    while is_bound(name):
        name = names.fresh(wanted)
    return name


def _is(name: str, kinds: tuple[str, ...]) -> bool:
    return any(kind in name.lower() for kind in kinds)
