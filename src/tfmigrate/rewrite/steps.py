"""Writes step functions: parameters, constants, the slice in its phases, gradients, updates, results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.values import Placeholder
from tfmigrate.plan.attributes import receiver
from tfmigrate.plan.bindings import Bindings
from tfmigrate.plan.program import KeptCall, Phase, Plan, SharedFunction, StepFunction, Unit
from tfmigrate.rewrite import nodes, specs
from tfmigrate.rewrite.constants import inlined
from tfmigrate.rewrite.expressions import ExpressionRewriter
from tfmigrate.rewrite.shared_calls import SharedCalls, call_returned, names, returned
from tfmigrate.rewrite.step_context import StepContext
from tfmigrate.rewrite.step_results import returned as step_returned
from tfmigrate.rewrite.step_statements import StatementWriter
from tfmigrate.rewrite.training import Training
from tfmigrate.rewrite.unbuilt import calling_first

if TYPE_CHECKING:
    from tfmigrate.rewrite.replica_steps import Replicas


class StepWriter:
    """Writes the step functions of one file. `rewriter` makes a fresh expression rewriter for code inside a step."""

    def __init__(self, plan: Plan, bindings: Bindings, rewriter: Callable[[], ExpressionRewriter]) -> None:
        self.plan, self.bindings, self.rewriter = plan, bindings, rewriter
        self.shared: list[SharedFunction] = []  # written already
        self.replicas: Replicas | None = None  # where a strategy shares out the batches

    def functions(self, steps: Sequence[StepFunction]) -> list[cst.BaseStatement]:
        """The definitions that stand at one place, what they share before the first that calls it; then their concrete
        functions.
        """
        made: list[cst.BaseStatement] = []
        traced: list[tuple[cst.FunctionDef, cst.BaseStatement]] = []
        for step in steps:
            for function, _ in step.prefix:
                if function not in self.shared:
                    self.shared.append(function)
                    made.append(self._shared_function(function, step))
            definition, *lines = self._function(step)
            made.append(definition)
            for line in lines:
                if isinstance(line, cst.SimpleStatementLine) and isinstance(definition, cst.FunctionDef):
                    traced.append((definition, line))
                else:
                    made.append(line)
        concrete = calling_first(traced)
        blank = 2 if steps and steps[0].scope.is_module else 1
        return made + [nodes.blank_lines(c, blank if i == 0 else 0) for i, c in enumerate(concrete)]  # type: ignore[misc]

    def _context(self, step: StepFunction) -> StepContext:
        replicas = self.replicas if step in self.plan.replicated else None

        def rewriter_of_step() -> ExpressionRewriter:
            made = self.rewriter()
            made.updating = step.updating
            made.kept, made.scope = step.kept_names, step.scope
            made.replicas = replicas
            return made

        return StepContext(self.plan, self.bindings, step, rewriter_of_step, replicas)

    def _function(self, step: StepFunction) -> list[cst.BaseStatement]:
        """The decorated definition and the line that takes its concrete function."""
        context = self._context(step)
        body = step_body(context)
        if context.replicas is not None:
            return [*context.replicas.function(context, body), *_attribute(step)]
        if step.plain:
            definition = nodes.function(step.name, [p.name for p in step.parameters], body, "", context.blank)
            return [definition, *_attribute(step)]
        host = any(p.host is not None or p.element is not None for p in step.parameters)
        signature = [specs.of_parameter(context, p) for p in step.parameters]
        known = not host and all(signature)
        decorator = f"@{context.tf}.function"
        if known and signature:
            decorator += f"(input_signature=[{', '.join(s for s in signature if s)}])"
        definition = nodes.function(step.name, [p.name for p in step.parameters], body, decorator, context.blank)
        if not known:
            return [definition, *_attribute(step)]
        name = f"{receiver(step.scope)}.{step.name}" if step.receivers else step.name
        concrete = nodes.statements(f"{name} = {step.name}.get_concrete_function()\n")[0]
        return [definition, nodes.blank_lines(concrete, context.blank)]  # type: ignore[list-item]

    def _shared_function(self, function: SharedFunction, step: StepFunction) -> cst.FunctionDef:
        """The definition of what several steps compute alike; `step` is the first of them."""
        context = self._context(step)
        writer = StatementWriter(context, Training(context))
        body = [s for unit in function.units for s in writer.statement(unit.statement)]
        body.append(call_returned(function))
        read = names(body)[0]
        function.parameters = [name for name in function.parameters if name in read]
        return nodes.function(function.name, function.parameters, returned(body), "", context.blank)


def _attribute(step: StepFunction) -> list[cst.BaseStatement]:
    """Where others call it through an object, the function is an attribute of that."""
    own = receiver(step.scope)
    return nodes.statements(f"{own}.{step.name} = {step.name}\n") if step.receivers else []


def step_body(context: StepContext) -> list[cst.BaseStatement]:
    """The body, what is shared as calls; a constant that only shared functions need is given in the call."""
    step = context.step
    constants = [name for name, _, _ in step.constants]

    def calls(named: set[str]) -> SharedCalls:
        return SharedCalls(step, named, lambda placeholder, node: _constant(context, placeholder, node))

    shared = calls(set()) if step.prefix else None
    body = _written(context, shared)
    if shared is not None:
        named = set(constants) & names(body)[0]
        if named:
            shared = calls(named)
            body = _written(context, shared)
        if shared.lost(body):
            body = _written(context, None)
    return returned(inlined(body, constants))


def _written(context: StepContext, shared: SharedCalls | None) -> list[cst.BaseStatement]:
    """The statements in their phases: constants, what is taped, gradients, what is computed, updates, results."""
    step, training = context.step, Training(context)
    writer = StatementWriter(context, training)

    def unit_statements(unit: Unit) -> list[cst.BaseStatement]:
        call = shared.write(unit) if shared is not None else None
        return writer.statement(unit.statement) if call is None else call

    body: list[cst.BaseStatement] = []
    if context.replicas is not None:
        context.replicas.begin(context)
    for name, placeholder, node in step.constants:
        if shared is None or name in shared.named:
            body.append(nodes.assign(name, _constant(context, placeholder, node)))
    taped: list[tuple[Unit | None, list[cst.BaseStatement]]] = [
        (u, unit_statements(u)) for u in step.units if u.phase is Phase.TAPE
    ]
    taken = [line for call in step.kept for line in _kept(call)]
    if step.gradients and taken:
        taped.insert(0, (None, taken))
    else:
        body.extend(taken)
    body.extend(training.tape(taped) if step.gradients else [s for _, made in taped for s in made])
    rest = [u for u in step.units if u.phase is not Phase.TAPE]
    minimized = {u: training.minimized(u) for u in rest}
    for unit in rest:
        operation = minimized[unit]
        if operation is not None:
            body.extend(training.gradient(operation, unit))
    for unit in rest:
        if unit.phase is Phase.PURE:
            body.extend(unit_statements(unit))
    late: list[cst.BaseStatement] = []
    for unit in rest:
        if unit.phase is Phase.EFFECT:
            operation = minimized[unit]
            late.extend(training.apply(operation) if operation is not None else unit_statements(unit))
    saved, result = step_returned(context, bool(late))
    body.extend(saved)
    body.extend(late)
    if context.replicas is not None:
        result = context.replicas.returned(result)
    if result is not None:
        body.append(cst.SimpleStatementLine([cst.Return(result)]))
    return body or [nodes.statements("pass\n")[0]]


def _kept(call: KeptCall) -> list[cst.BaseStatement]:
    """`logits = model.compute_logits(x)`."""
    given = ", ".join(call.arguments)
    return nodes.statements(f"{', '.join(call.results)} = {call.text}.{call.function.name}({given})\n")


def _constant(context: StepContext, placeholder: Placeholder, node: cst.BaseExpression) -> cst.BaseExpression:
    """A placeholder's constant, as a value of its dtype."""
    made = context.visited(node)
    dtype = nodes.code(placeholder.dtype) if placeholder.dtype is not None else ""
    text = nodes.code(made)
    if "bool" in dtype and text in ("0", "1"):
        made, text = cst.Name("True" if text == "1" else "False"), "True" if text == "1" else "False"
    if placeholder.decides and text in ("True", "False"):
        return nodes.expression(f"{context.tf}.constant({text})")
    if ("float" in dtype or '"float"' in dtype) and text.lstrip("-").isdigit():
        return nodes.expression(text + ".0")
    return made
