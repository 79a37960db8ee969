"""Placeholders as specifications: `tf.placeholder` becomes a `tf.TensorSpec`, on a line where one is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.signatures import arguments
from tfmigrate.analysis.values import Graphlike, Placeholder, Tensor, Variable, leaves
from tfmigrate.plan.program import Parameter
from tfmigrate.rewrite import nodes

if TYPE_CHECKING:
    from tfmigrate.rewrite.driver import DriverRewriter
    from tfmigrate.rewrite.expressions import ExpressionRewriter
    from tfmigrate.rewrite.step_context import StepContext


def placeholder(rewriter: ExpressionRewriter, original: cst.Call, updated: cst.Call) -> cst.BaseExpression:
    """The placeholder's specification."""
    value = rewriter.facts.values.get(original)
    name = (value.name or value.legacy_name) if isinstance(value, Placeholder) else None
    return _spec(rewriter, updated, name or "input")


def _spec(rewriter: ExpressionRewriter, updated: cst.Call, name: str) -> cst.BaseExpression:
    """tf.placeholder as a tf.TensorSpec."""
    args = arguments("placeholder", updated)
    shape = nodes.code(args["shape"]) if "shape" in args else "None"
    text = dtype_text(rewriter.context.tf, args["dtype"])
    return nodes.expression(f'{rewriter.context.tf}.TensorSpec({shape}, {text}, name="{name}")')


def dtype_text(tf: str, dtype: cst.BaseExpression) -> str:
    """The dtype of a placeholder as an expression that gives a tf.DType."""
    plain = dtype.evaluated_value if isinstance(dtype, cst.SimpleString) else None
    if isinstance(plain, str):
        return f"{tf}.{'float32' if plain == 'float' else plain}"
    return f"{tf}.as_dtype({nodes.code(dtype)})" if isinstance(dtype, cst.SimpleString) else nodes.code(dtype)


def line(
    driver: DriverRewriter, value: Placeholder, call: cst.Call, node: cst.SimpleStatementLine
) -> list[cst.BaseStatement]:
    """The line that stands where the placeholder was made; nothing where the specification is not needed."""
    if not _needed(driver, value):
        return []
    name = driver.plan.spec_names[value]
    if value.default is None:
        spec = driver.visited(call)
    else:
        args = arguments("placeholder_with_default", call)
        shape = nodes.code(driver.visited(args["shape"])) if "shape" in args else "None"
        default = nodes.code(driver.visited(value.default))
        tf = driver.context.tf
        spec = nodes.expression(
            f'{tf}.TensorSpec({shape}, {tf}.convert_to_tensor({default}).dtype, name="{value.name}")'
        )
    made = nodes.assign(name, spec)
    made = made.with_changes(leading_lines=node.leading_lines, trailing_whitespace=node.trailing_whitespace)
    driver.marks.spec(made)
    return [made]


def _needed(driver: DriverRewriter, value: Placeholder) -> bool:
    """Whether a parameter, a feed by name, a static shape or an iterator asks for the specification."""
    fed = any(p.fed is value for s in driver.plan.steps for p in s.parameters)
    alias = any(not f.inline and f.key is value for r in driver.facts.runs.values() for f in r.feeds)
    static = any(v is value for v in driver.facts.static_reads.values()) or any(
        value in p.parameters for p in driver.plan.iterators.values()
    )
    static |= any(v is value for _, v in driver.plan.reached)
    static |= any(d.of is value for d in driver.facts.dimensions.values())
    return fed or alias or static or _named_by_host(driver, value)


def _named_by_host(driver: DriverRewriter, value: Placeholder) -> bool:
    """Whether a feed dictionary built elsewhere names the placeholder."""
    return any(
        r.feed_node is not None and not isinstance(r.feed_node, cst.Dict) and any(f.key is value for f in r.feeds)
        for r in driver.facts.runs.values()
    )


def of_parameter(context: StepContext, parameter: Parameter) -> str | None:
    """The expression of a parameter's specification; None for a value of the host."""
    fed = parameter.fed
    if isinstance(fed, Placeholder):
        return context.plan.reached.get((context.step.scope, fed)) or context.plan.spec_names.get(fed)
    tf = context.tf
    if isinstance(fed, (Tensor, Variable)):
        name = parameter.name
        if isinstance(fed, Variable):
            return f'{tf}.TensorSpec({name}.shape, {name}.dtype, name="{name}")'
        return f'{tf}.TensorSpec(None, {_dtype(context, fed)}, name="{name}")'
    return None


def _dtype(context: StepContext, fed: Graphlike) -> str:
    """The dtype of a fed tensor that is no placeholder: that of the placeholder it is computed from, else
    float32.
    """
    todo: list[Graphlike] = [fed]
    seen: set[int] = set()
    while todo:
        value = todo.pop()
        if isinstance(value, Placeholder) and value.dtype is not None:
            return nodes.code(context.visited(value.dtype))
        if isinstance(value, Tensor) and id(value) not in seen:
            seen.add(id(value))
            todo.extend(v for i in value.inputs for v in leaves(i) if isinstance(v, Graphlike))
    return f"{context.tf}.float32"
