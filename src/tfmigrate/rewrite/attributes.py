"""Attributes of objects that hold what is made once: specifications that feeds name, and what is handed out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.facts import Statement
from tfmigrate.analysis.values import Layer, Optimizer, Placeholder, Variable
from tfmigrate.plan.attributes import receiver
from tfmigrate.rewrite import nodes

if TYPE_CHECKING:
    from tfmigrate.rewrite.driver import DriverRewriter


def spec(driver: DriverRewriter, statement: Statement) -> list[cst.BaseStatement]:
    """`self.x = x` of a placeholder: its specification, where a feed built elsewhere has it as a key."""
    value = statement.value
    if not isinstance(value, Placeholder) or value not in driver.plan.spec_names:
        return []
    write = next((w for w in driver.facts.attribute_writes if w.statement is statement), None)
    keyed = any(not f.inline and f.key is value for run in driver.facts.runs.values() for f in run.feeds)
    keyed |= any(v is value for _, v in driver.plan.reached)
    if write is None or not keyed:
        return []
    return nodes.statements(f"{write.receiver}.{write.name} = {driver.plan.spec_names[value]}\n")


def handed_out(driver: DriverRewriter, statement: Statement) -> list[cst.BaseStatement]:
    """`self.weights = weights` after what code elsewhere reaches through the object."""
    own = receiver(statement.scope)
    made = dict.fromkeys([*statement.made, *(lift.value for lift in statement.lifts.values())])
    found = [v for v in made if v in driver.plan.handed_out]
    return [
        line
        for value in found
        for line in nodes.statements(f"{own}.{driver.plan.handed_out[value]} = {driver.plan.text(value, None)}\n")
    ]


def hands_out_variables(driver: DriverRewriter, statement: Statement) -> bool:
    """Whether the statement only makes an attribute of what was made under the strategy's scope."""
    line = statement.node
    small = line.body[0] if isinstance(line, cst.SimpleStatementLine) else None
    return (
        isinstance(small, cst.Assign)
        and isinstance(small.value, cst.Name)
        and isinstance(small.targets[0].target, cst.Attribute)
        and isinstance(statement.value, (Variable, Optimizer, Layer))
    )
