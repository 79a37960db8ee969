"""Writes tf.train.ExponentialMovingAverage: a first `apply` in the build part makes the shadow variables, the step's
moves them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.facts import Statement
from tfmigrate.analysis.values import Host, MovingAverage, Operation, Variable
from tfmigrate.rewrite import nodes
from tfmigrate.rewrite.layout import one_a_line

if TYPE_CHECKING:
    from tfmigrate.rewrite.driver import DriverRewriter
    from tfmigrate.rewrite.expressions import ExpressionRewriter

MAKES = "  # makes the averages, equal to the variables as they are now"


def made_once(driver: DriverRewriter, statement: Statement) -> list[cst.BaseStatement]:
    """`averages.apply([w, b])` where the legacy program made the averages' op; moves nothing, since they are equal."""
    operation = driver.facts.averaging.get(statement)
    if operation is None or operation.averages is None:
        return []
    call = f"{operation.averages.name}.apply({_listed(driver, operation.trained)})"
    line = nodes.statements(call + MAKES + "\n")[0] if len(call) < 60 else nodes.expr(_apply(driver, operation))
    driver.marks.scope(line)
    return [line]


def _apply(driver: DriverRewriter, operation: Operation) -> cst.BaseExpression:
    assert operation.averages is not None
    listed = one_a_line(nodes.expression(_listed(driver, operation.trained)))
    return nodes.call(f"{operation.averages.name}.apply", listed)


def method(rewriter: ExpressionRewriter, original: cst.Call, updated: cst.Call, name: str) -> cst.BaseExpression:
    """A method's call: lists of variables and names are known when converting."""
    if name == "apply":
        operation = rewriter.facts.values.get(original)
        if not original.args and isinstance(operation, Operation):
            return updated.with_changes(args=[cst.Arg(nodes.expression(_listed(rewriter, operation.trained)))])
    if name == "average_name":
        value = rewriter.facts.values.get(original)
        if isinstance(value, Host) and isinstance(value.literal, str):
            return nodes.expression(f'"{value.literal}"')
    if name == "variables_to_restore" and original in rewriter.facts.restored:
        texts = []
        for entry in rewriter.facts.restored[original].entries:
            text = rewriter.plan.variable_names.get(entry.value) if isinstance(entry.value, Variable) else None
            if text is None:
                rewriter.refuse("TFM165", original, "a restored variable cannot be reached by a name")
            assert isinstance(entry.key, Host)
            texts.append(f'"{entry.key.literal}": {text}')
        return one_a_line(nodes.expression("{" + ", ".join(texts) + "}"))
    return updated


def _listed(rewriter: ExpressionRewriter, variables: Iterable[Variable]) -> str:
    return "[" + ", ".join(rewriter.plan.variable_names.get(v, "None") for v in dict.fromkeys(variables)) + "]"


__all__ = ["MovingAverage", "made_once", "method"]
