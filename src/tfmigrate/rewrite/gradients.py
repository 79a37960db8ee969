"""Gradients inside a step: `tf.gradients` and an optimizer's methods, taken from the step's tape."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.signatures import arguments
from tfmigrate.analysis.values import Gradients, Host, Operation, Optimizer, Sequence
from tfmigrate.rewrite import nodes

if TYPE_CHECKING:
    from tfmigrate.rewrite.expressions import ExpressionRewriter


def taken(rewriter: ExpressionRewriter, original: cst.Call, updated: cst.Call) -> cst.BaseExpression:
    """`tf.gradients(ys, xs)` as `tape.gradient(ys, xs)`."""
    made = rewriter.facts.gradients.get(original)
    args = arguments("gradients", updated)
    if made is None or not rewriter.step:
        rewriter.refuse("TFM128", original, "gradients are taken in a place that is not followed")
        return updated
    sources = args["xs"]
    if not isinstance(made.sources, Sequence):
        sources = cst.List([cst.Element(sources)])
    expression = nodes.call(f"{rewriter.tape}.gradient", args["ys"], sources)
    return expression if rewriter.replicas is None else rewriter.replicas.whole(made, expression)


def by_optimizer(
    rewriter: ExpressionRewriter, original: cst.Call, receiver: Optimizer, name: str
) -> cst.BaseExpression:
    """`optimizer.compute_gradients(…)` as pairs from the tape, `optimizer.apply_gradients(pairs)`."""
    optimizer = rewriter.plan.optimizer_names.get(receiver, "optimizer")
    known = rewriter.facts.values.get(original)
    if name == "get_slot_names" and isinstance(known, Sequence):
        literals = [item.literal for item in known.items if isinstance(item, Host)]
        return nodes.expression(repr(literals).replace("'", '"'))
    if name == "compute_gradients":
        made = rewriter.facts.gradients[original]
        variables = trained(rewriter, made, original)
        target = _target(rewriter, made)
        found = nodes.expression(f"{rewriter.tape}.gradient({target}, {variables})")
        if rewriter.replicas is not None:
            found = rewriter.replicas.whole(made, found)
        return nodes.expression(f"list(zip({nodes.code(found)}, {variables}))")
    args = arguments("optimizer.apply_gradients", original)
    if rewriter.facts.eager and (name == "minimize" or "global_step" in args):
        rewriter.refuse("TFM128", original, f"{name} in an eager program, of a function or with a global step")
    pairs = args["grads_and_vars"].visit(rewriter)
    assert isinstance(pairs, cst.BaseExpression)
    if rewriter.replicas is not None:
        pairs = rewriter.replicas.applied(original, receiver, rewriter.object_text(optimizer), pairs)
    return nodes.call(f"{rewriter.object_text(optimizer)}.apply_gradients", pairs)


def _target(rewriter: ExpressionRewriter, made: Gradients) -> str:
    """The text of what is differentiated."""
    assert made.target_node is not None
    node = made.target_node.visit(rewriter)
    return nodes.code(node)  # type: ignore[arg-type]


def trained(rewriter: ExpressionRewriter, made: Gradients | Operation, node: cst.CSTNode) -> str:
    """The text of the list of variables that gradients are taken for."""
    if isinstance(made, Operation):
        given = made.variables_node if not made.default_variables else None
    else:
        given = made.sources_node
    if given is not None:
        visited = given.visit(rewriter)
        text = nodes.code(visited)  # type: ignore[arg-type]
        value = made.variables if isinstance(made, Operation) else made.sources
        return text if isinstance(value, Sequence) else f"[{text}]"
    texts: list[str] = []
    for variable in rewriter.facts.trained.get(made, ()):
        name = rewriter.plan.listed(variable, rewriter.scope)
        if name is not None and name in texts:
            continue
        if name is None:
            rewriter.refuse("TFM143", node, "a trained variable cannot be reached by a name here")
        texts.append(name or "None")
    return "[" + ", ".join(texts) + "]"
