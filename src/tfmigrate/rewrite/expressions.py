"""Rewrites expressions: API symbols by the rules, variables, layers, run sites and assignments by the plan.

An edit is a function of the updated node, so nested edits survive; facts are looked up by the original node. What each
kind of expression becomes stands in a file of its own: references.py, calls.py, methods.py, variables.py, layers.py …
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.facts import Facts, Scope
from tfmigrate.analysis.recurrent_cells import Cell
from tfmigrate.analysis.refusal import Refusal
from tfmigrate.analysis.values import Context as GraphContext
from tfmigrate.analysis.values import Graphlike, Host, NoGradient, Optimizer, Placeholder, Session, Variable
from tfmigrate.model import Finding, Optimizers, Options, Severity, SignatureChange
from tfmigrate.plan.program import Plan
from tfmigrate.rewrite import calls, comprehensions, layers, methods, nodes
from tfmigrate.rewrite.aggregation import aggregated
from tfmigrate.rewrite.arguments import ended
from tfmigrate.rewrite.output import Output
from tfmigrate.rewrite.references import reference
from tfmigrate.rules.base import Context, Rewritten

if TYPE_CHECKING:
    from tfmigrate.rewrite.replica_steps import Replicas


class ExpressionRewriter(cst.CSTTransformer):
    """Rewrites expressions of one file. `step` tells that the code goes into a step function."""

    def __init__(
        self,
        facts: Facts,
        plan: Plan,
        options: Options,
        output: Output,
        path: str,
        *,
        step: bool = False,
        tf: str = "tf",
    ) -> None:
        super().__init__()
        self.facts, self.plan, self.options = facts, plan, options
        self.output, self.path, self.step = output, path, step
        self.context = Context(tf=tf, fused=options.optimizers is Optimizers.FUSED)
        # in a step: no gradient reaches what is fed
        self.frozen = Context(tf=tf, fused=self.context.fused, frozen=plan.fed_names)
        self.skip: set[cst.CSTNode] = set()
        self.attributes: dict[str, str] = {}  # names that stand on self here
        self.tape = "tape"
        self.lifted: cst.Call | None = None  # what is being written itself: it is not replaced by its name
        self.helpers = 0  # helper functions around this code: their parameters are not the driver's placeholders
        self.updating: set[Graphlike] = set()  # layers whose averages move in this step
        self.replicas: Replicas | None = None  # in a step that replicas take
        self.kept: dict[Graphlike, str] = {}  # in a step: what it takes from objects, by its names there
        self.scope: Scope | None = None  # of the step

    def refuse(self, code: str, node: cst.CSTNode, message: str) -> None:
        """A construct that cannot be written."""
        finding = Finding(code, Severity.ERROR, self.plan.locate(node), message)
        self.output.refusals.setdefault(finding)

    def note(self, code: str, node: cst.CSTNode, message: str) -> None:
        """Something to tell the user."""
        finding = Finding(code, Severity.WARNING, self.plan.locate(node), message)
        self.output.notes.setdefault(finding)

    def take(self, result: Rewritten, node: cst.CSTNode) -> None:
        """Note what a rule tells; need what its expression needs."""
        for code, message in result.notes:
            self.note(code, node, message)
        self.output.need(self.path, result.support)
        for statement in result.imports:
            self.output.add_import(self.path, statement)

    def value_text(self, value: object) -> str | None:
        """The expression by which a thing of the graph is reached here."""
        if isinstance(value, Variable) and value in self.plan.variable_names:
            return self.plan.variable_names[value]
        if isinstance(value, Graphlike) and value.name:
            return value.name
        return None

    def object_text(self, name: str) -> str:
        """How an object made once is reached here."""
        return f"self.{self.attributes[name]}" if name in self.attributes else name

    # functions

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool | None:
        self.helpers += node not in self.plan.drivers
        return None

    def leave_FunctionDef(
        self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
    ) -> cst.BaseStatement | cst.RemovalSentinel:
        """Parameters that took the session are gone."""
        self.helpers -= original_node not in self.plan.drivers
        found = self.facts.functions.get(original_node, [])
        gone = {name for call in found for name, value in call.arguments.items() if isinstance(value, Session)}
        if not gone:
            return updated_node
        kept = [p for p in updated_node.params.params if p.name.value not in gone]
        if kept:
            kept[-1] = kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
        made = updated_node.with_changes(params=updated_node.params.with_changes(params=kept))
        self.output.signatures.append(
            SignatureChange(self.plan.locate(original_node), _head(original_node), _head(made))
        )
        return made

    def visit_Param(self, node: cst.Param) -> bool:
        self.skip.add(node.name)
        return True

    def visit_WithItem(self, node: cst.WithItem) -> bool:
        return not isinstance(self.facts.values.get(node.item), (GraphContext, Session))

    # names

    def visit_Attribute(self, node: cst.Attribute) -> bool:
        self.skip.add(node.attr)
        if node in self.facts.symbols:
            self.skip.add(node.value)
        return True

    def visit_Arg(self, node: cst.Arg) -> bool:
        if node.keyword is not None:
            self.skip.add(node.keyword)
        return True

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        if original_node in self.skip:
            return updated_node
        named = self.facts.values.get(original_node)
        own = self.plan.layer_names.get(named) if isinstance(named, Cell) else None
        if own is not None and isinstance(named, Cell) and named.name == original_node.value != own:
            return nodes.expression(self.object_text(own))  # its name is bound again
        if original_node.value in self.attributes:
            return nodes.expression(f"self.{self.attributes[original_node.value]}")
        value = self.facts.values.get(original_node)
        if (
            not self.step
            and not self.helpers
            and isinstance(value, Placeholder)
            and value in self.plan.spec_names
            and (value.name == original_node.value or original_node.value in self.plan.removed_names)
        ):
            return cst.Name(self.plan.spec_names[value])
        if not self.step and original_node.value in self.plan.removed_names and isinstance(value, NoGradient):
            return cst.Name("None")  # a gradient that there is none of
        if isinstance(value, Variable) and value.name == original_node.value != self.plan.variable_names.get(
            value, value.name
        ):
            return nodes.expression(self.plan.variable_names[value])  # bound again: each variable has a name of its own
        return reference(self, original_node, updated_node)

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:
        if original_node in self.skip:
            return updated_node
        scope, text = self.facts.values.get(original_node.value), self.facts.values.get(original_node)
        if isinstance(scope, GraphContext) and isinstance(text, Host) and isinstance(text.literal, str):
            return nodes.expression(f'"{text.literal}"')  # the name of a scope
        value = self.facts.values.get(original_node)
        if isinstance(value, Graphlike) and value in self.kept:
            return cst.Name(self.kept[value])
        static = self.facts.static_reads.get(original_node)
        if isinstance(static, Placeholder) and not self.step:
            return cst.Attribute(
                nodes.expression(self.plan.spec_names.get(static, static.name or "spec")), original_node.attr
            )
        if original_node.attr.value == "value" and self._dimension(original_node.value):
            return updated_node.value
        inner, new = original_node.value, updated_node.value
        op_name = original_node.attr.value == "name" and isinstance(inner, cst.Attribute) and inner.attr.value == "op"
        if op_name and isinstance(inner, cst.Attribute) and isinstance(self.facts.values.get(inner.value), Variable):
            assert isinstance(new, cst.Attribute)
            return nodes.expression(f'{nodes.code(new.value)}.name.split(":")[0]')
        return reference(self, original_node, updated_node)

    def _dimension(self, node: cst.BaseExpression) -> bool:
        """Whether the expression is one dimension of a static shape: plain ints in TensorFlow 2."""
        if not isinstance(node, cst.Subscript):
            return False
        base = node.value
        if isinstance(base, cst.Call) and isinstance(base.func, cst.Attribute) and base.func.attr.value == "get_shape":
            return True
        return (
            isinstance(base, cst.Attribute)
            and base.attr.value == "shape"
            and isinstance(self.facts.values.get(base.value), Graphlike)
        )

    def leave_ListComp(self, original_node: cst.ListComp, updated_node: cst.ListComp) -> cst.BaseExpression:
        return comprehensions.listed(self, original_node) or updated_node

    def leave_DictComp(self, original_node: cst.DictComp, updated_node: cst.DictComp) -> cst.BaseExpression:
        return comprehensions.mapped(self, original_node) or updated_node

    # calls

    def visit_Call(self, node: cst.Call) -> bool:
        if node in self.facts.symbols or node.func in self.facts.symbols:
            self.skip.add(node.func)
        if node in self.facts.runs or node in self.facts.collected:
            return False
        return not (
            isinstance(node.func, cst.Attribute) and isinstance(self.facts.values.get(node.func.value), Optimizer)
        )

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        try:
            return self._call(original_node, updated_node)
        except Refusal as refusal:
            self.refuse(refusal.code, original_node, refusal.message)
            return updated_node

    def _call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        if original_node in self.facts.runs:
            return self.run_site(original_node)
        if original_node is not self.lifted:
            replaced = self._lifted(original_node, updated_node)
            if replaced is not None:
                return replaced
            updated_node = self._without_session(original_node, updated_node)
        symbol = self.facts.symbols.get(original_node.func)
        if symbol is not None and not symbol.startswith("builtins."):
            made = calls.called(self, symbol, original_node, updated_node)
            return (
                aggregated(self.plan, self.facts.values.get(original_node), made, self.context.tf)
                if self.plan.aggregations
                else made
            )
        return methods.called(self, original_node, updated_node)

    def _lifted(self, original: cst.Call, updated: cst.Call) -> cst.BaseExpression | None:
        """A build-once expression that stands inside another statement is replaced by its name there."""
        layer = self.facts.layer_results.get(original)
        if layer is not None:
            return layers.called(self, layer, original, updated)
        for fact in self.facts.calls.get(original, ()):
            if fact.layer is not None and fact.layer in self.plan.layer_names:
                updated = self._without_session(original, updated)
                return layers.function_called(self, fact.layer, original, updated)
        if not self.step:
            return None
        value = self.facts.values.get(original)
        if isinstance(value, Variable) and value in self.plan.variable_names:
            return nodes.expression(self.plan.variable_names[value])
        if isinstance(value, Optimizer) and value in self.plan.optimizer_names:
            return nodes.expression(self.plan.optimizer_names[value])
        if isinstance(value, Cell) and value.expression is original and value in self.plan.layer_names:
            return nodes.expression(self.object_text(self.plan.layer_names[value]))
        return None

    def _without_session(self, original: cst.Call, updated: cst.Call) -> cst.Call:
        """The call of a function of the program's own without the session as an argument."""
        gone = [a for a in original.args if isinstance(self.facts.values.get(a.value), Session)]
        if not gone or not self.facts.calls.get(original):
            return updated
        kept = [u for o, u in zip(original.args, updated.args, strict=True) if o not in gone]
        return updated.with_changes(args=ended(kept))

    def run_site(self, node: cst.Call) -> cst.BaseExpression:
        """The expression that a run site becomes; the driver's rewriter gives it."""
        self.refuse("TFM105", node, "the session is run inside code that moves into a step function")
        return node


def _head(node: cst.FunctionDef) -> str:
    """`name(parameters)`."""
    return f"{node.name.value}({nodes.code(node.params).strip()})"
