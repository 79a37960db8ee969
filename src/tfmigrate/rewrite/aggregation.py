"""The aggregation of variables that replicas assign."""

from __future__ import annotations

import libcst as cst

from tfmigrate.analysis.values import Variable
from tfmigrate.plan.program import Plan
from tfmigrate.rewrite import nodes


def aggregated(plan: Plan, variable: object, expression: cst.BaseExpression, tf: str) -> cst.BaseExpression:
    """A variable's constructor with the aggregation that assignments on replicas need."""
    how = plan.aggregations.get(variable) if isinstance(variable, Variable) else None
    if how is None or not isinstance(expression, cst.Call) or nodes.code(expression.func) != f"{tf}.Variable":
        return expression
    keyword = cst.Arg(
        nodes.expression(f"{tf}.VariableAggregation.{how}"),
        keyword=cst.Name("aggregation"),
        equal=cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace("")),
    )
    return expression.with_changes(args=[*expression.args, keyword])
