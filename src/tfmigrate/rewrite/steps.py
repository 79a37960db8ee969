"""Writes step functions: parameters, constants, the slice in its phases, gradients, updates, results."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Sequence_
from typing import TYPE_CHECKING, Any

import libcst as cst

from tfmigrate.analysis.facts import Fetch, Statement, Structure
from tfmigrate.analysis.signatures import arguments
from tfmigrate.analysis.values import (
    Gradients,
    Graphlike,
    Layer,
    Operation,
    Optimizer,
    Placeholder,
    Sequence,
    Summary,
    Tensor,
    Value,
    Variable,
    leaves,
)
from tfmigrate.plan.bindings import Bindings
from tfmigrate.plan.program import Parameter, Phase, Plan, SharedFunction, StepFunction, Unit
from tfmigrate.rewrite import nodes
from tfmigrate.rewrite.constants import inlined
from tfmigrate.rewrite.expressions import ExpressionRewriter
from tfmigrate.rewrite.gradients import trained
from tfmigrate.rewrite.layout import one_a_line
from tfmigrate.rewrite.shared_calls import SharedCalls, call_returned, names, returned

if TYPE_CHECKING:
    from tfmigrate.rewrite.replica_steps import Replicas

LONG_LIST = 48  # characters from which on a list of variables gets a name rather than being written twice


class StepWriter:
    """Writes the step functions of one file. `rewriter` makes a fresh expression rewriter for code inside a step."""

    def __init__(self, plan: Plan, bindings: Bindings, rewriter: Callable[[], ExpressionRewriter]) -> None:
        self.plan, self.bindings, self.rewriter = plan, bindings, rewriter
        self._plain_rewriter = rewriter
        self.shared: list[SharedFunction] = []  # written already
        self.replicas: Replicas | None = None  # where a strategy shares out the batches

    def functions(self, steps: Sequence_[StepFunction]) -> list[cst.BaseStatement]:
        """The definitions that stand at one place, what they share before the first that calls it; then their concrete
        functions.
        """
        made: list[cst.BaseStatement] = []
        concrete: list[cst.BaseStatement] = []
        for step in steps:
            for function, _ in step.prefix:
                if function not in self.shared:
                    self.shared.append(function)
                    made.append(self.shared_function(function, step))
            for node in self.function(step):
                (concrete if isinstance(node, cst.SimpleStatementLine) else made).append(node)
        blank = 2 if steps and steps[0].scope.is_module else 1
        return made + [nodes.blank_lines(c, blank if i == 0 else 0) for i, c in enumerate(concrete)]  # type: ignore[misc]

    def _begin(self, step: StepFunction) -> ExpressionRewriter:
        """Rewrite expressions as they are to be in this step from now on."""
        self.step = step
        plain = self._plain_rewriter

        def rewriter_of_step() -> ExpressionRewriter:
            made = plain()
            made.updating = step.updating
            made.replicas = self._replicated(step)
            return made

        self.rewriter = rewriter_of_step
        self.rewrite = self.rewriter()
        return self.rewrite

    def function(self, step: StepFunction) -> list[cst.BaseStatement]:
        """The decorated definition and the line that takes its concrete function."""
        rewriter = self._begin(step)
        tf = rewriter.context.tf
        if self._replicated(step) is not None:
            return self._replicated(step).function(self, step)  # type: ignore[union-attr]
        body = self.body(step)
        host = [p for p in step.parameters if p.host is not None or p.element is not None]
        specs = [self.spec(p) for p in step.parameters]
        signature = (
            "" if host or any(s is None for s in specs) else f"input_signature=[{', '.join(s for s in specs if s)}]"
        )
        decorator = f"@{tf}.function({signature})" if signature and step.parameters else f"@{tf}.function"
        blank = 2 if step.scope.is_module else 1
        definition = nodes.function(step.name, [p.name for p in step.parameters], body, decorator, blank)
        if not host and not any(s is None for s in specs):
            concrete = nodes.statements(f"{step.name} = {step.name}.get_concrete_function()\n")[0]
            return [definition, nodes.blank_lines(concrete, blank)]  # type: ignore[list-item]
        return [definition]

    def _replicated(self, step: StepFunction) -> Replicas | None:
        return self.replicas if step in self.plan.replicated else None

    def spec(self, parameter: Parameter) -> str | None:
        """The expression of a parameter's specification; None for a value of the host."""
        fed = parameter.fed
        if isinstance(fed, Placeholder):
            return self.plan.spec_names.get(fed)
        tf = self.rewrite.context.tf
        if isinstance(fed, (Tensor, Variable)):
            name = parameter.name
            return (
                f'{tf}.TensorSpec(None, {self._dtype(fed)}, name="{name}")'
                if not isinstance(fed, Variable)
                else (f'{tf}.TensorSpec({name}.shape, {name}.dtype, name="{name}")')
            )
        return None

    def _dtype(self, fed: Graphlike) -> str:
        """The dtype of a fed tensor that is no placeholder: that of the placeholder it is computed from, else
        float32.
        """
        todo: list[Graphlike] = [fed]
        seen: set[int] = set()
        while todo:
            value = todo.pop()
            if isinstance(value, Placeholder) and value.dtype is not None:
                return nodes.code(value.dtype.visit(self.rewriter()))  # type: ignore[arg-type]
            if isinstance(value, Tensor) and id(value) not in seen:
                seen.add(id(value))
                todo.extend(v for i in value.inputs for v in leaves(i) if isinstance(v, Graphlike))
        return f"{self.rewrite.context.tf}.float32"

    # body

    calls: SharedCalls | None = None  # of the body that is being written

    def body(self, step: StepFunction) -> list[cst.BaseStatement]:
        """The body, what is shared as calls; a constant that only shared functions need is given in the call."""
        self.calls = SharedCalls(step, set(), self._constant) if step.prefix else None
        body = self._written(step)
        if self.calls is not None:
            named = {name for name, _, _ in step.constants} & names(body)[0]
            if named:
                self.calls = SharedCalls(step, named, self._constant)
                body = self._written(step)
            if self.calls.lost(body):
                self.calls = None
                body = self._written(step)
        return returned(inlined(body, [name for name, _, _ in step.constants]))

    def shared_function(self, function: SharedFunction, step: StepFunction) -> cst.FunctionDef:
        """The definition of what several steps compute alike; `step` is the first of them."""
        self._begin(step)
        self.calls = None
        body = [s for unit in function.units for s in self.statement(unit.statement)]
        body.append(call_returned(function))
        read = names(body)[0]
        function.parameters = [name for name in function.parameters if name in read]
        return nodes.function(function.name, function.parameters, returned(body), "", 2 if step.scope.is_module else 1)

    def _written(self, step: StepFunction) -> list[cst.BaseStatement]:
        self.lists: dict[Operation, str] = {}  # trained variables that got a name in the step
        body: list[cst.BaseStatement] = []
        replicas = self._replicated(step)
        if replicas is not None:
            replicas.begin(step)
        for name, placeholder, node in step.constants:
            if self.calls is None or name in self.calls.named:
                body.append(nodes.assign(name, self._constant(placeholder, node)))
        taped = [u for u in step.units if u.phase is Phase.TAPE]
        if step.gradients:
            body.extend(self._tape(step, taped))
        else:
            body.extend(s for u in taped for s in self._unit(u))
        rest = [u for u in step.units if u.phase is not Phase.TAPE]
        if not step.gradients:
            pass
        late: list[cst.BaseStatement] = []
        for unit in rest:
            operation = self._minimize(unit)
            if operation is not None:
                body.extend(self._gradient(operation, unit))
        for unit in rest:
            if unit.phase is Phase.PURE:
                body.extend(self._unit(unit))
        for unit in rest:
            if unit.phase is Phase.EFFECT:
                operation = self._minimize(unit)
                late.extend(self._apply(operation, unit) if operation is not None else self._unit(unit))
        results = self._results(step)
        saved, result = self._save_before(step, results, bool(late))
        body.extend(saved)
        body.extend(late)
        if replicas is not None:
            result = replicas.returned(result)
        if result is not None:
            body.append(cst.SimpleStatementLine([cst.Return(result)]))
        return body or [nodes.statements("pass\n")[0]]

    def _constant(self, placeholder: Placeholder, node: cst.BaseExpression) -> cst.BaseExpression:
        made = node.visit(self.rewriter())
        assert isinstance(made, cst.BaseExpression)
        dtype = nodes.code(placeholder.dtype) if placeholder.dtype is not None else ""
        text = nodes.code(made)
        if "bool" in dtype and text in ("0", "1"):
            made, text = cst.Name("True" if text == "1" else "False"), "True" if text == "1" else "False"
        if placeholder.decides and text in ("True", "False"):
            return nodes.expression(f"{self.rewrite.context.tf}.constant({text})")
        if ("float" in dtype or '"float"' in dtype) and text.lstrip("-").isdigit():
            return nodes.expression(text + ".0")
        return made

    def _tape(self, step: StepFunction, taped: list[Unit]) -> list[cst.BaseStatement]:
        tf = self.rewrite.context.tf
        inside: list[cst.BaseStatement] = []
        watched = self._watched(step)
        for name, source in watched.items():
            if isinstance(source, Placeholder):
                inside.append(nodes.statements(f"tape.watch({name})\n")[0])
        for unit in taped:
            inside.extend(self._unit(unit))
            for name, source in watched.items():
                if (
                    not isinstance(source, Placeholder)
                    and source.statement is not None
                    and source.statement.within(unit.statement)
                ):
                    inside.append(nodes.statements(f"tape.watch({name})\n")[0])
        for unit in step.units:
            operation = self._minimize(unit)
            if operation is not None and self._loss_name(operation) is None:
                assert operation.loss_node is not None
                loss = operation.loss_node.visit(self.rewriter())
                inside.append(nodes.assign("loss", loss))  # type: ignore[arg-type]
            if operation is not None and self._replicated(step) is not None:
                inside.extend(self._replicated(step).target(operation, self._loss_name(operation) or "loss")[1])  # type: ignore[union-attr]
        persistent = "persistent=True" if len(step.gradients) > 1 else ""
        if not inside:
            inside = [nodes.statements("pass\n")[0]]
        return [nodes.block(f"with {tf}.GradientTape({persistent}) as tape:", inside)]

    def _watched(self, step: StepFunction) -> dict[str, Graphlike]:
        found: dict[str, Graphlike] = {}
        for gradient in step.gradients:
            sources = gradient.sources if isinstance(gradient, Gradients) else None
            for source in leaves(sources) if sources is not None else ():
                if isinstance(source, (Tensor, Placeholder)):
                    name = next((p.name for p in step.parameters if p.fed is source), source.name)
                    if name:
                        found[name] = source
        return found

    def _minimize(self, unit: Unit) -> Operation | None:
        for statement in self.bindings.descendants(unit.statement):
            for made in statement.made:
                if isinstance(made, Operation) and made.kind == "minimize":
                    return made
        return None

    def _loss_name(self, operation: Operation) -> str | None:
        loss = operation.loss
        if isinstance(operation.loss_node, cst.Name):
            return operation.loss_node.value
        if (
            isinstance(loss, Graphlike)
            and loss.name
            and isinstance(operation.loss_node, (cst.Attribute, cst.Subscript))
        ):
            return None
        return None

    def _names(self, operation: Operation) -> tuple[str, str, str]:
        """The names of the gradients, of the trained variables and of the optimizer."""
        assert operation.optimizer is not None
        optimizer = self.rewrite.object_text(self.plan.optimizer_names.get(operation.optimizer, "optimizer"))
        several = sum(1 for g in self.step.gradients) > 1
        prefix = f"{optimizer}_" if several else ""
        variables = self.plan.optimizer_lists.get(operation.optimizer)
        if variables is None or operation.variables_node is not None:
            variables = trained(self.rewriter(), operation, operation.optimizer.call or self.step.runs[0].call)
        return f"{prefix}gradients", variables, optimizer

    def _gradient(self, operation: Operation, unit: Unit) -> list[cst.BaseStatement]:
        gradients, variables, _ = self._names(operation)
        loss = self._loss_name(operation) or "loss"
        if (replicas := self._replicated(self.step)) is not None:
            loss = replicas.target(operation, loss)[0]
        made: list[cst.BaseStatement] = []
        if variables.startswith("[") and len(variables) > LONG_LIST and self._replicated(self.step) is None:
            self.lists[operation] = self._free(gradients.removesuffix("gradients") + "trainable_variables")
            made = [nodes.assign(self.lists[operation], one_a_line(nodes.expression(variables)))]
            variables = self.lists[operation]
        made += nodes.statements(f"{gradients} = tape.gradient({loss}, {variables})\n")
        told = any(
            isinstance(lift.value, Optimizer) for lift in unit.statement.lifts.values()
        )  # the comment stands there
        leading = [] if told else [line for line in unit.statement.node.leading_lines if line.comment is not None]
        return [made[0].with_changes(leading_lines=leading), *made[1:]]

    def _free(self, wanted: str) -> str:
        """A local name that nothing in the step bears."""
        inner = [s for u in self.step.units for s in self.bindings.descendants(u.statement)]
        taken = (
            {n for s in inner for (_, n) in s.uses}
            | {n for s in inner for n in s.defines}
            | {p.name for p in self.step.parameters}
        )
        name, count = wanted, 0
        while name in taken or name in self.plan.optimizer_lists.values():
            count += 1
            name = f"{wanted}_{count}"
        return name

    def _apply(self, operation: Operation, unit: Unit) -> list[cst.BaseStatement]:
        gradients, variables, optimizer = self._names(operation)
        variables = self.lists.get(operation, variables)
        if (replicas := self._replicated(self.step)) is not None:
            assert operation.optimizer is not None
            replicas.slots(operation.optimizer, optimizer, variables)
        made = self._rate(operation.optimizer)
        made += nodes.statements(f"{optimizer}.apply_gradients(zip({gradients}, {variables}))\n")
        return made + self._advance(operation)

    def _rate(self, optimizer: Optimizer | None) -> list[cst.BaseStatement]:
        if optimizer is None or not isinstance(optimizer.rate, Graphlike) or optimizer.rate_node is None:
            return []
        rate = optimizer.rate_node.visit(self.rewriter())
        assert isinstance(rate, cst.BaseExpression)
        if _unshaped(optimizer.rate):  # a placeholder without a shape: the rate's variable takes a scalar only
            rate = nodes.call(f"{self.rewrite.context.tf}.reshape", rate, cst.List([]))
        name = self.rewrite.object_text(self.plan.optimizer_names.get(optimizer, "optimizer"))
        return [nodes.expr(nodes.call(f"{name}.learning_rate.assign", rate))]

    def _advance(self, operation: Operation) -> list[cst.BaseStatement]:
        if operation.global_step_node is None or operation.global_step is None:
            return []
        text = self.plan.variable_names.get(operation.global_step)
        if text is None:
            text = nodes.code(operation.global_step_node.visit(self.rewriter()))  # type: ignore[arg-type]
        return nodes.statements(f"{text}.assign_add(1)\n")

    # statements

    def _unit(self, unit: Unit) -> list[cst.BaseStatement]:
        shared = self.calls.write(unit) if self.calls is not None else None
        if shared is not None:
            return shared
        return self.statement(unit.statement)

    def statement(self, statement: Statement) -> list[cst.BaseStatement]:
        """One statement of the slice, as it stands in the step."""
        node = statement.node
        if isinstance(node, cst.SimpleStatementLine):
            return self._simple(statement, node)
        inner = _Inside(self, self.rewriter(), self.bindings)
        visited = node.visit(inner)
        if isinstance(visited, cst.FlattenSentinel):
            return list(visited)
        assert isinstance(visited, cst.BaseCompoundStatement)
        return [_plain_lines(visited)]

    def _simple(self, statement: Statement, node: cst.SimpleStatementLine) -> list[cst.BaseStatement]:
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
            if any(isinstance(m, Summary) for m in statement.made) and isinstance(self.value_of(value), Summary):
                return []
            apply = self._applied(statement, value)
            if apply is not None:
                return apply
            if self._is_group(value):
                return self._group(value)
            if isinstance(self.value_of(value), Operation) and getattr(self.value_of(value), "kind", "") == "no_op":
                return []
        rewriter = self.rewriter()
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

    def value_of(self, node: cst.BaseExpression) -> object:
        """What the analysis found the expression to be."""
        return self.rewrite.facts.values.get(node)

    def _only_effect(self, statement: Statement, small: cst.BaseSmallStatement) -> bool:
        """Whether an assignment binds an op that nothing in the step reads: only its effect counts."""
        if not isinstance(small, cst.Assign) or not isinstance(small.value, cst.Call):
            return False
        value = self.value_of(small.value)
        if (
            not (isinstance(value, Tensor) and value.effect)
            or len(small.targets) != 1
            or not isinstance(small.targets[0].target, cst.Name)
        ):
            return False
        name = small.targets[0].target.value
        used = any(
            name in {n for (_, n) in s.uses}
            for u in self.step.units
            for s in self.bindings.descendants(u.statement)
            if s is not statement and not self._ordering(s)
        )
        return not used and not any(leaf.value is value for leaf in self.step.returns)

    def _ordering(self, statement: Statement) -> bool:
        return any(isinstance(v, Operation) and v.kind == "group" for value in statement.values for v in leaves(value))

    def _applied(self, statement: Statement, value: cst.BaseExpression) -> list[cst.BaseStatement] | None:
        """`train_op = optimizer.apply_gradients(pairs, global_step=step)`."""
        operation = self.value_of(value)
        if isinstance(operation, Operation) and operation.kind == "apply" and isinstance(value, cst.Call):
            call = value.visit(self.rewriter())
            return [*self._rate(operation.optimizer), nodes.expr(call), *self._advance(operation)]  # type: ignore[arg-type]
        if isinstance(operation, Operation) and operation.kind == "minimize":
            return self._gradient(operation, Unit(statement, Phase.EFFECT)) + self._apply(
                operation, Unit(statement, Phase.EFFECT)
            )
        return None

    def _is_group(self, value: cst.BaseExpression) -> bool:
        return (isinstance(self.value_of(value), Operation) and isinstance(value, cst.Call) and not value.args) or (
            isinstance(self.value_of(value), Operation) and getattr(self.value_of(value), "kind", "") == "group"
        )

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
            visited = member.visit(self.rewriter())
            made.append(nodes.expr(visited))  # type: ignore[arg-type]
        return made

    # results

    def _results(self, step: StepFunction) -> Structure:
        return step.structure

    def _save_before(
        self, step: StepFunction, structure: Structure, late: bool
    ) -> tuple[list[cst.BaseStatement], cst.BaseExpression | None]:
        """What is returned. An expression over variables is computed before the updates, a variable itself is read
        after them.
        """
        saved: list[cst.BaseStatement] = []
        texts: list[cst.BaseExpression] = []
        count = 0
        for leaf in structure.leaves():
            if isinstance(leaf.value, Operation):
                if step.keep_structure:
                    texts.append(cst.Name("None"))
                continue
            made = self._fetch(leaf, step)
            if (
                late
                and not isinstance(made, cst.Name)
                and not isinstance(leaf.value, (Variable, Summary))
                and not self._effect(leaf)
            ):
                name = "result" if count == 0 else f"result_{count}"
                count += 1
                saved.append(nodes.assign(name, made))
                made = cst.Name(name)
            replicas = self._replicated(step)
            texts.append(made if replicas is None else replicas.results(leaf, made))
        if not texts:
            return saved, None
        if structure.kind == "leaf" and len(texts) == 1:
            return saved, texts[0]
        if (
            len(texts) == 1
            and not step.keep_structure
            and structure.kind != "dict"
            and not self._single_list(structure)
            and any(item.leaf is not None and not isinstance(item.leaf.value, Operation) for item in structure.items)
        ):
            return saved, texts[0]
        if structure.kind == "dict":
            elements = [cst.DictElement(key, text) for key, text in zip(structure.keys, texts, strict=False)]
            return saved, cst.Dict(elements)
        nested = self._nest(structure, iter(texts))
        return saved, nested

    @staticmethod
    def _single_list(structure: Structure) -> bool:
        return len(structure.items) == 1

    def _nest(self, structure: Structure, texts: object) -> cst.BaseExpression:
        elements: list[cst.Element] = []
        for item in structure.items:
            if item.kind == "leaf":
                assert item.leaf is not None
                if isinstance(item.leaf.value, Operation) and not self.step.keep_structure:
                    continue
                elements.append(cst.Element(next(texts)))  # type: ignore[call-overload]
            elif any(not isinstance(leaf.value, Operation) for leaf in item.leaves()):
                elements.append(cst.Element(self._nest(item, texts)))
        if structure is self.step.structure:
            if len(elements) == 1 < len(structure.items) and not self.step.keep_structure:
                return elements[0].value  # beside ops, which have no value: what is unpacked there
            return cst.Tuple(elements, lpar=[], rpar=[]) if len(elements) > 1 else cst.List(elements)
        return cst.List(elements)

    def _effect(self, leaf: Fetch) -> bool:
        return any(isinstance(v, Tensor) and (v.effect or self._after_effect(v)) for v in leaves(leaf.value))

    def _after_effect(self, value: Tensor) -> bool:
        return any(
            u.phase is Phase.EFFECT and value.statement is not None and value.statement.within(u.statement)
            for u in self.step.units
        )

    def _fetch(self, leaf: Fetch, step: StepFunction) -> cst.BaseExpression:
        value = leaf.value
        if isinstance(value, Summary):
            return self._summary(value)
        parameter = next((p.name for p in step.parameters if p.fed is value and p.fed is not None), None)
        if parameter is not None:
            return cst.Name(parameter)
        constant = next((name for name, placeholder, _ in step.constants if placeholder is value), None)
        if constant is not None:
            return cst.Name(constant)
        if isinstance(value, Variable) and value in self.plan.variable_names:
            return nodes.expression(self.plan.variable_names[value])
        if (
            isinstance(value, Graphlike)
            and value.name
            and (leaf.node is None or isinstance(leaf.node, (cst.Name, cst.Attribute)))
        ):
            return cst.Name(value.name)
        if leaf.node is not None:
            visited = leaf.node.visit(self.rewriter())
            assert isinstance(visited, cst.BaseExpression)
            return visited
        self.rewrite.refuse("TFM108", step.runs[0].call, "something fetched here has no name of its own")
        return cst.Name("None")

    def _summary(self, value: Summary) -> cst.BaseExpression:
        elements = []
        for member in value.members or (value,):
            assert member.value_node is not None
            node = member.value_node.visit(self.rewriter())
            elements.append(cst.DictElement(cst.SimpleString(repr(member.tag).replace("'", '"')), node))  # type: ignore[arg-type]
        return one_a_line(cst.Dict(elements))


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


class _Inside(cst.CSTTransformer):
    """Writes the statements inside a compound statement that moves as a whole."""

    def __init__(self, writer: StepWriter, rewriter: ExpressionRewriter, bindings: Bindings) -> None:
        super().__init__()
        self.writer, self.rewriter, self.bindings = writer, rewriter, bindings

    def on_visit(self, node: cst.CSTNode) -> bool:
        return not isinstance(node, cst.BaseExpression) and not isinstance(node, cst.SimpleStatementLine)

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> Any:
        if isinstance(original_node, cst.SimpleStatementLine):
            statement = self.rewriter.facts.statements.get(original_node)
            made = (
                self.writer._simple(statement, original_node)
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


def _plain_lines(node: cst.BaseCompoundStatement) -> cst.BaseCompoundStatement:
    return node.with_changes(leading_lines=[line for line in node.leading_lines if line.comment is not None])


__all__ = ["Layer", "Sequence", "StepWriter", "arguments"]
