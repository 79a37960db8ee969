"""Statements of a slice as they stand in the step: train ops and groups by what they do, the rest rewritten."""

from __future__ import annotations

from typing import Any

import libcst as cst

from tfmigrate.analysis.facts import Statement
from tfmigrate.analysis.values import Operation, Summary, Tensor, leaves
from tfmigrate.plan.program import Phase, Unit
from tfmigrate.rewrite import nodes
from tfmigrate.rewrite.expressions import ExpressionRewriter
from tfmigrate.rewrite.step_context import StepContext
from tfmigrate.rewrite.training import Training


class StatementWriter:
    """Writes statements of one step."""

    def __init__(self, context: StepContext, training: Training) -> None:
        self.context, self.training = context, training

    def statement(self, statement: Statement) -> list[cst.BaseStatement]:
        """One statement of the slice, as it stands in the step."""
        node = statement.node
        if isinstance(node, cst.SimpleStatementLine):
            return self.simple(statement, node)
        inner = _Inside(self, self.context.rewriter())
        visited = node.visit(inner)
        if isinstance(visited, cst.FlattenSentinel):
            return list(visited)
        assert isinstance(visited, cst.BaseCompoundStatement)
        emptied = isinstance(visited, cst.For) and _only_passes(visited.body) and not _only_passes(node.body)
        if emptied and not self._read_elsewhere(statement):
            return []  # it made summaries, whose values the step takes by themselves
        return [_plain_lines(visited)]

    def _read_elsewhere(self, statement: Statement) -> bool:
        """Whether other statements of the step read what this one binds."""
        others = (s for u in self.context.step.units for s in self.context.bindings.descendants(u.statement))
        return any(
            any(definition.within(statement) for definition in defs)
            for s in others
            if not s.within(statement)
            for defs in s.uses.values()
        )

    def simple(self, statement: Statement, node: cst.SimpleStatementLine) -> list[cst.BaseStatement]:
        """A line of statements."""
        leading = [line for line in node.leading_lines if line.comment is not None]
        made: list[Any] = []
        for small in node.body:
            made.extend(self._small(statement, small, node))
        if made:
            made[0] = made[0].with_changes(leading_lines=[*leading, *made[0].leading_lines])
        return made

    def _small(
        self, statement: Statement, small: cst.BaseSmallStatement, line: cst.SimpleStatementLine
    ) -> list[cst.BaseStatement]:
        value = small.value if isinstance(small, (cst.Assign, cst.Expr)) else None
        if value is not None:
            summary = isinstance(self.context.value_of(value), Summary)
            if summary and any(isinstance(m, Summary) for m in statement.made):
                return []
            apply = self._applied(statement, value)
            if apply is not None:
                return apply
            if self._is_group(value):
                return self._group(value)
            operation = self.context.value_of(value)
            if isinstance(operation, Operation) and operation.kind == "no_op":
                return []
        rewriter = self.context.rewriter()
        visited = small.visit(rewriter)
        assert isinstance(visited, cst.BaseSmallStatement)
        if isinstance(visited, cst.Assign) and self._only_effect(statement, small):
            visited = cst.Expr(visited.value)
        if (
            isinstance(visited, cst.Expr)
            and isinstance(visited.value, (cst.Name, cst.List))
            and not isinstance(small, cst.Expr)
        ):
            return []
        return [cst.SimpleStatementLine([visited], trailing_whitespace=line.trailing_whitespace)]

    def _only_effect(self, statement: Statement, small: cst.BaseSmallStatement) -> bool:
        """Whether an assignment binds an op that nothing in the step reads: only its effect counts."""
        if not isinstance(small, cst.Assign) or not isinstance(small.value, cst.Call):
            return False
        value = self.context.value_of(small.value)
        if (
            not (isinstance(value, Tensor) and value.effect)
            or len(small.targets) != 1
            or not isinstance(small.targets[0].target, cst.Name)
        ):
            return False
        name = small.targets[0].target.value
        used = any(
            name in {n for (_, n) in s.uses}
            for u in self.context.step.units
            for s in self.context.bindings.descendants(u.statement)
            if s is not statement and not _ordering(s)
        )
        return not used and not any(leaf.value is value for leaf in self.context.step.returns)

    def _applied(self, statement: Statement, value: cst.BaseExpression) -> list[cst.BaseStatement] | None:
        """`train_op = optimizer.apply_gradients(pairs, global_step=step)`."""
        operation = self.context.value_of(value)
        if isinstance(operation, Operation) and operation.kind == "apply" and isinstance(value, cst.Call):
            call = self.context.visited(value)
            return [*self.training.rate(operation.optimizer), nodes.expr(call), *self.training.advance(operation)]
        if isinstance(operation, Operation) and operation.kind == "average" and isinstance(value, cst.Call):
            return [nodes.expr(self.context.visited(value))]
        if isinstance(operation, Operation) and operation.kind == "minimize":
            return self.training.gradient(operation, Unit(statement, Phase.EFFECT)) + self.training.apply(operation)
        return None

    def _is_group(self, value: cst.BaseExpression) -> bool:
        operation = self.context.value_of(value)
        empty = isinstance(value, cst.Call) and not value.args
        return isinstance(operation, Operation) and (empty or operation.kind == "group")

    def _group(self, value: cst.BaseExpression) -> list[cst.BaseStatement]:
        """tf.group: its members that are made in the call itself; the others stand before it."""
        assert isinstance(value, cst.Call)
        made: list[cst.BaseStatement] = []
        for argument in value.args:
            if argument.keyword is not None:
                continue
            member = argument.value
            if isinstance(member, (cst.Name, cst.Attribute)):
                continue
            made.append(nodes.expr(self.context.visited(member)))
        return made


def _ordering(statement: Statement) -> bool:
    return any(isinstance(v, Operation) and v.kind == "group" for value in statement.values for v in leaves(value))


class _Inside(cst.CSTTransformer):
    """Writes the statements inside a compound statement that moves as a whole."""

    def __init__(self, writer: StatementWriter, rewriter: ExpressionRewriter) -> None:
        super().__init__()
        self.writer, self.rewriter = writer, rewriter

    def on_visit(self, node: cst.CSTNode) -> bool:
        return not isinstance(node, cst.BaseExpression) and not isinstance(node, cst.SimpleStatementLine)

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> Any:
        if isinstance(original_node, cst.SimpleStatementLine):
            statement = self.rewriter.facts.statements.get(original_node)
            made = (
                self.writer.simple(statement, original_node)
                if statement is not None
                else [original_node.visit(self.rewriter)]
            )
            return cst.FlattenSentinel(made) if made else cst.RemovalSentinel.REMOVE
        if isinstance(original_node, cst.BaseExpression):
            return original_node.visit(self.rewriter)
        if isinstance(updated_node, cst.IndentedBlock) and not updated_node.body:
            return updated_node.with_changes(body=[nodes.statements("pass\n")[0]])
        if isinstance(original_node, cst.With):
            statement = self.rewriter.facts.statements.get(original_node)
            if statement is not None and statement.transparent and isinstance(updated_node, cst.With):
                return cst.FlattenSentinel(list(updated_node.body.body))
        return updated_node


def _only_passes(body: cst.BaseSuite) -> bool:
    return all(isinstance(s, cst.SimpleStatementLine) and nodes.code(s).strip() == "pass" for s in body.body)


def _plain_lines(node: cst.BaseCompoundStatement) -> cst.BaseCompoundStatement:
    return node.with_changes(leading_lines=[line for line in node.leading_lines if line.comment is not None])
