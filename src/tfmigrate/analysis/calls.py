"""Calls: which thing is called, and the calls of the user's functions and classes, which are interpreted each time."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis import python_builtins
from tfmigrate.analysis.eager_models import KerasLayer, handed_on, is_model
from tfmigrate.analysis.eager_models import called as keras_called
from tfmigrate.analysis.facts import CallFact
from tfmigrate.analysis.frames import Frame, Name, join
from tfmigrate.analysis.names import class_member, super_of
from tfmigrate.analysis.recurrent_cells import Cell, StepCell
from tfmigrate.analysis.values import (
    Class,
    Function,
    Graphlike,
    Host,
    Initializer,
    Instance,
    Mapping,
    MappingEntry,
    Method,
    Optimizer,
    Sequence,
    Session,
    Symbol,
    Unknown,
    Value,
    Variable,
    is_graph,
    is_step,
    leaves,
)
from tfmigrate.rules.expressions import code

if TYPE_CHECKING:
    from tfmigrate.analysis.expressions import Expressions
    from tfmigrate.analysis.interpreter import Interpreter

MAX_DEPTH = 24


def call(interp: Expressions, node: cst.Call) -> Value:
    """The value of a call of anything."""
    function = interp.eval(node.func)
    if isinstance(function, Symbol):
        if function.name == "builtins.super":
            interp.eval_arguments(node)
            return super_of(interp)
        if function.name.startswith("builtins."):
            return python_builtins.call(interp, function.name.removeprefix("builtins."), node)
        return interp.call_symbol(function.name, node)
    if isinstance(function, Function):
        return interp.call_function(function, node)
    if isinstance(function, Class):
        return interp.instantiate(function, node)
    if isinstance(function, (Cell, StepCell)):
        function = Method(function, "__call__")
    if isinstance(function, Method):
        return interp.call_method(function, node)
    called = class_member(function.cls, "__call__") if isinstance(function, Instance) else None
    if isinstance(called, Function):
        assert isinstance(function, Instance)
        return interp.call_function(Function(called.node, called.path, called.frame, function, called.name), node)
    if isinstance(function, KerasLayer) or (isinstance(function, Instance) and is_model(function.cls)):
        return keras_called(interp, function, node)
    values = interp.eval_arguments(node)
    variables = any(isinstance(v, Variable) for value in values for v in leaves(value))
    if isinstance(function, Initializer) and (variables or any(is_graph(v) for v in values)):
        return interp.tensor(values, node)  # a regularizer of a variable
    carried = any(is_step(v) or isinstance(v, Optimizer) for v in values) or (variables and _used(interp, node))
    return foreign(interp, code(node.func) if carried else "", node, values, carried)


def _used(interp: Expressions, node: cst.Call) -> bool:
    """Whether anything is done with what the call gives."""
    line = interp.statement.node
    return not (
        isinstance(line, cst.SimpleStatementLine)
        and any(isinstance(s, cst.Expr) and s.value is node for s in line.body)
    )


def foreign(interp: Expressions, name: str, node: cst.Call, values: list[Value], carried: bool) -> Value:
    """A call of what is not in the tree: no session may go there, and nothing of a step (`carried` tells that it
    does).
    """
    if any(isinstance(v, Session) for value in values for v in leaves(value)):
        interp.refuse("TFM112", node, "a session is given to a function whose source is not in the tree")
    elif carried:
        interp.refuse("TFM110", node, f"a tensor is given to {name}, whose source is not in the tree")
    handed_on(interp, values, node)
    return Host(random=True)


def call_function(interp: Interpreter, function: Function, node: cst.Call) -> Value:
    """A call of a user's function: its body is interpreted with the arguments, and what it made is recorded."""
    arguments, nodes = _bind_arguments(interp, function, node)
    log: list[Graphlike] = []
    interp.making.append(log)
    interp.context.append(interp.running.get(function.node, node))
    interp.call_sites.append(node)
    runs_before = interp.run_count
    try:
        result = invoke(interp, function, arguments)
    finally:
        interp.making.pop()
        interp.context.pop()
        interp.call_sites.pop()
    if interp.making:
        interp.making[-1].extend(log)
    fact = CallFact(
        node, function, interp.statement, arguments, nodes, result, log, runs=interp.run_count > runs_before
    )
    if fact.runs:
        interp.running.setdefault(function.node, node)
    _record(interp, fact)
    return interp.call_result(fact)


def call_with_unknown(interp: Interpreter, function: Function, node: cst.Call) -> None:
    """A call that TensorFlow itself makes (`tf.app.run`): the arguments are the command line's."""
    log: list[Graphlike] = []
    interp.making.append(log)
    runs_before = interp.run_count
    result = invoke(interp, function, {p.name.value: Host() for p in parameters(function.node.params)})
    interp.making.pop()
    _record(
        interp,
        CallFact(node, function, interp.statement, {}, {}, result, log, runs=interp.run_count > runs_before),
    )


def _record(interp: Interpreter, fact: CallFact) -> None:
    interp.facts.calls.setdefault(fact.call, []).append(fact)
    interp.facts.functions.setdefault(fact.function.node, []).append(fact)


def instantiate(interp: Interpreter, cls: Class, node: cst.Call) -> Value:
    """A call of a user's class: an object, with its `__init__` interpreted."""
    instance = interp.objects.setdefault((node, cls.node, *interp.context), Instance(cls))
    made = interp.facts.instances.setdefault(cls.node, [])
    if instance not in made:
        made.append(instance)
    init = class_member(cls, "__init__")
    if isinstance(init, Function):
        call_function(interp, Function(init.node, init.path, init.frame, instance, init.name), node)
    else:
        interp.eval_arguments(node)
    return instance


def invoke(interp: Interpreter, function: Function, arguments: dict[str, Value]) -> Value:
    """Run a function's body with the arguments bound; its joined return values."""
    node = function.node
    if len(interp.calling) > MAX_DEPTH or interp.calling.count(node) > 1:
        if interp.calling.count(node) > 1:
            interp.recursive.add(node)
        return Host()
    scope = interp.scope_of(node, function.path, function.frame.scope)
    frame = Frame(scope, function.frame)
    for name, value in arguments.items():
        frame.names[name] = Name(value)
        scope.bound.add(name)
    interp.calling.append(node)
    try:
        if isinstance(node, cst.Lambda):
            return interp.within(frame, function.path, partial(_lambda_body, interp, node, frame))
        interp.within(frame, function.path, partial(interp.block, node.body.body))
    finally:
        interp.calling.pop()
    if not frame.returned:
        return Host(None)
    result = frame.returned[0]
    for other in frame.returned[1:]:
        result = join(result, other)
    return result


def _lambda_body(interp: Interpreter, node: cst.Lambda, frame: Frame) -> Value:
    frame.statement = interp.frames[-2].statement if len(interp.frames) > 1 else None
    return interp.eval(node.body)


def parameters(params: cst.Parameters) -> list[cst.Param]:
    """All parameters, those that take the rest included."""
    found = [*params.posonly_params, *params.params, *params.kwonly_params]
    if isinstance(params.star_arg, cst.Param):
        found.append(params.star_arg)
    if params.star_kwarg is not None:
        found.append(params.star_kwarg)
    return found


def _bind_arguments(
    interp: Interpreter, function: Function, node: cst.Call
) -> tuple[dict[str, Value], dict[str, cst.BaseExpression]]:
    """The arguments of a call by parameter name: their values and their expressions."""
    params = function.node.params
    names = [p.name.value for p in (*params.posonly_params, *params.params)]
    named = {*names, *(p.name.value for p in params.kwonly_params)}
    values: dict[str, Value] = {}
    nodes: dict[str, cst.BaseExpression] = {}
    positional = names[1:] if function.receiver is not None and names else names
    if function.receiver is not None and names:
        values[names[0]] = function.receiver
    rest: list[Value] = []
    keywords: list[MappingEntry] = []
    index = 0
    for argument in node.args:
        value = interp.eval(argument.value)
        if argument.star == "*":
            items = value.items if isinstance(value, Sequence) and not value.open_ else []
            for item in items:
                if index < len(positional):
                    values[positional[index]] = item
                else:
                    rest.append(item)
                index += 1
        elif argument.star == "**":
            if isinstance(value, Mapping):
                for entry in value.entries:
                    if isinstance(entry.key, Host) and isinstance(entry.key.literal, str):
                        values[entry.key.literal] = entry.value
        elif argument.keyword is not None:
            keyword = argument.keyword.value
            if keyword in named:
                values[keyword], nodes[keyword] = value, argument.value
            else:
                keywords.append(MappingEntry(Host(keyword), value, None))
        elif index < len(positional):
            values[positional[index]], nodes[positional[index]] = value, argument.value
            index += 1
        else:
            rest.append(value)
    for param in (*params.posonly_params, *params.params, *params.kwonly_params):
        if param.name.value not in values:
            values[param.name.value] = _default(interp, param, function)
    if isinstance(params.star_arg, cst.Param):
        values[params.star_arg.name.value] = Sequence(rest, tuple_=True)
    if params.star_kwarg is not None:
        values[params.star_kwarg.name.value] = Mapping(keywords)
    return values, nodes


def _default(interp: Interpreter, param: cst.Param, function: Function) -> Value:
    if param.default is None:
        return Unknown(f"the parameter {param.name.value}")
    known = interp.facts.values.get(param.default)
    if known is not None:
        return known
    return interp.within(function.frame, function.path, partial(interp.eval, param.default))
