"""Rewrites expressions: API symbols by the rules, variables, layers, run sites and assignments by the plan.

An edit is a function of the updated node, so nested edits survive; facts are looked up by the original node.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.facts import Facts
from tfmigrate.analysis.refusal import Refusal
from tfmigrate.analysis.signatures import arguments
from tfmigrate.analysis.values import Context as GraphContext
from tfmigrate.analysis.values import (
    Function,
    Gradients,
    Graphlike,
    Host,
    Initializer,
    Layer,
    Mapping,
    Module,
    Operation,
    Optimizer,
    Placeholder,
    Sequence,
    Session,
    Symbol,
    Unknown,
    Variable,
)
from tfmigrate.model import Finding, Optimizers, Options, Severity, SignatureChange
from tfmigrate.plan.program import Plan
from tfmigrate.rewrite import nodes
from tfmigrate.rewrite.aggregation import aggregated
from tfmigrate.rules.base import Context, LayerForm, OptimizerForm, Refused, Rewritten
from tfmigrate.rules.engine import apply, reference

if TYPE_CHECKING:
    from tfmigrate.rewrite.replica_steps import Replicas

ASSIGNS = {"assign": "assign", "assign_add": "assign_add", "assign_sub": "assign_sub"}
SCATTERS = {"scatter_update": "scatter_update", "scatter_add": "scatter_add", "scatter_sub": "scatter_sub"}
DISSOLVED = frozenset(
    {
        "Session",
        "InteractiveSession",
        "Graph",
        "get_default_graph",
        "name_scope",
        "variable_scope",
        "device",
        "control_dependencies",
        "get_default_session",
        "ConfigProto",
        "GPUOptions",
        "global_variables_initializer",
        "initialize_all_variables",
        "local_variables_initializer",
        "tables_initializer",
        "train.Saver",
        "summary.FileWriter",
        "summary.merge_all",
        "summary.merge",
    }
)
GRAPH_SYMBOLS = frozenset(
    {
        "placeholder",
        "Variable",
        "get_variable",
        "Session",
        "InteractiveSession",
        "gradients",
        "get_collection",
        "trainable_variables",
        "global_variables",
        "all_variables",
        "assign",
        "assign_add",
        "assign_sub",
        "group",
        "no_op",
        "train.Saver",
    }
)


@dataclass
class Output:
    """What rewriting a program gathers: support files, imports and findings."""

    support: dict[str, set[str]] = field(default_factory=dict)
    imports: dict[str, dict[str, None]] = field(default_factory=dict)  # path -> statements
    signatures: list[SignatureChange] = field(default_factory=list)
    refusals: list[Finding] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)
    packages: set[str] = field(default_factory=set)

    taken: frozenset[str] = frozenset()  # names of the tree's own modules beside the entry

    def module(self, name: str) -> str:
        """The name of a support file: another one where a module of the user bears it already."""
        return f"{name}_of_tf1" if name in self.taken else name

    def need(self, path: str, support: tuple[str, ...]) -> None:
        """A file at `path` needs parts of support files: ("fused_optimizers:Adam",)."""
        for item in support:
            module, _, part = item.partition(":")
            self.support.setdefault(module, set()).add(part)
            named = self.module(module)
            self.add_import(path, f"from {named} import {part}" if part else f"import {named}")

    def add_import(self, path: str, statement: str) -> None:
        """The file needs this import."""
        self.imports.setdefault(path, {}).setdefault(statement)


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
        self.facts, self.plan, self.options, self.output, self.path, self.step = (
            facts,
            plan,
            options,
            output,
            path,
            step,
        )
        self.context = Context(tf=tf, fused=options.optimizers is Optimizers.FUSED)
        labels = frozenset(p.name for p in facts.placeholders if p.name and _means_only(p, facts))
        self.frozen = Context(
            tf=tf, fused=self.context.fused, frozen=labels
        )  # in a step: no gradient reaches what is fed
        self.skip: set[cst.CSTNode] = set()
        self.attributes: dict[str, str] = {}  # names that stand on self here
        self.tape = "tape"
        self.lifting = False  # a lifted expression itself is being written: it is not replaced by its name
        self.lifted: cst.Call | None = None
        self.shortened: cst.Call | None = None
        self.building = False
        self.helpers = 0  # helper functions around this code: their parameters are not the driver's placeholders
        self.updating: set[Graphlike] = set()  # layers whose averages move in this step
        self.replicas: Replicas | None = None  # in a step that replicas take

    def refuse(self, code: str, node: cst.CSTNode, message: str) -> None:
        """A construct that cannot be written."""
        finding = Finding(code, Severity.ERROR, self.plan.locate(node), message)
        if finding not in self.output.refusals:
            self.output.refusals.append(finding)

    def note(self, code: str, node: cst.CSTNode, message: str) -> None:
        """Something to tell the user."""
        finding = Finding(code, Severity.WARNING, self.plan.locate(node), message)
        if finding not in self.output.notes:
            self.output.notes.append(finding)

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

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool | None:
        self.helpers += node not in self.plan.drivers
        return None

    def leave_FunctionDef(
        self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
    ) -> cst.BaseStatement | cst.RemovalSentinel:
        """Parameters that took the session are gone."""
        self.helpers -= original_node not in self.plan.drivers
        calls = self.facts.functions.get(original_node, [])
        gone = {name for call in calls for name, value in call.arguments.items() if isinstance(value, Session)}
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

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        if original_node in self.skip:
            return updated_node
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
        if isinstance(value, Variable) and value.name == original_node.value != self.plan.variable_names.get(
            value, value.name
        ):
            return nodes.expression(self.plan.variable_names[value])  # bound again: each variable has a name of its own
        return self._reference(original_node, updated_node)

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:
        if original_node in self.skip:
            return updated_node
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
        return self._reference(original_node, updated_node)

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

    def _reference(self, original: cst.BaseExpression, updated: cst.BaseExpression) -> cst.BaseExpression:
        symbol = self.facts.symbols.get(original)
        if not symbol or symbol.startswith("builtins.") or original in self.skip:
            return updated
        if isinstance(self.facts.values.get(original), (Module, Function)) or not isinstance(
            self.facts.values.get(original), Symbol
        ):
            return updated
        if symbol.startswith(("app.flags", "flags")) and isinstance(original, (cst.Name, cst.Attribute)):
            return self._flags(original, updated, symbol)
        if symbol.startswith(("examples.", "contrib.learn.python.learn.datasets.")):
            return updated
        if symbol in (
            "contrib",
            "layers",
            "nn",
            "train",
            "summary",
            "app",
            "logging",
            "contrib.layers",
            "contrib.slim",
            "GraphKeys",
            "contrib.seq2seq",
        ):
            return updated
        result = reference(symbol, self.context)
        if isinstance(result, Refused):
            self.refuse(result.code, original, result.message)
            return updated
        self._take(result, original)
        return result.expression

    def _flags(self, original: cst.BaseExpression, updated: cst.BaseExpression, symbol: str) -> cst.BaseExpression:
        base = original
        while isinstance(base, cst.Attribute):
            base = base.value
        if isinstance(base, cst.Name) and base not in self.facts.symbols:
            return updated
        self.output.add_import(self.path, "from absl import flags")
        rest = symbol.split("flags", 1)[1].lstrip(".")
        return nodes.expression("flags" + (f".{rest}" if rest else ""))

    def _take(self, result: Rewritten, node: cst.CSTNode) -> None:
        for code, message in result.notes:
            self.note(code, node, message)
        self.output.need(self.path, result.support)
        for statement in result.imports:
            self.output.add_import(self.path, statement)

    # lists over the names of variables are known when converting

    def leave_ListComp(self, original_node: cst.ListComp, updated_node: cst.ListComp) -> cst.BaseExpression:
        if not _reads_names(original_node.elt):
            return updated_node
        literal = _literal(self.facts.values.get(original_node))
        return updated_node if literal is None else nodes.expression(literal)

    def leave_DictComp(self, original_node: cst.DictComp, updated_node: cst.DictComp) -> cst.BaseExpression:
        value = self.facts.values.get(original_node)
        if not isinstance(value, Mapping) or not (_reads_names(original_node.key) or _reads_names(original_node.value)):
            return updated_node
        parts = []
        for entry in value.entries:
            key = _literal(entry.key)
            text = _literal(entry.value) or self.value_text(entry.value)
            if key is None or text is None:
                return updated_node
            parts.append(f"{key}: {text}")
        return nodes.expression("{" + ", ".join(parts) + "}")

    # calls

    def visit_Call(self, node: cst.Call) -> bool:
        if node in self.facts.symbols or node.func in self.facts.symbols:
            self.skip.add(node.func)
        if node in self.facts.runs:
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
            self.shortened = updated_node
            replaced = self._lifted(original_node, updated_node)
            if replaced is not None:
                return replaced
            updated_node = self.shortened
        symbol = self.facts.symbols.get(original_node.func)
        if symbol is not None and not symbol.startswith("builtins."):
            made = self._symbol(symbol, original_node, updated_node)
            return (
                aggregated(self.plan, self.facts.values.get(original_node), made, self.context.tf)
                if self.plan.aggregations
                else made
            )
        return self._method(original_node, updated_node)

    def run_site(self, node: cst.Call) -> cst.BaseExpression:
        """The expression that a run site becomes; the driver's rewriter gives it."""
        self.refuse("TFM105", node, "the session is run inside code that moves into a step function")
        return node

    def _lifted(self, original: cst.Call, updated: cst.Call) -> cst.BaseExpression | None:
        """A build-once expression that stands inside another statement is replaced by its name there."""
        layer = self.facts.layer_results.get(original)
        if layer is not None:
            return self.layer_call(layer, original, updated)
        facts = self.facts.calls.get(original, ())
        gone = [a for a in original.args if isinstance(self.facts.values.get(a.value), Session)]
        if facts and gone:
            kept = [u for o, u in zip(original.args, updated.args, strict=True) if o not in gone]
            updated = updated.with_changes(args=_tidy(kept))
            self.shortened = updated
        for fact in facts:
            if fact.layer is not None and fact.layer in self.plan.layer_names:
                return self.function_layer_call(fact.layer, original, updated)
        if not self.step:
            return None
        value = self.facts.values.get(original)
        if isinstance(value, Variable) and value in self.plan.variable_names:
            return nodes.expression(self.plan.variable_names[value])
        if isinstance(value, Optimizer) and value in self.plan.optimizer_names:
            return nodes.expression(self.plan.optimizer_names[value])
        return None

    def layer_call(self, layer: Layer, original: cst.Call, updated: cst.Call) -> cst.BaseExpression:
        """`tf.layers.dense(x, 10)` as `dense(x)`."""
        symbol = self.facts.symbols.get(original.func, "")
        form = apply(symbol, updated, self.context)
        if not isinstance(form, LayerForm):
            if isinstance(form, Refused):
                self.refuse(form.code, original, form.message)
            return updated
        name = self.object_text(self.plan.layer_names.get(layer, "layer"))
        keywords = dict(form.keywords)
        if form.updates and layer not in self.updating:
            keywords["updates"] = cst.Name("False")
        made: cst.BaseExpression = nodes.call(name, form.inputs, **keywords)
        if form.activation is not None:
            made = cst.Call(form.activation, [cst.Arg(made)])
        return made

    def function_layer_call(self, layer: Layer, original: cst.Call, updated: cst.Call) -> cst.BaseExpression:
        """`add_layer(x, 1, 10)` as `l1_layer(x)`."""
        fact = layer.form
        layer_class = self.plan.layers[fact.function.node]
        kept = [
            a
            for a, o in zip(updated.args, original.args, strict=True)
            if any(fact.argument_nodes.get(p) is o.value for p in layer_class.call_parameters)
        ]
        name = self.object_text(self.plan.layer_names[layer])
        kept = [
            a.with_changes(comma=cst.MaybeSentinel.DEFAULT, whitespace_after_arg=cst.SimpleWhitespace(""))
            if a is kept[-1]
            else a
            for a in kept
        ]
        return cst.Call(nodes.expression(name), kept)

    def object_text(self, name: str) -> str:
        """How an object made once is reached here."""
        return f"self.{self.attributes[name]}" if name in self.attributes else name

    def _symbol(self, symbol: str, original: cst.Call, updated: cst.Call) -> cst.BaseExpression:
        if symbol.startswith(
            ("examples.", "contrib.learn.python.learn.datasets.")
        ):  # the MNIST reader, now a module beside the program
            return updated
        if symbol in DISSOLVED:  # gone with the statement around it; one that is left over is found by the invariants
            return updated
        handler = getattr(self, "_on_" + symbol.replace(".", "_"), None)
        if handler is not None:
            return handler(original, updated)  # type: ignore[no-any-return]
        if original in self.facts.collected:
            return self._collection(original)
        if symbol.startswith(("app.", "flags.", "app.flags.")) and ("flags" in symbol or symbol == "app.run"):
            return self._application(symbol, original, updated)
        if symbol in ASSIGNS or symbol in SCATTERS:
            return self._assign(symbol, original, updated)
        if "global_step" in symbol:
            value = self.facts.values.get(original)
            if (
                isinstance(value, Variable)
                and value in self.plan.variable_names
                and (self.step or original not in self._making(value))
            ):
                return nodes.expression(self.plan.variable_names[value])
            return nodes.expression(
                f'{self.context.tf}.Variable(0, trainable=False, dtype={self.context.tf}.int64, name="global_step")'
            )
        result = apply(symbol, updated, self.frozen if self.step and not self.helpers else self.context)
        if isinstance(result, Refused):
            self.refuse(result.code, original, result.message)
            return updated
        if isinstance(result, Rewritten):
            self._take(result, original)
            return result.expression
        if isinstance(result, OptimizerForm):
            return self.optimizer(result, original)
        self.refuse("TFM103", original, f"tf.{symbol} makes variables in a place that is not followed")
        return updated

    def _making(self, value: Variable) -> set[cst.CSTNode]:
        return {value.expression} if value.expression is not None else set()

    def optimizer(self, form: OptimizerForm, original: cst.Call) -> cst.BaseExpression:
        """The optimizer's constructor; a rate that is a tensor is assigned in the step."""
        self.output.need(self.path, form.support)
        for code, message in form.notes:
            self.note(code, original, message)
        value = self.facts.values.get(original)
        rate = form.learning_rate
        if isinstance(value, Optimizer) and isinstance(value.rate, Graphlike):
            rate = cst.Float("0.0")
        text = (
            form.class_text.replace("tf.", self.context.tf + ".", 1)
            if form.class_text.startswith("tf.")
            else form.class_text
        )
        return nodes.call(text, rate, **dict(form.keywords))

    def _collection(self, original: cst.Call) -> cst.BaseExpression:
        value = self.facts.collected[original]
        if original in self.facts.with_slots:
            self.refuse(
                "TFM124",
                original,
                "this collection holds the slot variables of optimizers too, which have no such names any more",
            )
        names: list[str] = []
        if isinstance(value, Sequence):
            for item in value.items:
                text = self.value_text(item) or (
                    self.plan.variable_lists.get(item) if isinstance(item, Variable) else None
                )
                if text is not None and text in names:
                    continue
                if text is None:
                    self.refuse("TFM124", original, "something in this collection cannot be reached by a name")
                    text = "None"
                names.append(text)
        return nodes.expression("[" + ", ".join(names) + "]")

    def value_text(self, value: object) -> str | None:
        """The expression by which a thing of the graph is reached here."""
        if isinstance(value, Variable) and value in self.plan.variable_names:
            return self.plan.variable_names[value]
        if isinstance(value, Graphlike) and value.name:
            return value.name
        return None

    def _application(self, symbol: str, original: cst.Call, updated: cst.Call) -> cst.BaseExpression:
        if symbol == "app.run":
            self.output.add_import(self.path, "from absl import app")
            if not updated.args:
                return nodes.expression("app.run(main)")
            return updated.with_changes(func=nodes.expression("app.run"))
        self.output.add_import(self.path, "from absl import flags")
        return updated.with_changes(func=nodes.expression("flags." + symbol.split(".")[-1]))

    def _assign(self, symbol: str, original: cst.Call, updated: cst.Call) -> cst.BaseExpression:
        args = arguments(symbol, updated)
        if symbol in SCATTERS:
            slices = nodes.call(f"{self.context.tf}.IndexedSlices", args["updates"], args["indices"])
            return nodes.method(args["ref"], SCATTERS[symbol], slices)
        return nodes.method(args["ref"], ASSIGNS[symbol], args["value"])

    def _on_train_checkpoint_exists(self, original: cst.Call, updated: cst.Call) -> cst.BaseExpression:
        path = nodes.parenthesized(updated.args[0].value)
        return nodes.expression(f'{self.context.tf}.io.gfile.exists({nodes.code(path)} + ".index")')

    def _on_Variable(self, original: cst.Call, updated: cst.Call) -> cst.BaseExpression:
        return self.variable(original, updated)

    def variable(self, original: cst.Call, updated: cst.Call) -> cst.BaseExpression:
        """tf.Variable with the arguments that TensorFlow 2 has, and its legacy name."""
        args = arguments("Variable", updated)
        kept: list[cst.Arg] = []
        value = self.facts.values.get(original)
        for argument, (name, node) in zip(updated.args, args.items(), strict=False):
            if name in (
                "collections",
                "validate_shape",
                "caching_device",
                "variable_def",
                "expected_shape",
                "import_scope",
                "use_resource",
                "synchronization",
                "aggregation",
            ):
                if name == "validate_shape" and nodes.code(node) == "False":
                    kept.append(_keyword("shape", nodes.expression(f"{self.context.tf}.TensorShape(None)")))
                continue
            if (
                name == "name"
                and isinstance(value, Variable)
                and value.legacy_name
                and not self.attributes
                and _is_string(node)
            ):
                node = nodes.expression(f'"{value.legacy_name}"')
            kept.append(
                argument.with_changes(value=node) if name == "initial_value" else _keyword(name, node, argument)
            )
        if (
            isinstance(value, Variable)
            and value.local
            and not any(a.keyword and a.keyword.value == "trainable" for a in kept)
        ):
            kept.append(_keyword("trainable", cst.Name("False")))
        return cst.Call(nodes.expression(f"{self.context.tf}.Variable"), _tidy(kept))

    def _on_get_variable(self, original: cst.Call, updated: cst.Call) -> cst.BaseExpression:
        value = self.facts.values.get(original)
        if isinstance(value, Variable) and value.expression is not original and value in self.plan.variable_names:
            return nodes.expression(self.plan.variable_names[value])
        args = arguments("get_variable", updated)
        original_args = arguments("get_variable", original)
        shape, dtype, initializer = args.get("shape"), args.get("dtype"), args.get("initializer")
        default = self.facts.default_initializers.get(original)
        if default is not None:
            original_args["initializer"] = default
            initializer = default.visit(self)  # type: ignore[assignment]
        given = self.facts.values.get(original_args["initializer"]) if "initializer" in original_args else None
        tf = self.context.tf
        if initializer is not None and self._is_value(original_args["initializer"], given):
            initial = initializer
        else:
            factory = (
                nodes.code(initializer)
                if initializer is not None and nodes.code(initializer) != "None"
                else f"{tf}.keras.initializers.GlorotUniform()"
            )
            if initializer is not None and isinstance(given, Symbol):
                factory += "()"
            inside = [nodes.code(shape)] if shape is not None else ["[]"]
            if dtype is not None:
                inside.append(f"dtype={nodes.code(dtype)}")
            initial = nodes.expression(f"{factory}({', '.join(inside)})")
            dtype = None
        kept = [cst.Arg(initial)]
        if dtype is not None:
            kept.append(_keyword("dtype", dtype))
        if "trainable" in args:
            kept.append(_keyword("trainable", args["trainable"]))
        name = args.get("name")
        if isinstance(value, Variable) and value.legacy_name and not self.attributes:
            kept.append(_keyword("name", nodes.expression(f'"{value.legacy_name}"')))
        elif name is not None:
            kept.append(_keyword("name", name))
        return cst.Call(nodes.expression(f"{tf}.Variable"), kept)

    def _is_value(self, node: cst.BaseExpression, value: object) -> bool:
        """Whether an initializer is an initial value (an array, a number, a tensor) rather than a function that makes
        one.
        """
        if isinstance(value, (Graphlike, Sequence)):
            return True
        if isinstance(value, Unknown):
            self.refuse("TFM141", node, "it is not known whether this is an initial value or a function that makes one")
        return not isinstance(value, (Symbol, Function, Initializer))

    def _on_placeholder(self, original: cst.Call, updated: cst.Call) -> cst.BaseExpression:
        value = self.facts.values.get(original)
        name = (
            value.name
            if isinstance(value, Placeholder) and value.name
            else (value.legacy_name if isinstance(value, Placeholder) else None)
        )
        return self.spec(updated, name or "input")

    def spec(self, updated: cst.Call, name: str) -> cst.BaseExpression:
        """tf.placeholder as a tf.TensorSpec."""
        args = arguments("placeholder", updated)
        shape = nodes.code(args["shape"]) if "shape" in args else "None"
        dtype = args["dtype"]
        if isinstance(dtype, cst.SimpleString):
            text = f"{self.context.tf}.as_dtype({nodes.code(dtype)})"
            plain = dtype.evaluated_value
            if isinstance(plain, str):
                text = f"{self.context.tf}.{'float32' if plain == 'float' else plain}"
        else:
            text = nodes.code(dtype)
        return nodes.expression(f'{self.context.tf}.TensorSpec({shape}, {text}, name="{name}")')

    def _on_gradients(self, original: cst.Call, updated: cst.Call) -> cst.BaseExpression:
        made = self.facts.gradients.get(original)
        args = arguments("gradients", updated)
        if made is None or not self.step:
            self.refuse("TFM128", original, "gradients are taken in a place that is not followed")
            return updated
        sources = args["xs"]
        if not isinstance(made.sources, Sequence):
            sources = cst.List([cst.Element(sources)])
        taken = nodes.call(f"{self.tape}.gradient", args["ys"], sources)
        return taken if self.replicas is None else self.replicas.whole(made, taken)

    def _on_group(self, original: cst.Call, updated: cst.Call) -> cst.BaseExpression:
        elements = [cst.Element(a.value) for a in updated.args if a.keyword is None and a.star == ""]
        return cst.List(elements)

    def _on_no_op(self, original: cst.Call, updated: cst.Call) -> cst.BaseExpression:
        return cst.Name("None")

    def _on_tuple(self, original: cst.Call, updated: cst.Call) -> cst.BaseExpression:
        return nodes.call("list", updated.args[0].value) if updated.args else updated

    # methods

    def _method(self, original: cst.Call, updated: cst.Call) -> cst.BaseExpression:
        if not isinstance(original.func, cst.Attribute) or not isinstance(updated.func, cst.Attribute):
            return updated
        receiver, name = self.facts.values.get(original.func.value), original.func.attr.value
        if isinstance(receiver, Optimizer) and name in ("compute_gradients", "apply_gradients", "minimize"):
            return self._gradients(original, receiver, name)
        if isinstance(receiver, Variable):
            if name == "initialized_value":
                return updated.func.value
            if name in ("assign", "assign_add", "assign_sub"):
                return updated.with_changes(args=_tidy(list(updated.args[:1])))
        if name == "get_shape" and isinstance(receiver, Graphlike):
            base: cst.BaseExpression = updated.func.value
            if isinstance(receiver, Placeholder) and not self.step:
                base = nodes.expression(self.plan.spec_names.get(receiver, receiver.name or "spec"))
            return cst.Attribute(base, cst.Name("shape"))
        if original in self.facts.nexts:
            iterator = self.facts.nexts[original]
            return nodes.method(nodes.expression(self.plan.iterator_names.get(iterator, "iterator")), "get_next")
        if name in ("make_one_shot_iterator", "make_initializable_iterator"):
            return nodes.call("iter", updated.func.value)
        return updated

    def _gradients(self, original: cst.Call, receiver: Optimizer, name: str) -> cst.BaseExpression:
        optimizer = self.plan.optimizer_names.get(receiver, "optimizer")
        if name == "compute_gradients":
            made = self.facts.gradients[original]
            variables = self.trained(made, original)
            target = self.target(made)
            taken = nodes.expression(f"{self.tape}.gradient({target}, {variables})")
            if self.replicas is not None:
                taken = self.replicas.whole(made, taken)
            return nodes.expression(f"list(zip({nodes.code(taken)}, {variables}))")
        args = arguments("optimizer.apply_gradients", original)
        pairs = args["grads_and_vars"].visit(self)
        assert isinstance(pairs, cst.BaseExpression)
        if self.replicas is not None:
            pairs = self.replicas.applied(original, receiver, self.object_text(optimizer), pairs)
        return nodes.call(f"{self.object_text(optimizer)}.apply_gradients", pairs)

    def target(self, made: Gradients) -> str:
        """The text of what is differentiated."""
        assert made.target_node is not None
        node = made.target_node.visit(self)
        return nodes.code(node)  # type: ignore[arg-type]

    def trained(self, made: Gradients | Operation, node: cst.CSTNode) -> str:
        """The text of the list of variables that gradients are taken for."""
        if isinstance(made, Operation):
            given = made.variables_node if not made.default_variables else None
        else:
            given = made.sources_node
        if given is not None:
            visited = given.visit(self)
            text = nodes.code(visited)  # type: ignore[arg-type]
            value = made.variables if isinstance(made, Operation) else made.sources
            return text if isinstance(value, Sequence) else f"[{text}]"
        texts: list[str] = []
        for variable in self.facts.trained.get(made, ()):
            name = self.plan.variable_names.get(variable) or self.plan.variable_lists.get(variable)
            if name is not None and name in texts:
                continue
            if name is None:
                self.refuse("TFM143", node, "a trained variable cannot be reached by a name here")
            texts.append(name or "None")
        return "[" + ", ".join(texts) + "]"


def _head(node: cst.FunctionDef) -> str:
    """`name(parameters)`."""
    return f"{node.name.value}({nodes.code(node.params).strip()})"


def _means_only(placeholder: Placeholder, facts: Facts) -> bool:
    """Whether the placeholder's name means nothing else in the program."""
    return all(placeholder in s.made for s in facts.statements.values() if placeholder.name in s.defines)


def _keyword(name: str, node: cst.BaseExpression, like: cst.Arg | None = None) -> cst.Arg:
    if like is not None:
        return like.with_changes(
            keyword=cst.Name(name),
            value=node,
            equal=cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace("")),
        )
    return cst.Arg(
        node, keyword=cst.Name(name), equal=cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    )


def _tidy(arguments_: list[cst.Arg]) -> list[cst.Arg]:
    if arguments_:
        arguments_[-1] = arguments_[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
    return arguments_


def _reads_names(node: cst.BaseExpression) -> bool:
    return ".name" in nodes.code(node)


def _literal(value: object) -> str | None:
    """The value's text, where it is known and made of plain values only."""
    if isinstance(value, Host) and value.known and isinstance(value.literal, (str, int, float, bool, type(None))):
        return (
            repr(value.literal).replace("'", '"')
            if isinstance(value.literal, str) and '"' not in value.literal
            else repr(value.literal)
        )
    if isinstance(value, Sequence) and not value.open_:
        parts = [_literal(i) for i in value.items]
        if any(p is None for p in parts):
            return None
        inside = ", ".join(p for p in parts if p)
        return f"({inside}{',' if len(parts) == 1 else ''})" if value.tuple_ else f"[{inside}]"
    return None


def _is_string(node: cst.BaseExpression) -> bool:
    return isinstance(node, (cst.SimpleString, cst.ConcatenatedString))


__all__ = ["GRAPH_SYMBOLS", "ExpressionRewriter", "Output"]
