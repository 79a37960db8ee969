"""Rewrites a file: what is gone goes, step functions are put in place, run sites become calls, sessions dissolve.

The visit of the file's statements is here; what each kind becomes stands in a file of its own: special_statements.py,
sites.py, specs.py, dissolving.py, conditions.py, lifts.py …
"""

from __future__ import annotations

from typing import Any

import libcst as cst

from tfmigrate.analysis.facts import Binding, Facts, Statement
from tfmigrate.analysis.recurrent_cells import Cell
from tfmigrate.analysis.values import Layer, MovingAverage, Optimizer, Saver, Variable
from tfmigrate.model import Options
from tfmigrate.plan.bindings import Bindings
from tfmigrate.plan.naming import Names
from tfmigrate.plan.program import Plan, StepFunction
from tfmigrate.rewrite import attributes, averages, cells, conditions, layout, settings, sites, sizes
from tfmigrate.rewrite.blocks import grouped
from tfmigrate.rewrite.checkpoints import CheckpointWriter
from tfmigrate.rewrite.dissolving import dissolved, goes
from tfmigrate.rewrite.driver_expressions import DriverExpressions
from tfmigrate.rewrite.expressions import ExpressionRewriter
from tfmigrate.rewrite.hoisting import anew_around, hoisted
from tfmigrate.rewrite.host_values import subscripted
from tfmigrate.rewrite.lifts import lifted
from tfmigrate.rewrite.marks import Marks
from tfmigrate.rewrite.modules import ModuleWriter
from tfmigrate.rewrite.output import Output
from tfmigrate.rewrite.reinitializing import initial_values
from tfmigrate.rewrite.slots import Slots
from tfmigrate.rewrite.special_statements import special
from tfmigrate.rewrite.steps import StepWriter


class DriverRewriter(ExpressionRewriter):
    """Rewrites one file of a program by its plan."""

    names: Names  # taken in the file
    strategy_name = "strategy"

    def __init__(
        self, facts: Facts, plan: Plan, bindings: Bindings, options: Options, output: Output, path: str, tf: str
    ) -> None:
        super().__init__(facts, plan, options, output, path, tf=tf)
        self.bindings = bindings
        self.before: dict[cst.CSTNode, list[StepFunction]] = {}
        self.after: dict[cst.CSTNode, list[StepFunction]] = {}
        for step in plan.steps:
            if step.anchor is not None and step.scope.path == path:
                node = conditions.chain_head(step.anchor, facts).node
                (self.before if step.before else self.after).setdefault(node, []).append(step)
        self.steps = StepWriter(plan, bindings, self.step_rewriter)
        self.checkpoints = CheckpointWriter(plan, facts, bindings, self)
        self.slots = Slots(self)
        self.marks = Marks()
        self.blank_due: set[tuple[object, object, str]] = set()  # blocks in which a blank line was dropped last
        self.dissolving: set[cst.CSTNode] = set()  # blocks whose statements go to the block around them
        self.early: dict[cst.CSTNode, list[cst.BaseStatement]] = {}
        self.specials: dict[Statement, list[cst.BaseStatement] | None] = {}
        self.hoisted = hoisted(facts, bindings, path)
        self.hoisting = {statement for statements in self.hoisted.values() for statement in statements}

    def step_rewriter(self) -> ExpressionRewriter:
        """A rewriter for code that goes into a step function."""
        return ExpressionRewriter(
            self.facts, self.plan, self.options, self.output, self.path, step=True, tf=self.context.tf
        )

    def visited(self, node: cst.BaseExpression, lifted: cst.Call | None = None) -> cst.BaseExpression:
        """The expression as it is in the build part, run sites included; `lifted` is written out, not replaced."""
        rewriter = DriverExpressions(self)
        rewriter.lifted = lifted
        made = node.visit(rewriter)
        assert isinstance(made, cst.BaseExpression)
        return made

    def fresh(self, name: str) -> str:
        """A made-up name that nothing in the file bears."""
        return self.names.fresh(name)

    def gone(self, statement: Statement) -> bool:
        """Whether the statement, or one around it, is gone from the build part."""
        at: Statement | None = statement
        while at is not None:
            if at in self.plan.removed:
                return True
            at = at.parent
        return False

    # the visit

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> object:  # type: ignore[override]
        result = super().on_leave(original_node, updated_node)
        if isinstance(original_node, (cst.SimpleStatementLine, cst.BaseCompoundStatement)):
            return self._statement(original_node, result)
        if isinstance(result, (cst.IndentedBlock, cst.Module)) and original_node not in self.dissolving:
            assert isinstance(original_node, (cst.IndentedBlock, cst.Module))
            return grouped(self, original_node, result)
        return result

    def visit_SimpleStatementLine(self, node: cst.SimpleStatementLine) -> bool:
        statement = self.facts.statements.get(node)
        return node not in self.plan.kept and not (
            statement is not None and (self.gone(statement) or self._special(statement) is not None)
        )

    def visit_For(self, node: cst.For) -> None:
        self._early(node)

    def visit_While(self, node: cst.While) -> None:
        self._early(node)

    def _early(self, node: cst.For | cst.While) -> None:
        """Savers made in the very calls that save, inside the loop, are made before it."""
        loop = self.facts.statements.get(node)
        if loop is None or any(self.bindings.runs(around) for around in loop.loops):
            return
        for statement in self.bindings.descendants(loop):
            inline = statement.runs and any(isinstance(m, Saver) for m in statement.made)
            if inline and not anew_around(statement, self.bindings):
                self.early.setdefault(node, []).extend(self.checkpoints.inline(statement))

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
        super().visit_FunctionDef(node)
        return node not in self.plan.layers

    def leave_If(self, original_node: cst.If, updated_node: cst.If) -> cst.BaseStatement | cst.RemovalSentinel:
        return conditions.left(original_node, updated_node, self.facts) or cst.RemoveFromParent()

    def visit_With(self, node: cst.With) -> bool:
        statement = self.facts.statements.get(node)
        if statement is not None and statement.transparent and all(goes(self, item) for item in node.items):
            self.dissolving.add(node.body)
        return True

    def leave_Subscript(self, original_node: cst.Subscript, updated_node: cst.Subscript) -> cst.BaseExpression:
        return subscripted(self, original_node) or sizes.read(self, original_node) or updated_node

    def run_site(self, node: cst.Call) -> cst.BaseExpression:
        return sites.expression(self, node)

    # statements

    def _statement(self, original: cst.CSTNode, result: object) -> object:
        statement = self.facts.statements.get(original)
        if statement is None:
            return result
        made: list[cst.BaseStatement] = []
        made.extend(self.early.pop(original, ()))
        for early in self.hoisted.get(original, ()):
            made.extend(self._built(early))
        made.extend(self._functions(self.before.get(original, [])))
        if isinstance(original, cst.FunctionDef) and original in self.plan.layers:
            made.extend(ModuleWriter(self, self.plan.layers[original]).write())
            for node in made:
                self.marks.define(node)
        else:
            made.extend(self._own(statement, original, result))
        made.extend(self._functions(self.after.get(original, [])))
        made = self._paragraph(statement, original, made)
        if len(made) == 1:
            return made[0]
        if not made:
            return cst.RemovalSentinel.REMOVE
        if isinstance(original, cst.If) and conditions.is_elif(original, self.facts):
            self.refuse("TFM105", original, "an elif makes what must stand before it")
            return result
        return cst.FlattenSentinel(made)

    def _paragraph(
        self, statement: Statement, original: cst.CSTNode, made: list[cst.BaseStatement]
    ) -> list[cst.BaseStatement]:
        """The blank line before a statement that is gone goes to what follows it."""
        block = (statement.scope, statement.parent, statement.block)
        if made:
            lines = list(made[0].leading_lines)  # type: ignore[attr-defined]
            if block in self.blank_due and not any(line.comment is None for line in lines[:1]):
                made = [self.marks.relined(made[0], [cst.EmptyLine(indent=False), *lines]), *made[1:]]
            self.blank_due.discard(block)
        elif any(line.comment is None for line in original.leading_lines[:1]):  # type: ignore[attr-defined]
            self.blank_due.add(block)
        return made

    def _functions(self, steps: list[StepFunction]) -> list[cst.BaseStatement]:
        made = self.steps.functions(steps)
        for node in made:
            self.marks.define(node)
        return made

    def _own(self, statement: Statement, original: cst.CSTNode, result: object) -> list[cst.BaseStatement]:
        if original in self.plan.kept:
            return [statement.node]
        if statement in self.hoisting:
            return []
        if isinstance(original, cst.With) and statement.transparent and isinstance(result, cst.With):
            return dissolved(self, original, result)
        return self._built(statement, result)

    def _built(self, statement: Statement, result: object = None) -> list[cst.BaseStatement]:
        """What of a statement stays in the build part."""
        made_once = lifted(self, statement) + cells.built(self, statement)
        if self.gone(statement):
            if made_once:
                made_once[0] = self.marks.relined(made_once[0], statement.node.leading_lines)
                return made_once + averages.made_once(self, statement) + self._handed_out(statement)
            made = settings.made(self, statement) + self.slots.late(statement)
            return made + averages.made_once(self, statement) + attributes.spec(self, statement)
        replaced = self._special(statement)
        if replaced is not None:
            return made_once + replaced
        if result is None:
            result = statement.node.visit(DriverExpressions(self))
        if isinstance(result, cst.RemovalSentinel):
            return made_once
        own: list[Any] = list(result) if isinstance(result, cst.FlattenSentinel) else [result]
        own = [n.with_changes(leading_lines=list(n.leading_lines)) for n in own if not layout.empty(n)]
        value = statement.value
        if isinstance(value, (Variable, Cell)) and len(own) == 1 and value.name in statement.defines:
            name = self.plan.text(value, None)
            if name is not None and name != value.name and name.isidentifier():
                own = [_retargeted(own[0], str(value.name), name)]
        own += self._handed_out(statement)
        if self._makes_variables(statement) or attributes.hands_out_variables(self, statement):
            for node in own:
                self.marks.scope(node)
        return made_once + own

    def _handed_out(self, statement: Statement) -> list[cst.BaseStatement]:
        """Lines that follow what a statement makes: for code elsewhere, or for later."""
        return [*attributes.handed_out(self, statement), *initial_values(self, statement)]

    def _makes_variables(self, statement: Statement) -> bool:
        if not isinstance(statement.node, (cst.SimpleStatementLine, cst.For)):
            return False
        if self.bindings.of(statement) is not Binding.BUILD or statement.runs:
            return False
        inner = self.bindings.descendants(statement)
        made = any(isinstance(m, (Variable, Optimizer, Layer, MovingAverage)) for s in inner for m in s.made)
        called = any(
            f.statement in inner and any(isinstance(m, Variable) for m in f.made)
            for facts in self.facts.calls.values()
            for f in facts
        )
        return made or called

    def _special(self, statement: Statement) -> list[cst.BaseStatement] | None:
        """What the statement becomes of its own, asked once for each statement."""
        if statement not in self.specials:
            self.specials[statement] = special(self, statement)
        return self.specials[statement]


def _retargeted(node: object, old: str, new: str) -> object:
    """The assignment with another name for its target."""
    if isinstance(node, cst.SimpleStatementLine) and isinstance(node.body[0], cst.Assign):
        assign = node.body[0]
        targets = [
            t.with_changes(target=cst.Name(new)) if isinstance(t.target, cst.Name) and t.target.value == old else t
            for t in assign.targets
        ]
        return node.with_changes(body=[assign.with_changes(targets=targets)])
    return node
