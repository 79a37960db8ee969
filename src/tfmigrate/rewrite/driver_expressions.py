"""The driver's rewriting of expressions, for parts that are written apart from the visit of the statements."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.values import Variable
from tfmigrate.rewrite import nodes
from tfmigrate.rewrite.expressions import ExpressionRewriter

if TYPE_CHECKING:
    from tfmigrate.rewrite.driver import DriverRewriter


class DriverExpressions(cst.CSTTransformer):
    """Rewrites the expressions of a statement or an expression; statements stay as they are."""

    def __init__(self, driver: DriverRewriter) -> None:
        super().__init__()
        self.driver = driver
        self.lifted: cst.Call | None = None

    def on_visit(self, node: cst.CSTNode) -> bool:
        return not isinstance(node, cst.BaseExpression)

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> cst.CSTNode:  # type: ignore[override]
        if isinstance(original_node, cst.BaseExpression):
            inner = _Plain(self.driver)
            inner.lifted = self.lifted
            return original_node.visit(inner)  # type: ignore[return-value]
        return updated_node


class _Plain(ExpressionRewriter):
    """The driver's expressions, run sites included."""

    def __init__(self, driver: DriverRewriter) -> None:
        super().__init__(driver.facts, driver.plan, driver.options, driver.output, driver.path, tf=driver.context.tf)
        self.driver = driver

    def run_site(self, node: cst.Call) -> cst.BaseExpression:
        return self.driver.run_site(node)

    def leave_Subscript(self, original_node: cst.Subscript, updated_node: cst.Subscript) -> cst.BaseExpression:
        return self.driver.leave_Subscript(original_node, updated_node)

    def _lifted(self, original: cst.Call, updated: cst.Call) -> cst.BaseExpression | None:
        if self.lifted is not None and original is not self.lifted:
            value = self.facts.values.get(original)
            if isinstance(value, Variable) and value in self.plan.variable_names and value.name is None:
                return nodes.expression(self.plan.variable_names[value])
        return super()._lifted(original, updated)
