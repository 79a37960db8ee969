"""Calls of TensorFlow's symbols: by a form of their own here, else by the rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.signatures import arguments
from tfmigrate.analysis.values import Graphlike, Operation, Optimizer, Sequence, Variable
from tfmigrate.rewrite import cells, flags, gradients, nodes, specs, variables
from tfmigrate.rewrite.references import READERS
from tfmigrate.rules.base import OptimizerForm, Refused, Rewritten
from tfmigrate.rules.engine import apply

if TYPE_CHECKING:
    from tfmigrate.rewrite.expressions import ExpressionRewriter

ASSIGNS = frozenset({"assign", "assign_add", "assign_sub"})
SCATTERS = frozenset({"scatter_update", "scatter_add", "scatter_sub"})
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
        "merge_all_summaries",
        "merge_summary",
        "train.SummaryWriter",
    }
)


def called(rewriter: ExpressionRewriter, symbol: str, original: cst.Call, updated: cst.Call) -> cst.BaseExpression:
    """The call as it is in TensorFlow 2; refused where there is none."""
    if symbol.startswith(READERS):
        return updated
    if symbol in DISSOLVED:  # gone with the statement around it; one that is left over is found by the invariants
        return updated
    handler = FORMS.get(symbol)
    if handler is not None:
        unpacked = "".join(sorted({a.star for a in original.args}))
        if unpacked and symbol != "group":
            rewriter.refuse("TFM202", original, f"the call of tf.{symbol} unpacks its arguments ({unpacked})")
            return updated
        return handler(rewriter, original, updated)
    if original in rewriter.facts.collected:
        return _collection(rewriter, original)
    if symbol.startswith(("app.", "flags.", "app.flags.")) and ("flags" in symbol or symbol == "app.run"):
        return flags.called(rewriter, symbol, updated)
    if symbol in ASSIGNS or symbol in SCATTERS:
        return _assign(rewriter, symbol, updated)
    if "global_step" in symbol:
        return variables.global_step(rewriter, original)
    result = apply(symbol, updated, rewriter.frozen if rewriter.step and not rewriter.helpers else rewriter.context)
    if isinstance(result, Refused):
        rewriter.refuse(result.code, original, result.message)
        return updated
    if isinstance(result, Rewritten):
        rewriter.take(result, original)
        return cells.initialized(rewriter, original, result.expression)
    if isinstance(result, OptimizerForm):
        return _optimizer(rewriter, result, original)
    rewriter.refuse("TFM103", original, f"tf.{symbol} makes variables in a place that is not followed")
    return updated


def _assign(rewriter: ExpressionRewriter, symbol: str, updated: cst.Call) -> cst.BaseExpression:
    """`tf.assign(v, x)` as `v.assign(x)`."""
    args = arguments(symbol, updated)
    if symbol in SCATTERS:
        slices = nodes.call(f"{rewriter.context.tf}.IndexedSlices", args["updates"], args["indices"])
        return nodes.method(args["ref"], symbol, slices)
    return nodes.method(args["ref"], symbol, args["value"])


def _checkpoint_exists(rewriter: ExpressionRewriter, original: cst.Call, updated: cst.Call) -> cst.BaseExpression:
    path = nodes.parenthesized(updated.args[0].value)
    return nodes.expression(f'{rewriter.context.tf}.io.gfile.exists({nodes.code(path)} + ".index")')


def _group(rewriter: ExpressionRewriter, original: cst.Call, updated: cst.Call) -> cst.BaseExpression:
    kept = [a for a in updated.args if a.keyword is None and a.star != "**"]
    return cst.List([cst.StarredElement(a.value) if a.star else cst.Element(a.value) for a in kept])


def _no_op(rewriter: ExpressionRewriter, original: cst.Call, updated: cst.Call) -> cst.BaseExpression:
    return cst.Name("None")


def _tuple(rewriter: ExpressionRewriter, original: cst.Call, updated: cst.Call) -> cst.BaseExpression:
    return nodes.call("list", updated.args[0].value) if updated.args else updated


def _optimizer(rewriter: ExpressionRewriter, form: OptimizerForm, original: cst.Call) -> cst.BaseExpression:
    """The optimizer's constructor; a rate that is a tensor is assigned in the step."""
    rewriter.output.need(rewriter.path, form.support)
    for code, message in form.notes:
        rewriter.note(code, original, message)
    value = rewriter.facts.values.get(original)
    rate = form.learning_rate
    if isinstance(value, Optimizer) and isinstance(value.rate, Graphlike):
        rate = cst.Float("0.0")
    text = (
        form.class_text.replace("tf.", rewriter.context.tf + ".", 1)
        if form.class_text.startswith("tf.")
        else form.class_text
    )
    return nodes.call(text, rate, **dict(form.keywords))


def _collection(rewriter: ExpressionRewriter, original: cst.Call) -> cst.BaseExpression:
    """A collection of the graph as the list of what was in it."""
    value = rewriter.facts.collected[original]
    if original in rewriter.facts.with_slots:
        rewriter.refuse(
            "TFM124",
            original,
            "this collection holds the slot variables of optimizers too, which have no such names any more",
        )
    names: list[str] = []
    if isinstance(value, Sequence):
        for item in value.items:
            text = cells.all_listed(rewriter.plan, item, value.items) or rewriter.value_text(item)
            if text is None and isinstance(item, Variable):
                text = rewriter.plan.variable_lists.get(item)
            if not rewriter.step and cells.is_late(rewriter.plan, item):
                message = "a list of variables that a recurrent cell makes when it is first called"
                rewriter.refuse("TFM133", original, message)
            if text is not None and text in names:
                continue
            named = isinstance(item, (Variable, Operation))
            if text is None or not named:
                what = "something in this collection cannot be reached by a name"
                rewriter.refuse("TFM124", original, what if named else "a collection that cannot be made a list")
                text = "None"
            names.append(text)
    return nodes.expression("[" + ", ".join(names) + "]")


Form = Callable[["ExpressionRewriter", cst.Call, cst.Call], cst.BaseExpression]
FORMS: dict[str, Form] = {
    "Variable": variables.variable,
    "contrib.eager.Variable": variables.eager_variable,
    "get_variable": variables.got_variable,
    "placeholder": specs.placeholder,
    "gradients": gradients.taken,
    "group": _group,
    "no_op": _no_op,
    "tuple": _tuple,
    "train.checkpoint_exists": _checkpoint_exists,
}
