"""What the parts of a step are written with: the plan's step, rewriters for code inside it, names that are free."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.plan.bindings import Bindings
from tfmigrate.plan.program import Plan, StepFunction
from tfmigrate.rewrite.expressions import ExpressionRewriter

if TYPE_CHECKING:
    from tfmigrate.rewrite.replica_steps import Replicas


class StepContext:
    """One step that is being written. `rewriter` makes a fresh expression rewriter for code inside it; `replicas` write
    it where a strategy shares out its batches.
    """

    def __init__(
        self,
        plan: Plan,
        bindings: Bindings,
        step: StepFunction,
        rewriter: Callable[[], ExpressionRewriter],
        replicas: Replicas | None = None,
    ) -> None:
        self.plan, self.bindings, self.step, self.rewriter, self.replicas = plan, bindings, step, rewriter, replicas
        self.rewrite = rewriter()

    @property
    def tf(self) -> str:
        """The name of tensorflow in the file."""
        return self.rewrite.context.tf

    @property
    def blank(self) -> int:
        """How many blank lines lead a definition beside the step."""
        return 2 if self.step.scope.is_module else 1

    def visited(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """The expression as it is in the step."""
        made = node.visit(self.rewriter())
        assert isinstance(made, cst.BaseExpression)
        return made

    def value_of(self, node: cst.BaseExpression) -> object:
        """What the analysis found the expression to be."""
        return self.rewrite.facts.values.get(node)

    def bound(self) -> set[str]:
        """The names that the step's statements and parameters bind."""
        inner = [s for u in self.step.units for s in self.bindings.descendants(u.statement)]
        return {name for s in inner for name in s.defines} | {p.name for p in self.step.parameters}

    def read(self) -> set[str]:
        """The names that the step's statements read."""
        return {name for u in self.step.units for s in self.bindings.descendants(u.statement) for (_, name) in s.uses}
