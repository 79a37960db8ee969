"""Later runs of an initializer: variables and slots are set back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.facts import Run
from tfmigrate.analysis.values import Operation, Variable
from tfmigrate.rewrite import nodes
from tfmigrate.rewrite.constructors import constructor

if TYPE_CHECKING:
    from tfmigrate.rewrite.driver import DriverRewriter


def reinitialized(driver: DriverRewriter, run: Run) -> list[cst.BaseStatement]:
    """A later run of the initializer resets every variable: kept where that can be told, else refused."""
    members = [
        m
        for leaf in (run.fetch.leaves() if run.fetch else ())
        for m in (leaf.value.members if isinstance(leaf.value, Operation) else ())
    ]
    variables = [v for v in members if isinstance(v, Variable)]
    anew = [
        v
        for v in variables
        if any(v.statement is not None and v.statement.within(loop) for loop in run.statement.loops)
    ]
    if variables and len(anew) == len(variables):
        return []
    if variables and _only_once(driver, run):
        return []
    made: list[cst.BaseStatement] = []
    for variable in variables:
        name = driver.plan.variable_names.get(variable)
        odd = variable.layer is not None or variable.average_of is not None
        if name is None or odd or not isinstance(variable.expression, cst.Call):
            driver.refuse(
                "TFM149", run.call, "variables are initialised again, and one of them cannot be set back by a name"
            )
            return []
        made_by = constructor(driver, variable.expression, variable)
        assert isinstance(made_by, cst.Call)
        made.append(nodes.expr(nodes.method(nodes.expression(name), "assign", made_by.args[0].value)))
    for optimizer, name in driver.plan.optimizer_names.items():
        if optimizer.symbol != "train.GradientDescentOptimizer":
            made.append(nodes.statements(f"{name}.reset()\n")[0])
    return made


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
