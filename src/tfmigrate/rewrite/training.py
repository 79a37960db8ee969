"""Training inside a step: the tape, the gradients that `minimize` takes, and how an optimizer applies them."""

from __future__ import annotations

import libcst as cst

from tfmigrate.analysis.values import (
    Gradients,
    Graphlike,
    Operation,
    Optimizer,
    Placeholder,
    Tensor,
    Value,
    leaves,
)
from tfmigrate.plan.naming import numbered
from tfmigrate.plan.program import Unit
from tfmigrate.rewrite import nodes
from tfmigrate.rewrite.gradients import trained
from tfmigrate.rewrite.layout import one_a_line
from tfmigrate.rewrite.step_context import StepContext

LONG_LIST = 48  # characters from which on a list of variables gets a name rather than being written twice


class Training:
    """Writes the training of one writing of a step."""

    def __init__(self, context: StepContext) -> None:
        self.context = context
        self._lists: dict[Operation, str] = {}  # trained variables that got a name in the step

    def minimized(self, unit: Unit) -> Operation | None:
        """The op that minimizes a loss in the unit."""
        for statement in self.context.bindings.descendants(unit.statement):
            for made in statement.made:
                if isinstance(made, Operation) and made.kind == "minimize":
                    return made
        return None

    def tape(self, units: list[tuple[Unit | None, list[cst.BaseStatement]]]) -> list[cst.BaseStatement]:
        """The tape over the units' statements and the losses that have no name."""
        tf = self.context.tf
        inside: list[cst.BaseStatement] = []
        watched = self._watched()
        for name, source in watched.items():
            if isinstance(source, Placeholder):
                inside.append(nodes.statements(f"tape.watch({name})\n")[0])
        for unit, written in units:
            inside.extend(written)
            for name, source in watched.items():
                if (
                    unit is not None
                    and not isinstance(source, Placeholder)
                    and source.statement is not None
                    and source.statement.within(unit.statement)
                ):
                    inside.append(nodes.statements(f"tape.watch({name})\n")[0])
        for unit in self.context.step.units:
            operation = self.minimized(unit)
            if operation is None:
                continue
            if not isinstance(operation.loss_node, cst.Name):
                assert operation.loss_node is not None
                inside.append(nodes.assign("loss", self.context.visited(operation.loss_node)))
            if self.context.replicas is not None:
                inside.extend(self.context.replicas.target(operation, _loss_name(operation))[1])
        persistent = "persistent=True" if len(self.context.step.gradients) > 1 else ""
        if not inside:
            inside = [nodes.statements("pass\n")[0]]
        return [nodes.block(f"with {tf}.GradientTape({persistent}) as tape:", inside)]

    def _watched(self) -> dict[str, Graphlike]:
        """The tensors, by name, by which is differentiated: a tape watches variables by itself, but not these."""
        found: dict[str, Graphlike] = {}
        for gradient in self.context.step.gradients:
            sources = gradient.sources if isinstance(gradient, Gradients) else None
            for source in leaves(sources) if sources is not None else ():
                if isinstance(source, (Tensor, Placeholder)):
                    name = next((p.name for p in self.context.step.parameters if p.fed is source), source.name)
                    if name:
                        found[name] = source
        return found

    def gradient(self, operation: Operation, unit: Unit) -> list[cst.BaseStatement]:
        """`gradients = tape.gradient(loss, variables)`."""
        gradients, variables, _ = self._names(operation)
        loss = _loss_name(operation)
        if (replicas := self.context.replicas) is not None:
            loss = replicas.target(operation, loss)[0]
        made: list[cst.BaseStatement] = []
        if variables.startswith("[") and len(variables) > LONG_LIST and self.context.replicas is None:
            self._lists[operation] = self._free(gradients.removesuffix("gradients") + "trainable_variables")
            made = [nodes.assign(self._lists[operation], one_a_line(nodes.expression(variables)))]
            variables = self._lists[operation]
        made += nodes.statements(f"{gradients} = tape.gradient({loss}, {variables})\n")
        told = any(
            isinstance(lift.value, Optimizer) for lift in unit.statement.lifts.values()
        )  # the comment stands there
        leading = [] if told else [line for line in unit.statement.node.leading_lines if line.comment is not None]
        return [made[0].with_changes(leading_lines=leading), *made[1:]]

    def apply(self, operation: Operation) -> list[cst.BaseStatement]:
        """`optimizer.apply_gradients(zip(gradients, variables))`, with the rate before and the global step after it."""
        gradients, variables, optimizer = self._names(operation)
        variables = self._lists.get(operation, variables)
        if (replicas := self.context.replicas) is not None:
            assert operation.optimizer is not None
            replicas.slots(operation.optimizer, optimizer, variables)
        made = self.rate(operation.optimizer)
        made += nodes.statements(f"{optimizer}.apply_gradients(zip({gradients}, {variables}))\n")
        return made + self.advance(operation)

    def rate(self, optimizer: Optimizer | None) -> list[cst.BaseStatement]:
        """A rate that is a tensor is assigned before it is used."""
        if optimizer is None or not isinstance(optimizer.rate, Graphlike) or optimizer.rate_node is None:
            return []
        rate = self.context.visited(optimizer.rate_node)
        if _unshaped(optimizer.rate):  # a placeholder without a shape: the rate's variable takes a scalar only
            rate = nodes.call(f"{self.context.tf}.reshape", rate, cst.List([]))
        name = self._optimizer(optimizer)
        return [nodes.expr(nodes.call(f"{name}.learning_rate.assign", rate))]

    def advance(self, operation: Operation) -> list[cst.BaseStatement]:
        """The global step counts on."""
        if operation.global_step_node is None or operation.global_step is None:
            return []
        text = self.context.plan.variable_names.get(operation.global_step)
        if text is None:
            text = nodes.code(self.context.visited(operation.global_step_node))
        return nodes.statements(f"{text}.assign_add(1)\n")

    def _names(self, operation: Operation) -> tuple[str, str, str]:
        """The names of the gradients, of the trained variables and of the optimizer."""
        assert operation.optimizer is not None
        optimizer = self._optimizer(operation.optimizer)
        several = sum(1 for g in self.context.step.gradients) > 1
        prefix = f"{optimizer}_" if several else ""
        variables = self.context.plan.optimizer_lists.get(operation.optimizer)
        if variables is None or operation.variables_node is not None:
            place = operation.optimizer.call or self.context.step.runs[0].call
            variables = trained(self.context.rewriter(), operation, place)
        return f"{prefix}gradients", variables, optimizer

    def _optimizer(self, optimizer: Optimizer) -> str:
        """How the optimizer is reached in the step."""
        return self.context.rewrite.object_text(self.context.plan.optimizer_names.get(optimizer, "optimizer"))

    def _free(self, wanted: str) -> str:
        """A local name that nothing in the step bears."""
        taken = self.context.bound() | self.context.read() | set(self.context.plan.optimizer_lists.values())
        return numbered(wanted, taken)


def _loss_name(operation: Operation) -> str:
    """The name of the loss in the step."""
    return operation.loss_node.value if isinstance(operation.loss_node, cst.Name) else "loss"


def _unshaped(value: Value) -> bool:
    """Whether a placeholder without a shape is behind the value."""
    todo, seen = [value], set()
    while todo:
        each = todo.pop()
        if isinstance(each, Placeholder) and each.shape_node is None and each.default is None:
            return True
        if isinstance(each, Tensor) and id(each) not in seen:
            seen.add(id(each))
            todo.extend(v for i in each.inputs for v in leaves(i))
    return False
