"""Definitions of functions and classes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis import eager_models
from tfmigrate.analysis.calls import parameters
from tfmigrate.analysis.facts import Statement
from tfmigrate.analysis.frames import Frame
from tfmigrate.analysis.targets import bind
from tfmigrate.analysis.values import Class, Function, Symbol, Unknown, Value

if TYPE_CHECKING:
    from tfmigrate.analysis.expressions import Expressions
    from tfmigrate.analysis.interpreter import Interpreter


def lambda_(interp: Expressions, node: cst.Lambda) -> Value:
    """A lambda; its body is interpreted where it is called."""
    for param in node.params.params:
        if param.default is not None:
            interp.eval(param.default)
    return Function(node, interp.path, interp.frame, name="<lambda>")


def function(interp: Interpreter, node: cst.FunctionDef, statement: Statement) -> bool:
    """A function; its body is interpreted where it is called. A decorator of unknown effect hides it."""
    for param in parameters(node.params):
        if param.default is not None:
            interp.eval(param.default)
    value: Value = Function(node, interp.path, interp.frame, name=node.name.value)
    for decorator in node.decorators:
        if not isinstance(interp.eval(decorator.decorator), Symbol):
            value = Unknown("a decorated function")
    bind(interp, node.name.value, value)
    return True


def class_(interp: Interpreter, node: cst.ClassDef, statement: Statement) -> bool:
    """A class; its body is interpreted here."""
    bases = tuple(interp.eval(argument.value) for argument in node.bases)
    cls = Class(node, interp.path, interp.frame, bases=bases)
    frame = Frame(interp.scope_of(node, interp.path, interp.frame.scope), interp.frame)
    interp.within(frame, interp.path, partial(interp.block, node.body.body))
    cls.members = {name: bound.value for name, bound in frame.names.items()}
    for base in bases:
        if isinstance(base, Symbol) and not base.name.startswith("builtins."):
            message = f"class {node.name.value} extends tf.{base.name}"
            if base.name in eager_models.MODELS:
                eager_models.model_class(interp, node, message)
            else:
                interp.refuse("TFM102", node, message)
    bind(interp, node.name.value, cls)
    return True
