"""Moving averages: by which expression each shadow variable is reached, and updates that race with the training."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfmigrate.analysis.facts import Statement
from tfmigrate.analysis.values import Graphlike, Operation, Value, leaves
from tfmigrate.plan.program import Plan, StepFunction
from tfmigrate.plan.refusing import note, refuse

if TYPE_CHECKING:
    from tfmigrate.plan.planner import Planner

CODE = "TFM165"


def name_shadows(planner: Planner) -> None:
    """Give each shadow variable its text: `averages.average(weights)`."""
    for statement, operation in planner.facts.averaging.items():
        keeper = operation.averages
        assert keeper is not None
        if statement.scope not in planner.drivers or keeper.scope is not statement.scope:
            refuse(planner.plan, CODE, statement.node, "averages are kept in another function than the one that runs")
            continue
        if statement.loops or not _certain(statement):
            refuse(planner.plan, CODE, statement.node, "whether averages are kept depends on a condition or a loop")
            continue
        for variable, shadow in keeper.shadows.items():
            text = planner.plan.variable_names.get(variable)
            if text is None or shadow.legacy_name is None:
                refuse(planner.plan, CODE, statement.node, "the average of a variable that cannot be reached by a name")
            else:
                planner.plan.variable_names[shadow] = f"{keeper.name}.average({text})"


def _certain(statement: Statement) -> bool:
    """Whether the statement stands in its scope itself, or in a `with` that only names or places things."""
    at = statement.parent
    while at is not None:
        if not at.transparent:
            return False
        at = at.parent
    return True


def tell_races(plan: Plan, step: StepFunction) -> None:
    """Warn where TensorFlow 1 ran the averaging and the training of one step in no order."""
    made = [m for u in step.units for m in u.statement.made if isinstance(m, Operation)]
    trains = [m for m in made if m.optimizer is not None]
    for operation in made:
        if operation.kind != "average":
            continue
        for train in trains:
            if not (_waits(operation, train) or _waits(train, operation)):
                assert operation.statement is not None
                note(
                    plan,
                    "TFM407",
                    operation.statement.node,
                    "TensorFlow 1 moves these averages and trains the variables in no order; here the first one of the "
                    "source comes first",
                )


def _waits(later: Graphlike, earlier: Graphlike) -> bool:
    """Whether `later` is made under a control dependency on `earlier`."""
    todo: list[Value] = list(later.statement.controls) if later.statement is not None else []
    seen: set[int] = set()
    while todo:
        for leaf in leaves(todo.pop()):
            if leaf is earlier:
                return True
            if id(leaf) in seen or not isinstance(leaf, Graphlike):
                continue
            seen.add(id(leaf))
            todo.extend(getattr(leaf, "members", ()))
            todo.extend(getattr(leaf, "inputs", ()))
            if leaf.statement is not None:
                todo.extend(leaf.statement.controls)
    return False


__all__ = ["name_shadows", "tell_races"]
