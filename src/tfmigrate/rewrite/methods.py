"""Calls of methods of things of the graph: optimizers, variables, tensors, iterators."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.values import Graphlike, MovingAverage, Optimizer, Placeholder, Variable
from tfmigrate.rewrite import averages, gradients, nodes
from tfmigrate.rewrite.arguments import ended

if TYPE_CHECKING:
    from tfmigrate.rewrite.expressions import ExpressionRewriter


_OPTIMIZERS = ("compute_gradients", "apply_gradients", "minimize", "get_slot_names")


def called(rewriter: ExpressionRewriter, original: cst.Call, updated: cst.Call) -> cst.BaseExpression:
    """The call as it is in TensorFlow 2."""
    if not isinstance(original.func, cst.Attribute) or not isinstance(updated.func, cst.Attribute):
        return updated
    receiver, name = rewriter.facts.values.get(original.func.value), original.func.attr.value
    if isinstance(receiver, Optimizer) and name in _OPTIMIZERS:
        return gradients.by_optimizer(rewriter, original, receiver, name)
    if isinstance(receiver, MovingAverage):
        return averages.method(rewriter, original, updated, name)
    if isinstance(receiver, Variable):
        if name == "initialized_value":
            return updated.func.value
        if name in ("assign", "assign_add", "assign_sub"):
            return updated.with_changes(args=ended(list(updated.args[:1])))
    if name == "get_shape" and isinstance(receiver, Graphlike):
        base: cst.BaseExpression = updated.func.value
        if isinstance(receiver, Placeholder) and not rewriter.step:
            base = nodes.expression(rewriter.plan.spec_names.get(receiver, receiver.name or "spec"))
        return cst.Attribute(base, cst.Name("shape"))
    if original in rewriter.facts.nexts:
        iterator = rewriter.facts.nexts[original]
        return nodes.method(nodes.expression(rewriter.plan.iterator_names.get(iterator, "iterator")), "get_next")
    if name in ("make_one_shot_iterator", "make_initializable_iterator"):
        return nodes.call("iter", updated.func.value)
    return updated
