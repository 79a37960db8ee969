"""Writes a function that makes variables as a tf.Module."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import libcst as cst

from tfmigrate.analysis.facts import Statement
from tfmigrate.analysis.recurrent_cells import Cell
from tfmigrate.analysis.values import Layer, Variable
from tfmigrate.model import SignatureChange
from tfmigrate.plan.program import LayerClass, StepFunction
from tfmigrate.rewrite import nodes
from tfmigrate.rewrite.constructors import constructor
from tfmigrate.rewrite.expressions import ExpressionRewriter
from tfmigrate.rewrite.step_context import StepContext
from tfmigrate.rewrite.step_statements import StatementWriter
from tfmigrate.rewrite.training import Training

if TYPE_CHECKING:
    from tfmigrate.rewrite.driver import DriverRewriter


class ModuleWriter:
    """Writes one class."""

    def __init__(self, driver: DriverRewriter, layer_class: LayerClass) -> None:
        self.driver, self.layer = driver, layer_class
        self.read_while_building = {name for s in layer_class.build for (_, name) in s.uses}

    def write(self) -> list[cst.BaseStatement]:
        """The class that stands where the function stood."""
        layer, tf = self.layer, self.driver.context.tf
        inner = {
            self.driver.plan.layer_names[lift.value]
            for s in layer.scope.statements
            for lift in s.lifts.values()
            if isinstance(lift.value, Layer) and lift.value in self.driver.plan.layer_names
        }
        for name in inner:
            layer.attributes[name] = name
        init: list[cst.BaseStatement] = [nodes.statements("super().__init__()\n")[0]]
        for name in layer.build_parameters:
            if name in layer.attributes:
                init.append(nodes.statements(f"self.{layer.attributes[name]} = {name}\n")[0])
        for statement in layer.build:
            init.extend(self._build(statement))
        for statement in layer.call:
            init.extend(self._lifted(statement))
        call: list[cst.BaseStatement] = []
        writer = _call_writer(self.driver, layer)
        for statement in layer.call:
            call.extend(writer.statement(statement))
        defaults = self._defaults()
        methods = [
            nodes.function("__init__", ["self", *(defaults.get(p, p) for p in layer.build_parameters)], init),
            nodes.function(
                "__call__",
                ["self", *(defaults.get(p, p) for p in layer.call_parameters)],
                call or nodes.statements("pass\n"),
                blank=1,
            ),
        ]
        body: list[Any] = [*self._docstring(), *methods]
        if len(body) > 2:
            body[1] = nodes.blank_lines(body[1], 1)
        made = nodes.block(f"class {layer.name}({tf}.Module):", body)
        to_init, to_call = ", ".join(layer.build_parameters), ", ".join(layer.call_parameters)
        before = f"{layer.node.name.value}({nodes.code(layer.node.params).strip()})"
        self.driver.output.signatures.append(
            SignatureChange(self.driver.plan.locate(layer.node), before, f"{layer.name}({to_init})({to_call})")
        )
        return [made.with_changes(leading_lines=layer.node.leading_lines)]

    def _docstring(self) -> list[cst.BaseStatement]:
        first = self.layer.node.body.body[0] if self.layer.node.body.body else None
        if (
            isinstance(first, cst.SimpleStatementLine)
            and isinstance(first.body[0], cst.Expr)
            and isinstance(first.body[0].value, (cst.SimpleString, cst.ConcatenatedString))
        ):
            return [first]
        return []

    def _defaults(self) -> dict[str, str]:
        found: dict[str, str] = {}
        params = self.layer.node.params
        for param in (*params.posonly_params, *params.params, *params.kwonly_params):
            if param.default is not None:
                visited = param.default.visit(self._rewriter())
                found[param.name.value] = f"{param.name.value}={nodes.code(visited)}"  # type: ignore[arg-type]
        return found

    def _rewriter(self) -> ExpressionRewriter:
        driver = self.driver
        return ExpressionRewriter(
            driver.facts, driver.plan, driver.options, driver.output, driver.path, tf=driver.context.tf
        )

    def _build(self, statement: Statement) -> list[cst.BaseStatement]:
        rewriter = _BuildRewriter(self.driver)
        visited = statement.node.visit(rewriter)
        made: list[Any] = [] if isinstance(visited, cst.RemovalSentinel) else [visited]
        cell = statement.value
        if isinstance(cell, Cell) and cell.name in statement.defines:
            own = self.driver.plan.layer_names.get(cell, cell.name)
            if own != cell.name:  # that is bound again in the call part
                return [nodes.assign(f"self.{own}", made[0].body[0].value)]
        for name in sorted(statement.defines):
            if name in self.layer.attributes and name not in self.layer.build_parameters:
                made = [self._as_attribute(m, name) for m in made]
            elif name in self.layer.attributes:
                made.append(nodes.statements(f"self.{self.layer.attributes[name]} = {name}\n")[0])
        return [
            m.with_changes(leading_lines=[line for line in m.leading_lines if line.comment is not None]) for m in made
        ]

    def _as_attribute(self, node: cst.CSTNode, name: str) -> cst.CSTNode:
        used = name in self.read_while_building
        attribute = nodes.expression(f"self.{self.layer.attributes[name]}")
        if isinstance(node, cst.SimpleStatementLine) and isinstance(node.body[0], cst.Assign) and not used:
            assign = node.body[0]
            targets = [
                t.with_changes(target=attribute) if isinstance(t.target, cst.Name) and t.target.value == name else t
                for t in assign.targets
            ]
            return node.with_changes(body=[assign.with_changes(targets=targets)])
        if isinstance(node, cst.SimpleStatementLine) and isinstance(node.body[0], cst.Assign):
            assign = node.body[0]
            assert isinstance(attribute, cst.BaseAssignTargetExpression)
            return node.with_changes(body=[assign.with_changes(targets=[cst.AssignTarget(attribute), *assign.targets])])
        return node

    def _lifted(self, statement: Statement) -> list[cst.BaseStatement]:
        """Objects made once inside the call part: attributes."""
        made: list[cst.BaseStatement] = []
        for inner in self.driver.bindings.descendants(statement):
            for lift in inner.lifts.values():
                value = lift.value
                name = self.driver.plan.layer_names.get(value) if isinstance(value, Layer) else None
                if isinstance(value, Variable) and value.attribute is None:
                    self.driver.refuse(
                        "TFM103", lift.expression, "a variable is made inside an expression of a helper function"
                    )
                if name is not None:
                    made.append(nodes.assign(f"self.{name}", constructor(self.driver, lift.expression, value)))
        return made


class _BuildRewriter(cst.CSTTransformer):
    """Expressions of the build part; scopes dissolve."""

    def __init__(self, driver: DriverRewriter) -> None:
        super().__init__()
        self.driver = driver

    def on_visit(self, node: cst.CSTNode) -> bool:
        return not isinstance(node, cst.BaseExpression)

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> cst.CSTNode:  # type: ignore[override]
        if isinstance(original_node, cst.BaseExpression):
            driver = self.driver
            rewriter = ExpressionRewriter(
                driver.facts, driver.plan, driver.options, driver.output, driver.path, tf=driver.context.tf
            )
            return original_node.visit(rewriter)  # type: ignore[return-value]
        return updated_node


def _call_writer(driver: DriverRewriter, layer: LayerClass) -> StatementWriter:
    """Writes statements of the call part: names of the build part stand on self."""

    def rewriter() -> ExpressionRewriter:
        made = driver.step_rewriter()
        made.attributes = layer.attributes
        return made

    context = StepContext(driver.plan, driver.bindings, cast(StepFunction, _NO_STEP), rewriter)
    return StatementWriter(context, Training(context))


class _NoStep:
    """Stands in for a step function where there is none."""

    units: tuple[()] = ()
    parameters: tuple[()] = ()
    returns: tuple[()] = ()
    gradients: tuple[()] = ()
    keep_structure = False


_NO_STEP = _NoStep()
