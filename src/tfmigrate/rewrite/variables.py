"""Variables: `tf.Variable` and `tf.get_variable` with the arguments that TensorFlow 2 has, under their legacy names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.signatures import arguments
from tfmigrate.analysis.values import Function, Graphlike, Initializer, Sequence, Symbol, Unknown, Variable
from tfmigrate.rewrite import nodes
from tfmigrate.rewrite.arguments import ended, keyword

if TYPE_CHECKING:
    from tfmigrate.rewrite.expressions import ExpressionRewriter

GONE = frozenset(
    {
        "collections",
        "validate_shape",
        "caching_device",
        "variable_def",
        "expected_shape",
        "import_scope",
        "use_resource",
        "synchronization",
        "aggregation",
    }
)  # arguments of tf.Variable

EAGER_POSITIONAL = 6  # parameters that tf.contrib.eager.Variable and tf.Variable have at the same places


def variable(rewriter: ExpressionRewriter, original: cst.Call, updated: cst.Call) -> cst.BaseExpression:
    """tf.Variable with the arguments that TensorFlow 2 has, and its legacy name."""
    args = arguments("Variable", updated)
    kept: list[cst.Arg] = []
    value = rewriter.facts.values.get(original)
    for argument, (name, node) in zip(updated.args, args.items(), strict=False):
        if name in GONE:
            if name == "validate_shape" and nodes.code(node) == "False":
                kept.append(keyword("shape", nodes.expression(f"{rewriter.context.tf}.TensorShape(None)")))
            continue
        if (
            name == "name"
            and isinstance(value, Variable)
            and value.legacy_name
            and not rewriter.attributes
            and _is_string(node)
        ):
            node = nodes.expression(f'"{value.legacy_name}"')
        kept.append(argument.with_changes(value=node) if name == "initial_value" else keyword(name, node, argument))
    if (
        isinstance(value, Variable)
        and value.local
        and not any(a.keyword and a.keyword.value == "trainable" for a in kept)
    ):
        kept.append(keyword("trainable", cst.Name("False")))
    return cst.Call(nodes.expression(f"{rewriter.context.tf}.Variable"), ended(kept))


def eager_variable(rewriter: ExpressionRewriter, original: cst.Call, updated: cst.Call) -> cst.BaseExpression:
    """tf.contrib.eager.Variable: its parameters are tf.Variable's up to the name, and others by position after it."""
    positional = [argument for argument in original.args if argument.keyword is None]
    if any(argument.star for argument in original.args) or len(positional) > EAGER_POSITIONAL:
        rewriter.refuse("TFM202", original, "arguments of tf.contrib.eager.Variable that are not given by name")
    return variable(rewriter, original, updated)


def got_variable(rewriter: ExpressionRewriter, original: cst.Call, updated: cst.Call) -> cst.BaseExpression:
    """tf.get_variable: the variable that is there under the name already, else a tf.Variable."""
    value = rewriter.facts.values.get(original)
    if isinstance(value, Variable) and value.expression is not original and value in rewriter.plan.variable_names:
        return nodes.expression(rewriter.plan.variable_names[value])
    args = arguments("get_variable", updated)
    original_args = arguments("get_variable", original)
    shape, dtype, initializer = args.get("shape"), args.get("dtype"), args.get("initializer")
    default = rewriter.facts.default_initializers.get(original)
    if default is not None:
        original_args["initializer"] = default
        initializer = default.visit(rewriter)  # type: ignore[assignment]
    given = rewriter.facts.values.get(original_args["initializer"]) if "initializer" in original_args else None
    tf = rewriter.context.tf
    if initializer is not None and _is_value(rewriter, original_args["initializer"], given):
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
        kept.append(keyword("dtype", dtype))
    if "trainable" in args:
        kept.append(keyword("trainable", args["trainable"]))
    name = args.get("name")
    # one place may make the variables of several objects, each of another name
    alone = isinstance(value, Variable) and len(rewriter.facts.names_made.get(value.expression, ())) < 2
    if isinstance(value, Variable) and value.legacy_name and alone and not rewriter.attributes:
        kept.append(keyword("name", nodes.expression(f'"{value.legacy_name}"')))
    elif name is not None:
        kept.append(keyword("name", name))
    return cst.Call(nodes.expression(f"{tf}.Variable"), kept)


def _is_value(rewriter: ExpressionRewriter, node: cst.BaseExpression, value: object) -> bool:
    """Whether an initializer is an initial value (an array, a number, a tensor) rather than a function that makes
    one.
    """
    if isinstance(value, (Graphlike, Sequence)):
        return True
    if isinstance(value, Unknown):
        rewriter.refuse("TFM141", node, "it is not known whether this is an initial value or a function that makes one")
    return not isinstance(value, (Symbol, Function, Initializer))


def global_step(rewriter: ExpressionRewriter, original: cst.Call) -> cst.BaseExpression:
    """The global step: its variable where that is made elsewhere, else the variable."""
    value = rewriter.facts.values.get(original)
    made_here = isinstance(value, Variable) and original is value.expression
    if isinstance(value, Variable) and value in rewriter.plan.variable_names and (rewriter.step or not made_here):
        return nodes.expression(rewriter.plan.variable_names[value])
    tf = rewriter.context.tf
    return nodes.expression(f'{tf}.Variable(0, trainable=False, dtype={tf}.int64, name="global_step")')


def _is_string(node: cst.BaseExpression) -> bool:
    return isinstance(node, (cst.SimpleString, cst.ConcatenatedString))
