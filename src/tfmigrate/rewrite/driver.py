"""Rewrites a file: what is gone goes, step functions are put in place, run sites become calls, sessions dissolve."""

from __future__ import annotations

from typing import Any

import libcst as cst

from tfmigrate.analysis.facts import Binding, Facts, Feed, Run, Scope, Statement, Structure
from tfmigrate.analysis.signatures import arguments
from tfmigrate.analysis.values import (
    Config,
    Graphlike,
    Iterator_,
    Layer,
    Operation,
    Optimizer,
    Placeholder,
    Saver,
    Sequence,
    Session,
    Summary,
    Tensor,
    Value,
    Variable,
    Writer,
    leaves,
)
from tfmigrate.model import Options, SiteKind, Strategy
from tfmigrate.plan.bindings import Bindings
from tfmigrate.plan.naming import Names
from tfmigrate.plan.program import IteratorPlan, Plan, StepFunction
from tfmigrate.rewrite import layout, nodes, sites
from tfmigrate.rewrite.checkpoints import CheckpointWriter
from tfmigrate.rewrite.expressions import ExpressionRewriter
from tfmigrate.rewrite.modules import ModuleWriter
from tfmigrate.rewrite.output import Output
from tfmigrate.rewrite.steps import StepWriter
from tfmigrate.rules.base import LayerForm
from tfmigrate.rules.engine import apply


class DriverRewriter(ExpressionRewriter):
    """Rewrites one file of a program by its plan."""

    def __init__(
        self, facts: Facts, plan: Plan, bindings: Bindings, options: Options, output: Output, path: str, tf: str
    ) -> None:
        super().__init__(facts, plan, options, output, path, tf=tf)
        self.bindings = bindings
        self.before: dict[cst.CSTNode, list[StepFunction]] = {}
        self.after: dict[cst.CSTNode, list[StepFunction]] = {}
        for step in plan.steps:
            if step.anchor is not None and step.scope.path == path:
                node = _chain_head(step.anchor, facts).node
                (self.before if step.before else self.after).setdefault(node, []).append(step)
        self.steps = StepWriter(plan, bindings, self._step_rewriter)
        self.checkpoints = CheckpointWriter(plan, facts, bindings, self)
        self.scoped: set[int] = set()
        self.specs: set[int] = set()
        self.written: set[int] = set()
        self.blank_due: set[tuple[object, object, str]] = set()  # blocks in which a blank line was dropped last
        self.dissolving: set[cst.CSTNode] = set()  # blocks whose statements go to the block around them
        self.keep: list[cst.CSTNode] = []
        self.strategy_done = False
        self.early: dict[cst.CSTNode, list[cst.BaseStatement]] = {}
        self.specials: dict[Statement, list[cst.BaseStatement] | None] = {}
        self.hoisted: dict[cst.CSTNode, list[Statement]] = {}
        self.hoisting: set[Statement] = set()
        self._hoist()

    def _step_rewriter(self) -> ExpressionRewriter:
        return ExpressionRewriter(
            self.facts, self.plan, self.options, self.output, self.path, step=True, tf=self.context.tf
        )

    def _hoist(self) -> None:
        """What is made once inside a loop that runs the session stands before the loop, unless it is new in each
        turn.
        """
        for statement in self.facts.statements.values():
            if statement.scope.path != self.path or not isinstance(statement.node, cst.SimpleStatementLine):
                continue
            loops = [loop for loop in statement.loops if self.bindings.runs(loop)]
            kinds = [v for value in statement.values for v in leaves(value)] + [
                lift.value for lift in statement.lifts.values()
            ]
            once = (
                any(isinstance(v, (Saver, Writer)) for v in kinds)
                or any(isinstance(v, (Optimizer, Layer)) for v in kinds)
                or any(isinstance(v, Placeholder) for v in kinds)
                or any(isinstance(v, Variable) and _shared(v) for v in kinds)
            )
            if loops and once and not self._anew_around(statement):
                self.hoisted.setdefault(loops[0].node, []).append(statement)
                self.hoisting.add(statement)

    def _anew_around(self, statement: Statement) -> bool:
        """Whether variables are made anew in each turn of the loop around."""
        loop = statement.loops[0]
        return any(isinstance(m, Variable) and not _shared(m) for s in self.bindings.descendants(loop) for m in s.made)

    # statements

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> object:  # type: ignore[override]
        result = super().on_leave(original_node, updated_node)
        if isinstance(original_node, (cst.SimpleStatementLine, cst.BaseCompoundStatement)):
            return self._statement(original_node, result)
        if isinstance(result, (cst.IndentedBlock, cst.Module)) and original_node not in self.dissolving:
            assert isinstance(original_node, (cst.IndentedBlock, cst.Module))
            return self._grouped(original_node, result)
        return result

    def visit_SimpleStatementLine(self, node: cst.SimpleStatementLine) -> bool:
        statement = self.facts.statements.get(node)
        return node not in self.plan.kept and not (
            statement is not None and (self._gone(statement) or self._special(statement) is not None)
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
            if inline and not self._anew_around(statement):
                self.early.setdefault(node, []).extend(self.checkpoints.inline(statement))

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
        super().visit_FunctionDef(node)
        return node not in self.plan.layers

    def leave_If(self, original_node: cst.If, updated_node: cst.If) -> cst.BaseStatement | cst.RemovalSentinel:
        """A condition under which nothing is left to do is gone, where asking it has no effect of its own."""
        orelse, before = updated_node.orelse, original_node.orelse
        if (
            isinstance(orelse, cst.Else)
            and isinstance(before, cst.Else)
            and all(_is_pass(s) for s in orelse.body.body)
            and not all(_is_pass(s) for s in before.body.body)
        ):
            updated_node = updated_node.with_changes(orelse=None)
        emptied = all(_is_pass(s) for s in updated_node.body.body) and not all(
            _is_pass(s) for s in original_node.body.body
        )
        quiet = "(" not in nodes.code(updated_node.test)
        if updated_node.orelse is None and emptied and quiet and not _is_elif(original_node, self.facts):
            return cst.RemoveFromParent()
        return updated_node

    def _gone(self, statement: Statement) -> bool:
        at: Statement | None = statement
        while at is not None:
            if at in self.plan.removed:
                return True
            at = at.parent
        return False

    def _statement(self, original: cst.CSTNode, result: object) -> object:
        statement = self.facts.statements.get(original)
        if statement is None:
            return result
        made: list[cst.BaseStatement] = []
        made.extend(self.early.pop(original, ()))
        for hoisted in self.hoisted.get(original, ()):
            made.extend(self._built(hoisted))
        made.extend(self._functions(self.before.get(original, [])))
        if isinstance(original, cst.FunctionDef) and original in self.plan.layers:
            made.extend(ModuleWriter(self, self.plan.layers[original]).write())
        else:
            made.extend(self._own(statement, original, result))
        made.extend(self._functions(self.after.get(original, [])))
        made = self._paragraph(statement, original, made)
        if len(made) == 1:
            return made[0]
        if not made:
            return cst.RemovalSentinel.REMOVE
        if isinstance(original, cst.If) and _is_elif(original, self.facts):
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
                made = [self._relined(made[0], [cst.EmptyLine(indent=False), *lines]), *made[1:]]
            self.blank_due.discard(block)
        elif any(line.comment is None for line in original.leading_lines[:1]):  # type: ignore[attr-defined]
            self.blank_due.add(block)
        return made

    def _functions(self, steps: list[StepFunction]) -> list[cst.BaseStatement]:
        made = self.steps.functions(steps)
        self.written |= {id(node) for node in made}
        self.keep.extend(made)
        return made

    def _is_hoisted(self, statement: Statement) -> bool:
        return statement in self.hoisting

    def _own(self, statement: Statement, original: cst.CSTNode, result: object) -> list[cst.BaseStatement]:
        if original in self.plan.kept:
            return [statement.node]
        if self._is_hoisted(statement):
            return []
        if isinstance(original, cst.With) and statement.transparent and isinstance(result, cst.With):
            return self._dissolved(original, result)
        return self._built(statement, result)

    def _built(self, statement: Statement, result: object = None) -> list[cst.BaseStatement]:
        """What of a statement stays in the build part."""
        lifted = self._lifts(statement)
        if self._gone(statement):
            if lifted:
                scoped = id(lifted[0]) in self.scoped
                lifted[0] = lifted[0].with_changes(leading_lines=statement.node.leading_lines)
                if scoped:
                    self._scope(lifted[0])
                return lifted
            return self._configured(statement) + self._late_slots(statement)
        special = self._special(statement)
        if special is not None:
            return lifted + special
        if result is None:
            result = statement.node.visit(_Expressions(self))
        if isinstance(result, cst.RemovalSentinel):
            return lifted
        own: list[Any] = list(result) if isinstance(result, cst.FlattenSentinel) else [result]
        own = [n.with_changes(leading_lines=list(n.leading_lines)) for n in own if not layout.empty(n)]
        value = statement.value
        if isinstance(value, Variable) and len(own) == 1 and value.name in statement.defines:
            name = self.plan.variable_names.get(value)
            if name is not None and name != value.name and name.isidentifier():
                own = [_retargeted(own[0], str(value.name), name)]
        if self._makes_variables(statement):
            for node in own:
                self._scope(node)
        return lifted + own

    def _late_slots(self, statement: Statement) -> list[cst.BaseStatement]:
        """The slots of an optimizer that has a statement of its own: where its train op stood, since its variables
        exist by then.
        """
        if any(self.bindings.runs(loop) for loop in statement.loops):
            return []
        for made in statement.made:
            if isinstance(made, Operation) and made.kind == "minimize" and made.optimizer is not None:
                name = self.plan.optimizer_names.get(made.optimizer)
                if (
                    name is not None
                    and made.optimizer.statement is not statement
                    and made.optimizer not in self.plan.optimizer_lists
                ):
                    return self._slots(name, made.optimizer)
        return []

    def _scope(self, node: cst.CSTNode) -> None:
        self.scoped.add(id(node))
        self.keep.append(node)

    def _makes_variables(self, statement: Statement) -> bool:
        if not isinstance(statement.node, (cst.SimpleStatementLine, cst.For)):
            return False
        if self.bindings.of(statement) is not Binding.BUILD or statement.runs:
            return False
        inner = self.bindings.descendants(statement)
        made = any(isinstance(m, (Variable, Optimizer, Layer)) for s in inner for m in s.made)
        called = any(
            f.statement in inner and any(isinstance(m, Variable) for m in f.made)
            for facts in self.facts.calls.values()
            for f in facts
        )
        return made or called

    def _lifts(self, statement: Statement) -> list[cst.BaseStatement]:
        """Build-once expressions inside the statement, each as a statement of its own."""
        if statement.scope not in {s.scope for s in self.plan.steps} and not self._driver(statement):
            return []
        made: list[cst.BaseStatement] = []
        for lift in statement.lifts.values():
            name = self._lift_name(statement, lift.value)
            if name is None:
                if isinstance(lift.value, Optimizer) and statement.value is lift.value:
                    continue
                continue
            made.extend(self.lifted_statement(name, lift.expression, lift.value))
        return made

    def lifted_statement(self, name: str, expression: cst.Call, value: Graphlike) -> list[cst.BaseStatement]:
        """`name = …` for one build-once expression, and an optimizer's slots."""
        node = self.constructor(expression, value)
        line = nodes.assign(name, node)
        self._scope(line)
        made: list[cst.BaseStatement] = [line]
        if isinstance(value, Optimizer):
            made.extend(self._slots(name, value))
        return made

    def _driver(self, statement: Statement) -> bool:
        return statement.scope.is_module or any(r.statement.scope is statement.scope for r in self.facts.runs.values())

    def _lift_name(self, statement: Statement, value: Graphlike) -> str | None:
        gone = self._gone(statement)
        if isinstance(value, Layer):
            return self.plan.layer_names.get(value)
        if isinstance(value, Iterator_):
            return self.plan.iterator_names.get(value) if gone and statement.value is not value else None
        if isinstance(value, Optimizer):
            name = self.plan.optimizer_names.get(value)
            return name if gone and statement.value is not value else None
        if isinstance(value, Variable):
            name = self.plan.variable_names.get(value)
            direct = value.name == name and statement.value is value
            return name if gone and not direct else None
        return None

    def constructor(self, expression: cst.Call, value: Graphlike) -> cst.BaseExpression:
        """The expression that makes the object."""
        if isinstance(value, Layer) and isinstance(value.form, LayerForm):
            symbol = self.facts.symbols.get(expression.func, "")
            inner = _Expressions(self)
            arguments_ = [a.with_changes(value=a.value.visit(inner)) for a in expression.args]
            form = apply(symbol, expression.with_changes(args=arguments_), self.context)
            if isinstance(form, LayerForm):
                self.output.need(self.path, form.support)
                return form.constructor
        if isinstance(value, Layer):
            return self._instance(expression, value)
        rewriter = _Expressions(self)
        rewriter.lifted = expression
        visited = expression.visit(rewriter)
        assert isinstance(visited, cst.BaseExpression)
        return visited

    def _instance(self, expression: cst.Call, value: Layer) -> cst.BaseExpression:
        layer_class = self.plan.layers[value.form.function.node]
        inner = _Expressions(self)
        kept = []
        for argument in expression.args:
            if any(value.form.argument_nodes.get(p) is argument.value for p in layer_class.build_parameters):
                position = next(
                    p for p in layer_class.build_parameters if value.form.argument_nodes.get(p) is argument.value
                )
                ahead = layer_class.build_parameters[: layer_class.build_parameters.index(position)]
                in_order = all(p in value.form.argument_nodes for p in ahead)
                visited = argument.value.visit(inner)
                assert isinstance(visited, cst.BaseExpression)
                if argument.keyword is None and in_order:
                    kept.append(cst.Arg(visited))
                else:
                    kept.append(
                        cst.Arg(
                            visited,
                            keyword=cst.Name(position),
                            equal=cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace("")),
                        )
                    )
        prefix = self._module_prefix(expression, layer_class.path)
        return cst.Call(nodes.expression(prefix + layer_class.name), kept)

    def _module_prefix(self, expression: cst.Call, path: str) -> str:
        if path == self.path or not isinstance(expression.func, cst.Attribute):
            return ""
        return nodes.code(expression.func.value) + "."

    def _slots(self, name: str, optimizer: Optimizer) -> list[cst.BaseStatement]:
        """The list of trained variables, and the optimizer's slots for them."""
        operations = [
            m
            for s in self.facts.statements.values()
            for m in s.made
            if isinstance(m, Operation) and m.optimizer is optimizer
        ]
        if len(operations) != 1 or operations[0].kind != "minimize" or operations[0].variables_node is not None:
            return []
        operation = operations[0]
        texts = list(
            dict.fromkeys(self.plan.variable_names.get(v) or self.plan.variable_lists.get(v) for v in operation.trained)
        )
        if (
            not texts
            or any(t is None for t in texts)
            or any(isinstance(v.layer, Layer) and isinstance(v.layer.form, LayerForm) for v in operation.trained)
        ):
            return []
        listed = "[" + ", ".join(t for t in texts if t) + "]"
        variables = self._list_name(listed, optimizer.scope)
        made: list[cst.BaseStatement] = []
        if variables not in self._listed:
            self._listed.add(variables)
            made.append(nodes.assign(variables, layout.one_a_line(nodes.expression(listed))))
        made.append(nodes.statements(f"{name}.build({variables})\n")[0])
        for node in made:
            self._scope(node)
        self.plan.optimizer_lists[optimizer] = variables
        return made

    def _list_name(self, listed: str, scope: Scope | None) -> str:
        """The name of a list of variables in the scope that makes them."""
        known: dict[tuple[Scope | None, str], str] = self.__dict__.setdefault("_lists", {})
        if (scope, listed) not in known:
            known[(scope, listed)] = self.fresh("trainable_variables")
        return known[(scope, listed)]

    @property
    def _listed(self) -> set[str]:
        return self.__dict__.setdefault("_listed_names", set())  # type: ignore[no-any-return]

    def fresh(self, name: str) -> str:
        """A made-up name that nothing in the file bears."""
        return self.names.fresh(name)

    names: Names

    # special statements

    def _special(self, statement: Statement) -> list[cst.BaseStatement] | None:
        """`_specially`, once for each statement."""
        if statement not in self.specials:
            self.specials[statement] = self._specially(statement)
        return self.specials[statement]

    def _specially(self, statement: Statement) -> list[cst.BaseStatement] | None:
        """Statements that become something of their own: specifications, savers, writers, settings, run sites that are
        dropped.
        """
        node = statement.node
        if not isinstance(node, cst.SimpleStatementLine) or len(node.body) != 1:
            return None
        small = node.body[0]
        value = statement.value
        if (
            isinstance(value, Placeholder)
            and isinstance(small, cst.Assign)
            and isinstance(small.value, cst.Call)
            and value in self.plan.spec_names
        ):
            return self._spec_line(value, small.value, node)
        if (
            isinstance(value, Iterator_)
            and value in self.plan.iterators
            and self.plan.iterators[value].statement is statement
        ):
            return self._dataset_function(self.plan.iterators[value], node)
        if statement in self.plan.elements:
            return []
        if isinstance(value, Saver) and isinstance(small, cst.Assign):
            return self._with_lines(self.checkpoints.made(value, statement), node)
        if isinstance(value, Writer) and isinstance(small, cst.Assign) and isinstance(small.value, cst.Call):
            return self._writer(value, small, node)
        if isinstance(small, cst.Expr) and isinstance(small.value, cst.Call):
            call = small.value
            if call in self.facts.dropped_calls or call in self.facts.additions:
                return []
            if call in self.facts.printed and statement.reads_step and not self.facts.eager and self._only_graph(call):
                self.note(
                    "TFM406",
                    call,
                    "this prints an op of the graph itself, of which there is none any more; it is left out",
                )
                return []
            if isinstance(value, Operation) and value.kind == "no_op" and not value.step:
                return []
        if any(
            isinstance(target.target, cst.Attribute) and any(t is target.target for _, t in self.facts.config_settings)
            for target in (small.targets if isinstance(small, cst.Assign) else ())
        ):
            return []
        if statement.runs:
            return sites.statement(self, statement, node, small)
        return None

    def _dataset_function(self, plan: IteratorPlan, node: cst.SimpleStatementLine) -> list[cst.BaseStatement]:
        """The pipeline of an iterator that is initialised while the program runs, as a function: built anew each time,
        as TensorFlow 1 did.
        """
        small = node.body[0]
        assert isinstance(small, cst.Assign)
        assert isinstance(small.value, cst.Call)
        assert isinstance(small.value.func, cst.Attribute)
        body: list[cst.BaseStatement] = []
        tf = self.context.tf
        for parameter in plan.parameters:
            if parameter.dtype is not None and parameter.name:
                dtype = self.plan.spec_names[parameter] + ".dtype"
                body.append(
                    nodes.statements(f"{parameter.name} = {tf}.convert_to_tensor({parameter.name}, {dtype})\n")[0]
                )
        for statement in plan.pipeline:
            visited = statement.node.visit(self._step_rewriter())
            assert isinstance(visited, (cst.SimpleStatementLine, cst.BaseCompoundStatement))
            comments = [line for line in statement.node.leading_lines if line.comment is not None]
            body.append(visited.with_changes(leading_lines=comments))
        dataset = small.value.func.value.visit(self._step_rewriter())
        body.append(cst.SimpleStatementLine([cst.Return(dataset)]))  # type: ignore[arg-type]
        blank = 2 if plan.statement.scope.is_module else 1
        return [nodes.function(plan.function, [p.name or "value" for p in plan.parameters], body, blank=blank)]

    def _only_graph(self, call: cst.Call) -> bool:
        """Whether nothing but things of the graph, and constant text, is printed."""
        for argument in call.args:
            value = self.facts.values.get(argument.value)
            if not (
                isinstance(value, (Graphlike, Sequence))
                or isinstance(argument.value, (cst.SimpleString, cst.ConcatenatedString))
            ):
                return False
        return True

    def _with_lines(self, made: list[cst.BaseStatement], node: cst.SimpleStatementLine) -> list[cst.BaseStatement]:
        if made:
            made[0] = made[0].with_changes(leading_lines=node.leading_lines)
        return made

    def _spec_line(self, value: Placeholder, call: cst.Call, node: cst.SimpleStatementLine) -> list[cst.BaseStatement]:
        if not self._spec_needed(value):
            return []
        name = self.plan.spec_names[value]
        visited: object = None
        if value.default is None:
            visited = call.visit(_Expressions(self))
        else:
            args = arguments("placeholder_with_default", call)
            shape = nodes.code(args["shape"].visit(_Expressions(self))) if "shape" in args else "None"  # type: ignore[arg-type]
            default = nodes.code(value.default.visit(_Expressions(self)))  # type: ignore[arg-type]
            tf = self.context.tf
            visited = nodes.expression(
                f'{tf}.TensorSpec({shape}, {tf}.convert_to_tensor({default}).dtype, name="{value.name}")'
            )
        made = nodes.assign(name, visited)  # type: ignore[arg-type]
        made = made.with_changes(leading_lines=node.leading_lines, trailing_whitespace=node.trailing_whitespace)
        self.specs.add(id(made))
        self.keep.append(made)
        return [made]

    def _spec_needed(self, value: Placeholder) -> bool:
        fed = any(p.fed is value for s in self.plan.steps for p in s.parameters)
        alias = any(not f.inline and f.key is value for r in self.facts.runs.values() for f in r.feeds)
        static = any(v is value for v in self.facts.static_reads.values()) or any(
            value in p.parameters for p in self.plan.iterators.values()
        )
        return fed or alias or static or self._named_by_host(value)

    def _named_by_host(self, value: Placeholder) -> bool:
        """Whether a feed dictionary built elsewhere names the placeholder."""
        return any(
            r.feed_node is not None and not isinstance(r.feed_node, cst.Dict) and any(f.key is value for f in r.feeds)
            for r in self.facts.runs.values()
        )

    def _writer(self, value: Writer, small: cst.Assign, node: cst.SimpleStatementLine) -> list[cst.BaseStatement]:
        args = arguments("summary.FileWriter", small.value)  # type: ignore[arg-type]
        self.output.packages.add("tensorboard")
        logdir = args["logdir"].visit(_Expressions(self))
        if self.steps.replicas is not None:
            logdir = nodes.expression(self.steps.replicas.folder(nodes.code(logdir)))  # type: ignore[arg-type]
        made: list[cst.BaseStatement] = [
            cst.SimpleStatementLine(
                [small.with_changes(value=nodes.call(f"{self.context.tf}.summary.create_file_writer", logdir))],  # type: ignore[arg-type]
                leading_lines=node.leading_lines,
            )
        ]
        for (writer, summary), name in self.plan.summary_functions.items():
            if writer is value:
                made.extend(self._summary_function(name, value, summary))
        return made

    def _summary_function(self, name: str, writer: Writer, summary: Summary) -> list[cst.BaseStatement]:
        tf = self.context.tf
        lines = []
        for member in summary.members or (summary,):
            kind = member.kind
            extra, value = "", f'values["{member.tag}"]'
            if kind == "image":
                self.output.need(self.path, ("legacy_summaries:image_pixels",))
                value = f"image_pixels({value})"
            if member.call is not None:
                given = arguments(f"summary.{kind}", member.call)
                if "max_outputs" in given and kind in ("image", "audio"):
                    extra += f", max_outputs={nodes.code(given['max_outputs'])}"
                if kind == "audio":
                    extra = f", {nodes.code(given['sample_rate'])}" + extra
            lines.append(f'        {tf}.summary.{kind}("{member.tag}", {value}{extra})\n')
        text = f"@{tf}.function\ndef {name}(values, step):\n    with {writer.name}.as_default(step=step):\n" + "".join(
            lines
        )
        made = nodes.statements(text)
        blank = 2 if writer.scope is not None and writer.scope.is_module else 1
        definition = nodes.blank_lines(made[0], blank)
        self.written.add(id(definition))
        self.keep.append(definition)
        return [definition]  # type: ignore[list-item]

    def _configured(self, statement: Statement) -> list[cst.BaseStatement]:
        """The settings of a session's configuration that have a counterpart."""
        made: list[cst.BaseStatement] = []
        for value in statement.made:
            if isinstance(value, Config):
                made.extend(self._settings(value, statement))
        return made

    def _settings(self, config: Config, statement: Statement) -> list[cst.BaseStatement]:
        return sites.settings(self, config)

    # with statements

    def _dissolved(self, original: cst.With, result: cst.With) -> list[cst.BaseStatement]:
        kept = [item for item, before in zip(result.items, original.items, strict=True) if not self._goes(before)]
        before: list[cst.BaseStatement] = []
        for item in original.items:
            for value in self._configs(item):
                before.extend(self._settings(value, self.facts.statements[original]))
        if kept:
            kept[-1] = kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
            return [*before, result.with_changes(items=kept)]
        inner = list(result.body.body)
        body: list[cst.BaseStatement] = [b for b in inner if isinstance(b, cst.BaseStatement) and not _is_pass(b)]
        if not isinstance(result.body, cst.IndentedBlock):
            body = [cst.SimpleStatementLine([s for s in inner if isinstance(s, cst.BaseSmallStatement)])]
        comments = [line for line in original.leading_lines if line.comment is not None]
        if body and (comments or original.leading_lines):
            own = list(body[0].leading_lines)  # type: ignore[attr-defined]
            while own and own[0].comment is None:
                own.pop(0)
            body[0] = self._relined(body[0], [*original.leading_lines, *own])
        footer = result.body.footer if isinstance(result.body, cst.IndentedBlock) else ()
        if footer and body and any(line.comment is not None for line in footer):
            self.footers.append(list(footer))
        return [*before, *body]

    def _relined(self, node: cst.BaseStatement, lines: list[cst.EmptyLine]) -> cst.BaseStatement:
        """The statement with other leading lines, and still known for what it is."""
        made = node.with_changes(leading_lines=lines)
        for marks in (self.scoped, self.specs, self.written):
            if id(node) in marks:
                marks.add(id(made))
        self.keep.append(made)
        return made

    @property
    def footers(self) -> list[list[cst.EmptyLine]]:
        """Comments that stood last in a dissolved block."""
        return self.__dict__.setdefault("_footers", [])  # type: ignore[no-any-return]

    def _configs(self, item: cst.WithItem) -> list[Config]:
        call = item.item
        found = []
        if isinstance(call, cst.Call):
            for argument in call.args:
                value = self.facts.values.get(argument.value)
                if isinstance(value, Config) and isinstance(argument.value, cst.Call):
                    found.append(value)
        return found

    # run sites

    def leave_Subscript(self, original_node: cst.Subscript, updated_node: cst.Subscript) -> cst.BaseExpression:
        return sites.subscripted(self, original_node) or updated_node

    def run_site(self, node: cst.Call) -> cst.BaseExpression:
        return sites.expression(self, node)

    def visit_With(self, node: cst.With) -> bool:
        statement = self.facts.statements.get(node)
        if statement is not None and statement.transparent and all(map(self._goes, node.items)):
            self.dissolving.add(node.body)
        return True

    def _goes(self, item: cst.WithItem) -> bool:
        value = self.facts.values.get(item.item)
        return isinstance(value, Graphlike) or _context(value)

    # strategy scope

    def _grouped(
        self, original: cst.IndentedBlock | cst.Module, node: cst.IndentedBlock | cst.Module
    ) -> cst.IndentedBlock | cst.Module:
        body = list(node.body)
        if self.options.strategy is not Strategy.NONE:
            body = layout.gathered(
                body, lambda s: id(s) in self.scoped, lambda s: id(s) in self.specs, self._scope_block
            )
        if len(body) != len(original.body) or any(a is not b for a, b in zip(body, original.body, strict=True)):
            apart = layout.apart(original.body)
            close = isinstance(original, cst.IndentedBlock) and not original.body[0].leading_lines  # type: ignore[attr-defined]
            body = layout.spaced(body, lambda s: id(s) in self.written, isinstance(node, cst.Module), apart, close)
        if not body and isinstance(node, cst.IndentedBlock):
            return node.with_changes(body=[nodes.statements("pass\n")[0]])
        same = len(body) == len(node.body) and all(a is b for a, b in zip(body, node.body, strict=True))
        return node if same else node.with_changes(body=body)

    def _scope_block(self, group: list[cst.BaseStatement]) -> cst.BaseStatement:
        first = group[0]
        leading = list(first.leading_lines)  # type: ignore[attr-defined]
        blanks = [line for line in leading if line.comment is None][:1]
        inner = [line for line in leading if line.comment is not None]
        group[0] = first.with_changes(leading_lines=inner)
        group[1:] = [g.with_changes(leading_lines=_squeezed(g)) for g in group[1:]]
        return nodes.block(f"with {self.strategy_name}.scope():", group).with_changes(leading_lines=blanks)

    strategy_name = "strategy"


class _Expressions(cst.CSTTransformer):
    """Applies a driver's expression rewriting to a part of the file, without its statements."""

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
        return sites.subscripted(self.driver, original_node) or updated_node

    def _lifted(self, original: cst.Call, updated: cst.Call) -> cst.BaseExpression | None:
        if self.lifted is not None and original is not self.lifted:
            value = self.facts.values.get(original)
            if isinstance(value, Variable) and value in self.plan.variable_names and value.name is None:
                return nodes.expression(self.plan.variable_names[value])
        return super()._lifted(original, updated)


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


def _chain_head(statement: Statement, facts: Facts) -> Statement:
    """The `if` of an `elif`: nothing can stand right before or after an `elif`."""
    while statement.parent is not None and isinstance(statement.node, cst.If) and _is_elif(statement.node, facts):
        statement = statement.parent
    return statement


def _is_elif(node: cst.If, facts: Facts) -> bool:
    statement = facts.statements.get(node)
    parent = statement.parent if statement is not None else None
    return parent is not None and isinstance(parent.node, cst.If) and parent.node.orelse is node


def _squeezed(node: cst.CSTNode) -> list[cst.EmptyLine]:
    """Leading lines with at most one blank line in a row."""
    found: list[cst.EmptyLine] = []
    for line in node.leading_lines:  # type: ignore[attr-defined]
        if line.comment is None and (not found or found[-1].comment is None):
            continue
        found.append(line)
    return found


def _context(value: Value | None) -> bool:
    return type(value).__name__ == "Context"


def _is_pass(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.SimpleStatementLine) and len(node.body) == 1 and isinstance(node.body[0], cst.Pass)


def _shared(variable: Variable) -> bool:
    function = variable.expression.func if isinstance(variable.expression, cst.Call) else None
    name = function.attr.value if isinstance(function, cst.Attribute) else getattr(function, "value", "")
    return name == "get_variable"


__all__ = ["DriverRewriter", "Feed", "Run", "Sequence", "Session", "SiteKind", "Structure", "Tensor"]
