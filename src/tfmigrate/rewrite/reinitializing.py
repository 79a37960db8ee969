"""Later runs of an initializer: variables and slots are set back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.facts import Run, Statement
from tfmigrate.analysis.values import Variable
from tfmigrate.plan.attributes import receiver
from tfmigrate.plan.initial_values import has_slots, reset_by
from tfmigrate.rewrite import nodes
from tfmigrate.rewrite.constructors import constructor

if TYPE_CHECKING:
    from tfmigrate.rewrite.driver import DriverRewriter


def reinitialized(driver: DriverRewriter, run: Run) -> list[cst.BaseStatement]:
    """A later run of the initializer resets every variable: kept where that can be told, else refused."""
    variables = reset_by(run)
    if not variables:
        return []
    if _only_once(driver, run):
        return []
    scope = run.statement.scope
    made: list[cst.BaseStatement] = []
    for variable in variables:
        name = driver.plan.text(variable, scope)
        odd = variable.layer is not None or variable.average_of is not None
        if name is None or odd or not isinstance(variable.expression, cst.Call):
            driver.refuse(
                "TFM149", run.call, "variables are initialised again, and one of them cannot be set back by a name"
            )
            return []
        kept = driver.plan.initial_values.get(variable)
        if kept is not None:
            value = nodes.expression(driver.plan.initial_texts.get((scope, variable)) or kept)
        else:
            made_by = constructor(driver, variable.expression, variable)
            assert isinstance(made_by, cst.Call)
            value = made_by.args[0].value
        made.append(nodes.expr(nodes.method(nodes.expression(name), "assign", value)))
    for optimizer in driver.plan.optimizer_names:
        if has_slots(optimizer):
            made.append(nodes.statements(f"{driver.plan.text(optimizer, scope)}.reset()\n")[0])
    return made


def initial_values(driver: DriverRewriter, statement: Statement) -> list[cst.BaseStatement]:
    """`initial_w = w.numpy()` after the variable is made, for initializers that run later."""
    made = dict.fromkeys([*statement.made, *(lift.value for lift in statement.lifts.values())])
    lines: list[cst.BaseStatement] = []
    for variable in made:
        name = driver.plan.initial_values.get(variable) if isinstance(variable, Variable) else None
        if name is not None:
            own = f"{receiver(statement.scope)}." if variable in driver.plan.initial_attributes else ""
            lines += nodes.statements(f"{own}{name} = {driver.plan.text(variable, None)}.numpy()\n")
    return lines


def _only_once(driver: DriverRewriter, run: Run) -> bool:
    """Whether the site stands under a condition on the first turn of its loop (`if i == 0:`)."""
    at = run.statement.parent
    while at is not None:
        if isinstance(at.node, cst.If) and isinstance(at.node.test, cst.Comparison):
            comparison = at.node.test.comparisons[0]
            if (
                isinstance(comparison.operator, cst.Equal)
                and isinstance(comparison.comparator, cst.Integer)
                and comparison.comparator.value == "0"
            ):
                return True
        at = at.parent
    return False
