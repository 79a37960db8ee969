"""What makes placeholders and variables, scopes, collections and the global step."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis import dimensions
from tfmigrate.analysis.api import Args, handles, register_name
from tfmigrate.analysis.memo import once
from tfmigrate.analysis.values import (
    MISSING,
    Context,
    Host,
    Operation,
    Placeholder,
    Sequence,
    Tensor,
    Value,
    Variable,
    is_step,
)

if TYPE_CHECKING:
    from tfmigrate.analysis.interpreter import Interpreter


def text(value: Value | None) -> str | None:
    """The string that the value is, where that is known."""
    return value.literal if isinstance(value, Host) and isinstance(value.literal, str) else None


def static_shape(interp: Interpreter, node: cst.BaseExpression | None) -> tuple[int | None, ...] | None:
    """The dimensions that a shape expression denotes; None for what is not known."""
    value = interp.facts.values.get(node) if node is not None else None
    if isinstance(value, Sequence) and not value.open_:
        return tuple(i.literal if isinstance(i, Host) and isinstance(i.literal, int) else None for i in value.items)
    return None


@handles("placeholder", "sparse_placeholder", "placeholder_with_default")
def placeholder(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """A placeholder: a parameter of the steps that it is fed to."""
    for argument in node.args:
        interp.eval(argument.value)
    return once(interp, node, partial(_placeholder, interp, symbol, node, args))


def _placeholder(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Placeholder:
    made = Placeholder(
        step=True,
        dtype=args.get("dtype"),
        shape_node=args.get("shape"),
        default=args.get("input"),
        sparse=symbol == "sparse_placeholder",
        shape=static_shape(interp, args.get("shape")),
    )
    if symbol == "sparse_placeholder":
        interp.refuse("TFM140", node, "a sparse placeholder")
    register_name(interp, made, node)
    interp.facts.placeholders.append(made)
    return made


@handles("Variable")
def variable(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """tf.Variable. In a loop that is run twice here, the second visit is the same variable."""
    initial = None
    for argument in node.args:
        value = interp.eval(argument.value)
        if argument.value is args.get("initial_value"):
            initial = value
    known = interp.known(node)
    if known is not None:
        interp.lift(node, known)
        interp.facts.loops.setdefault(known, tuple(interp.loop_stack))
        if isinstance(known, Variable) and known not in interp.graph_variables:
            interp.graph_variables.append(known)
        interp.made_again(known)
        return known
    name = text(interp.facts.values.get(args["name"])) if "name" in args else "Variable"
    return _made(interp, node, args, interp.naming.variable(name), initial)


def _made(interp: Interpreter, node: cst.Call, args: Args, legacy: str | None, initial: Value | None) -> Variable:
    known = interp.known(node)
    if isinstance(known, Variable):
        if known not in interp.graph_variables:
            interp.graph_variables.append(known)
        interp.lift(node, known)
        interp.made_again(known)
        return known
    made = Variable(legacy_name=legacy, trainable=_trainable(interp, args), initial=initial)
    made.shape = static_shape(interp, args.get("shape"))
    collections = interp.facts.values.get(args["collections"]) if "collections" in args else None
    if isinstance(collections, Sequence):
        names = [v.name.split(".")[-1] for v in collections.items if hasattr(v, "name") and isinstance(v.name, str)]
        made.local = names == ["LOCAL_VARIABLES"]
        made.trainable = made.trainable and not made.local
    if isinstance(initial, Tensor) and is_step(initial) and _depends_on_step(initial):
        interp.refuse(
            "TFM130", node, "the initial value of a variable depends on a placeholder or on an input pipeline"
        )
    interp.made(made, node)
    interp.lift(node, made)
    interp.facts.variables.append(made)
    interp.graph_variables.append(made)
    interp.remember(node, made)
    return made


def _depends_on_step(value: Value) -> bool:
    if isinstance(value, Placeholder):
        return True
    if isinstance(value, Tensor):
        return any(_depends_on_step(v) for v in value.inputs)
    return False


def _trainable(interp: Interpreter, args: Args) -> bool:
    if "trainable" not in args:
        return True
    value = interp.facts.values.get(args["trainable"])
    return not (isinstance(value, Host) and value.literal is False)


@handles("get_variable")
def get_variable(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """tf.get_variable: the same variable where the scope is reused."""
    for argument in node.args:
        interp.eval(argument.value)
    name = text(interp.facts.values.get(args["name"])) if "name" in args else None
    full = interp.naming.get_variable(name)
    for option in ("custom_getter", "partitioner", "regularizer"):
        value = interp.facts.values.get(args[option]) if option in args else None
        if option in args and not (isinstance(value, Host) and value.literal is None):
            interp.refuse("TFM141", args[option], f"get_variable with a {option}")
    if full is None and not interp.uncalled:
        interp.refuse("TFM142", node, "the name of a variable is not known statically")
    reuse = interp.naming.reuse[-1] if interp.naming.reuse else None
    if full is not None and full in interp.shared:
        found = interp.shared[full]
        if reuse in (True, "auto") or (found.expression is node and interp.loop_stack):
            if found.expression is not node or reuse is True:
                interp.facts.reused.append((node, found))
            interp.statement.lifts.pop(node, None)
            if found.expression is node:
                interp.lift(node, found)
            return found
    made = _made(interp, node, args, full, None)
    initial = interp.facts.values.get(args["initializer"]) if "initializer" in args else None
    sizes = dimensions.of(initial) if isinstance(initial, Tensor) else None
    if made.shape is None and sizes is not None:
        made.shape = tuple(d.literal if isinstance(d.literal, int) else None for d in sizes)
    if full is not None:
        interp.shared[full] = made
    if "initializer" not in args and interp.initializers and any(i is not None for i in interp.initializers):
        interp.facts.default_initializers[node] = [i for i in interp.initializers if i is not None][-1]
    return made


@handles("variable_scope", "name_scope", "op_scope", "variable_op_scope")
def scope(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """A scope of names."""
    for argument in node.args:
        interp.eval(argument.value)
    if symbol == "name_scope":
        return Context("name_scope", text(interp.facts.values.get(args["name"])) if "name" in args else None)
    first = interp.facts.values.get(args["name_or_scope"]) if "name_or_scope" in args else None
    reuse = interp.facts.values.get(args["reuse"]) if "reuse" in args else None
    reused: object = None
    if isinstance(reuse, Host) and reuse.known:
        reused = reuse.literal or None
    elif reuse is not None:
        reused = "auto"
    for option in ("custom_getter", "regularizer", "partitioner", "default_name"):
        if option in args:
            interp.refuse("TFM141", args[option], f"variable_scope with a {option}")
    name = text(first)
    if isinstance(first, Context):
        name = first.name
        if first.absolute and interp.naming.current():
            interp.refuse("TFM141", node, "a variable scope is entered again inside another one")
    if name is None and not interp.uncalled:
        interp.refuse("TFM142", node, "the name of a variable scope is not known statically")
    return Context("variable_scope", name, reuse=reused, initializer=args.get("initializer"))


@handles("get_variable_scope")
def current_scope(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """The scope entered now."""
    return Context("variable_scope", interp.naming.current(), value=Host())


@handles(
    "train.create_global_step",
    "train.get_global_step",
    "train.get_or_create_global_step",
    "contrib.framework.get_or_create_global_step",
    "contrib.framework.create_global_step",
    "contrib.framework.get_global_step",
)
def global_step(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """The graph's global step."""
    if interp.global_step is None:
        if symbol.endswith("get_global_step"):
            named = next((v for v in interp.graph_variables if v.legacy_name == "global_step"), None)
            return named if named is not None else Host(None)
        made = Variable(legacy_name="global_step", trainable=False, initial=Host(0))
        interp.made(made, node)
        interp.lift(node, made)
        interp.facts.variables.append(made)
        interp.graph_variables.append(made)
        interp.global_step = made
    return interp.global_step


@handles("train.global_step")
def read_global_step(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """tf.train.global_step(sess, step): its value, read by the host."""
    values = {name: interp.eval(argument) for name, argument in args.items()}
    step = values.get("global_step_tensor")
    if isinstance(step, Variable):
        interp.record_read(node, args["global_step_tensor"], step)
    return Host()


@handles(
    "global_variables_initializer",
    "initialize_all_variables",
    "local_variables_initializer",
    "initialize_local_variables",
    "tables_initializer",
    "initialize_all_tables",
    "variables_initializer",
    "initialize_variables",
)
def initializer(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """An initializer of variables (or of tables)."""
    listed = interp.eval(args["var_list"]) if "var_list" in args else None
    kind = "tables" if "table" in symbol else ("local" if "local" in symbol else "initializer")
    members = (
        tuple(listed.items)
        if isinstance(listed, Sequence)
        else tuple(v for v in interp.graph_variables if kind == "initializer" and not v.local)
    )
    made = Operation(kind="initializer", members=members, legacy_name=kind)
    interp.made(made, node)
    return made


@handles("assign", "assign_add", "assign_sub", "scatter_update", "scatter_add", "scatter_sub")
def assign(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """An assignment; its value is the variable's new one."""
    values = {name: interp.eval(argument) for name, argument in args.items()}
    target = values.get("ref")
    return assignment(interp, node, target, values)


def assignment(interp: Interpreter, node: cst.Call, target: Value | None, values: dict[str, Value]) -> Value:
    """Record an assignment to a variable."""
    if not isinstance(target, Variable) and not interp.uncalled:
        interp.refuse("TFM144", node, "an assignment to something that is not known to be one variable")
    made = Tensor(step=True, effect=True, inputs=tuple(values.values()))
    made.shape = target.shape if isinstance(target, Variable) else None
    interp.made(made, node)
    interp.statement.effect = True
    return made


__all__ = ["MISSING", "assignment", "static_shape", "text"]
