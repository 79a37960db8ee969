"""The parameters of a step function: placeholders that are fed, elements of iterators, host values that change."""

from __future__ import annotations

import libcst as cst

from tfmigrate.analysis.facts import Run, Statement
from tfmigrate.analysis.values import Graphlike, Placeholder
from tfmigrate.plan.effects import may_act
from tfmigrate.plan.fetch_sets import feeds_literal, is_literal
from tfmigrate.plan.naming import identifier
from tfmigrate.plan.program import Parameter, Plan
from tfmigrate.plan.refusing import refuse
from tfmigrate.plan.slices import Slice

Constant = tuple[str, Placeholder, cst.BaseExpression]


def parameters_of(
    runs: list[Run], found: Slice, order: dict[Placeholder, int], plan: Plan
) -> tuple[list[Parameter], list[Constant]]:
    """What the callers give; and placeholders of a written-out value: the literal that all feed, or the default."""
    parameters: list[Parameter] = []
    constants: list[Constant] = []
    used: set[str] = set()
    fed = {id(f.key): f for f in runs[0].feeds}
    for given in (f for run in runs for f in run.feeds):
        if isinstance(given.key, Placeholder) and given.inline and given.node is not None and may_act(given.node):
            found.placeholders.setdefault(given.key)  # the step does not need it, but to compute it may draw
    for key in sorted(found.placeholders, key=lambda p: order.get(p, 0)):
        if key.name is not None and key.name in used:
            message = f"{key.name} is the name of two placeholders that one step needs"
            refuse(plan, "TFM123", runs[0].call, message)
            continue
        name = _fresh(key, used)
        feed = fed.get(id(key))
        if feed is None:
            if key.default is None:
                if not plan.refusals:
                    refuse(
                        plan,
                        "TFM107",
                        runs[0].call,
                        f"the placeholder {key.name or key.legacy_name or ''} is needed here and not fed",
                    )
                continue
            constants.append((name, key, key.default))
        elif is_literal(feed.node, feed.value) and all(feeds_literal(r, key) for r in runs):
            assert feed.node is not None
            constants.append((name, key, feed.node))
        else:
            parameters.append(Parameter(name, fed=key))
    for statement in found.elements:
        for name in _targets(statement):
            used.add(name)
            parameters.append(Parameter(name, element=statement))
    for cut in found.cuts:
        if not isinstance(cut, Placeholder):
            parameters.append(Parameter(_fresh(cut, used), fed=cut))
    for owner, name in found.inputs:
        if name not in used:
            used.add(name)
            parameters.append(Parameter(name, host=(owner, name)))
    return parameters, constants


def _fresh(key: Graphlike, used: set[str]) -> str:
    name = key.name or identifier(key.legacy_name or "input_value")
    base, count = name, 0
    while name in used:
        count += 1
        name = f"{base}_{count}"
    used.add(name)
    return name


def _targets(statement: Statement) -> list[str]:
    """The names that an assignment binds, in order."""
    line = statement.node
    small = line.body[0] if isinstance(line, cst.SimpleStatementLine) else None
    target = small.targets[0].target if isinstance(small, cst.Assign) else None
    if isinstance(target, cst.Name):
        return [target.value]
    if isinstance(target, (cst.Tuple, cst.List)):
        return [e.value.value for e in target.elements if isinstance(e.value, cst.Name)]
    return []
