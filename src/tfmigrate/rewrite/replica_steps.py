"""Writes training steps that run on every replica of a strategy.

A step becomes three functions: what one replica computes on its part of the batch, what is done with the replicas'
results (under `tf.function`), and, under the step's own name, the one that splits the batch. Call sites stay the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.facts import Fetch
from tfmigrate.analysis.values import Gradients, Graphlike, Operation, Optimizer, Sequence, Variable, leaves
from tfmigrate.model import Strategy
from tfmigrate.plan.naming import Names, numbered
from tfmigrate.plan.program import Plan, Replication
from tfmigrate.rewrite import nodes, specs
from tfmigrate.rewrite.shared_calls import names, returned
from tfmigrate.rewrite.step_context import StepContext

if TYPE_CHECKING:
    from tfmigrate.rewrite.driver import DriverRewriter

SUMMED = "gradients are summed over the replicas"


class Replicas:
    """Writes the replicated steps of one file; holds what the step needs that is being written."""

    def __init__(self, driver: DriverRewriter, names: Names, strategy: str) -> None:
        self.driver, self.names, self.strategy = driver, names, strategy
        self.plan: Plan = driver.plan
        self.tf: str = driver.context.tf
        self.replication = Replication()
        self.own: list[cst.BaseExpression] = []
        self.reduced: list[str] = []
        self.local: set[str] = set()
        self.result: cst.BaseExpression | None = None
        self.scaled: dict[Graphlike, str] = {}
        self.built: set[Graphlike] = set()
        self.imported: dict[str, str] = {}
        self.used = False  # whether the file needs the strategy for more than a scope
        self.first = ""
        self.gradients: list[Graphlike] = []
        self.optimizers: list[tuple[Graphlike, str, str]] = []

    def support(self, part: str) -> str:
        """The name under which a part of the support file is imported."""
        if part in self.imported:
            return self.imported[part]
        name = part if part not in self.names.taken else self.names.fresh(f"{part}_of_replicas")
        self.driver.output.support.setdefault("replicas", set()).add(part)
        alias = "" if name == part else f" as {name}"
        self.driver.output.add_import(self.driver.path, f"from replicas import {part}{alias}")
        self.names.taken.add(name)
        self.imported[part] = name
        return name

    def folder(self, text: str) -> str:
        """Where this process writes: only the chief of several workers into the program's own folder."""
        if self.driver.options.strategy is not Strategy.MULTIWORKER:
            return text
        self.used = True
        return f"{self.support('own_folder')}({self.strategy}, {text})"

    # one step

    def begin(self, context: StepContext) -> None:
        """Begin to write the step's body."""
        self.replication = self.plan.replicated[context.step]
        self.own, self.reduced, self.scaled, self.optimizers = [], [], {}, []
        self.first, self.gradients = "", context.step.gradients
        self.local = context.bound()

    def _local(self, wanted: str) -> str:
        """A name that nothing in the step bears."""
        name = numbered(wanted, self.local)
        self.local.add(name)
        return name

    def returned(self, result: cst.BaseExpression | None) -> cst.BaseExpression | None:
        """What a replica returns; `result` is what the step does."""
        self.result = result
        if len(self.own) < 2:
            return self.own[0] if self.own else None
        return cst.Tuple([cst.Element(e) for e in self.own], lpar=[], rpar=[])

    def function(self, context: StepContext, body: list[cst.BaseStatement]) -> list[cst.BaseStatement]:
        """The step's definitions; `body` is what one replica does."""
        self.used = True
        step, blank = context.step, context.blank
        parameters = [p.name for p in step.parameters]
        replica, distributed = self.names.fresh(f"replica_{step.name}"), self.names.fresh(f"distributed_{step.name}")
        made: list[cst.BaseStatement] = []
        if self.replication.layers:
            forward, body = self._forward(context, body)
            made.extend(forward)
        made.extend(self._built(blank))
        return [
            *made,
            nodes.function(replica, parameters, body, "", blank),
            nodes.function(
                distributed, parameters, self._distributed(replica, parameters), f"@{self.tf}.function", blank
            ),
            nodes.function(step.name, parameters, nodes.statements(self._call(context, distributed)), "", blank),
        ]

    def _forward(
        self, context: StepContext, body: list[cst.BaseStatement]
    ) -> tuple[list[cst.FunctionDef], list[cst.BaseStatement]]:
        """What stands under the tape as a function of its own, called once so that layers have their variables."""
        at = next(
            (
                i
                for i, s in enumerate(body)
                if isinstance(s, cst.With) and "GradientTape" in nodes.code(s.items[0].item)
            ),
            None,
        )
        signature = [specs.of_parameter(context, p) for p in context.step.parameters]
        if at is None or any(s is None for s in signature):
            self.driver.refuse(
                "TFM155",
                context.step.runs[0].call,
                "layers are called here with values that the host computes anew for each call",
            )
            return [], body
        tape = body[at]
        assert isinstance(tape, cst.With)
        inside: list[cst.BaseStatement] = list(tape.body.body)  # type: ignore[arg-type]
        scaled = [s for s in inside if SUMMED in nodes.code(s)]
        needed, _ = names(inside)
        moved = [s for s in body[:at] if names([s])[1] & needed]
        kept = [s for s in body[:at] if s not in moved]
        inner = [*moved, *(s for s in inside if s not in scaled)]
        rest = [*kept, *scaled, *body[at + 1 :]]
        _, defined = names(inner)
        read, _ = names(rest)
        results = [name for name in _in_order(inner) if name in defined & read]
        function = self.names.fresh(f"compute_{results[0]}" if len(results) == 1 else "forward")
        parameters = [p.name for p in context.step.parameters]
        inner.append(nodes.statements(f"return {', '.join(results)}\n")[0])
        call = nodes.statements(f"{', '.join(results)} = {function}({', '.join(parameters)})\n")
        made = nodes.function(function, parameters, returned(inner), "", context.blank)
        self.first = f"{self.support('make_layers')}([{', '.join(s for s in signature if s)}], {function})\n"
        under = tape.with_changes(body=tape.body.with_changes(body=[*call, *scaled]))
        return [made], [*kept, under, *body[at + 1 :]]

    def _distributed(self, replica: str, parameters: list[str]) -> list[cst.BaseStatement]:
        listed = ", ".join(parameters) + ("," if len(parameters) == 1 else "")
        arguments = f", args=({listed})" if parameters else ""
        call = f"{self.strategy}.run({replica}{arguments})"
        if self.result is None:
            return nodes.statements(f"{call}\n")
        if not self.own:
            return [*nodes.statements(f"{call}\n"), cst.SimpleStatementLine([cst.Return(self.result)])]
        made = nodes.statements(f"{', '.join(self.reduced)} = {call}\n")
        return [*made, cst.SimpleStatementLine([cst.Return(_in_lines(self.result))])]

    def _call(self, context: StepContext, distributed: str) -> str:
        gives = self.result is not None
        signature, batches, others = [], [], []
        for parameter in context.step.parameters:
            spec = specs.of_parameter(context, parameter)
            if spec is None:
                others.append(parameter.name)
            else:
                signature.append(spec)
                batches.append(parameter.name)
        if not signature:
            return f"{'return ' if gives else ''}{distributed}({', '.join(others)})\n"
        split = f"*{self.support('split')}({self.strategy}, [{', '.join(signature)}], {', '.join(batches)})"
        if not others:
            return f"{'return ' if gives else ''}{distributed}({split})\n"
        order = [p.name for p in context.step.parameters]
        listed = ", ".join(batches) + ("," if len(batches) == 1 else "")
        return f"{listed} = {split[1:]}\n{'return ' if gives else ''}{distributed}({', '.join(order)})\n"

    # results

    def results(self, leaf: Fetch, made: cst.BaseExpression) -> cst.BaseExpression:
        """What the distributed function returns for a fetch of which a replica computes `made`."""
        kinds = self.replication.reductions.get(leaf, ["SAME"])
        if isinstance(made, cst.Dict):
            elements = []
            for element, kind in zip(made.elements, kinds, strict=True):
                assert isinstance(element, cst.DictElement)
                elements.append(element.with_changes(value=self._result(element.value, kind)))
            return made.with_changes(elements=elements)
        if isinstance(leaf.value, Variable):
            return made  # read after the replicas have finished
        if isinstance(leaf.value, (Sequence, Gradients)):
            name = self._taken(made)
            return nodes.expression(f"[{self._reduction('value', kinds[0])} for value in {name}]")
        return self._result(made, kinds[0])

    def _result(self, made: cst.BaseExpression, kind: str) -> cst.BaseExpression:
        return nodes.expression(self._reduction(self._taken(made), kind))

    def _taken(self, made: cst.BaseExpression) -> str:
        """The name of the replicas' values."""
        again = next((n for n, own in zip(self.reduced, self.own, strict=True) if own.deep_equals(made)), None)
        if again is not None:
            return again
        name = self._local(f"replica_{made.value}" if isinstance(made, cst.Name) else "replica_result")
        self.own.append(made)
        self.reduced.append(name)
        return name

    def _reduction(self, name: str, kind: str) -> str:
        if kind == "SAME":
            return f"{self.strategy}.experimental_local_results({name})[0]"
        if kind == "GATHER":
            return f"{self.strategy}.gather({name}, axis=0)"
        return f"{self.strategy}.reduce({self.tf}.distribute.ReduceOp.{kind}, {name}, axis=None)"

    # gradients

    def target(self, operation: Operation, loss: str) -> tuple[str, list[cst.BaseStatement]]:
        """What is differentiated in place of the loss, and the statement inside the tape that computes it."""
        if not self.replication.means.get(operation, True):
            return loss, []
        if operation not in self.scaled:
            self.scaled[operation] = name = self._local(f"scaled_{loss}")
            line = nodes.statements(f"{name} = {loss} / {self.strategy}.num_replicas_in_sync  # {SUMMED}\n")
            return name, line
        return self.scaled[operation], []

    def whole(self, gradients: Gradients, expression: cst.BaseExpression) -> cst.BaseExpression:
        """The gradients over the whole batch, the same on all replicas: they are clipped, measured or fetched."""
        how = "MEAN" if self.replication.means.get(gradients, True) else "SUM"
        return nodes.call(
            self.support("reduce_gradients"), expression, nodes.expression(f"{self.tf}.distribute.ReduceOp.{how}")
        )

    def applied(self, call: cst.Call, optimizer: Optimizer, name: str, pairs: cst.BaseExpression) -> cst.BaseExpression:
        """Pairs for `apply_gradients`, which sums over the replicas what is the same on all of them."""
        operation = self.driver.facts.values.get(call)
        given = operation.variables if isinstance(operation, Operation) else None
        taken = [given] if isinstance(given, Gradients) else [g for g in self.gradients if isinstance(g, Gradients)]
        variables = [v for v in leaves(given) if isinstance(v, Variable)] or list(
            dict.fromkeys(v for g in taken for v in leaves(g.sources) if isinstance(v, Variable))
        )
        texts = [self.plan.variable_names.get(v) for v in variables]
        if not texts or None in texts:
            self.driver.refuse("TFM143", call, "a trained variable cannot be reached by a name here")
        self.slots(optimizer, name, f"[{', '.join(t for t in texts if t)}]")
        return nodes.call(self.support("share_gradients"), pairs)

    def slots(self, optimizer: Graphlike, name: str, variables: str) -> None:
        """An optimizer's own variables are made before a replica needs them."""
        if (optimizer, name, variables) not in self.optimizers:
            self.optimizers.append((optimizer, name, variables))

    def _built(self, blank: int) -> list[cst.BaseStatement]:
        """The block that makes what layers and optimizers would else make on a replica."""
        lines = self.first
        for optimizer, name, variables in self.optimizers:
            if optimizer not in self.plan.optimizer_lists and optimizer not in self.built:
                self.built.add(optimizer)
                lines += f"{name}.build({variables})\n"
        if not lines:
            return []
        made = nodes.block(f"with {self.strategy}.scope():", nodes.statements(lines))
        return [nodes.blank_lines(made, blank)]  # type: ignore[list-item]


def _in_lines(result: cst.BaseExpression) -> cst.BaseExpression:
    """A long tuple or list with a line for each element."""
    if not isinstance(result, (cst.Tuple, cst.List)) or len(nodes.code(result)) < 80 or len(result.elements) < 2:
        return result
    opening, closing = "[]" if isinstance(result, cst.List) else "()"
    lines = "".join(f"        {nodes.code(element.value)},\n" for element in result.elements)
    function = cst.ensure_type(
        nodes.statements(f"def function():\n    return {opening}\n{lines}    {closing}\n")[0], cst.FunctionDef
    )
    line = cst.ensure_type(function.body.body[0], cst.SimpleStatementLine)
    made = cst.ensure_type(line.body[0], cst.Return).value
    assert made is not None
    return made


def _in_order(body: list[cst.BaseStatement]) -> list[str]:
    """The names that the statements assign, in order."""
    found: dict[str, None] = {}

    class Visitor(cst.CSTVisitor):
        def visit_AssignTarget(self, node: cst.AssignTarget) -> None:
            targets = (
                [node.target]
                if isinstance(node.target, cst.Name)
                else [e.value for e in getattr(node.target, "elements", ())]
            )
            found.update((t.value, None) for t in targets if isinstance(t, cst.Name))

    for statement in body:
        statement.visit(Visitor())
    return list(found)
