"""The constructors of objects made once: Keras layers, modules from functions of the program, variables, optimizers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.recurrent_cells import Cell
from tfmigrate.analysis.values import Graphlike, Layer
from tfmigrate.rewrite import nodes
from tfmigrate.rewrite.arguments import keyword
from tfmigrate.rules.base import LayerForm
from tfmigrate.rules.engine import apply

if TYPE_CHECKING:
    from tfmigrate.plan.program import LayerClass
    from tfmigrate.rewrite.driver import DriverRewriter


def constructor(driver: DriverRewriter, expression: cst.Call, value: Graphlike) -> cst.BaseExpression:
    """The expression that makes the object."""
    if isinstance(value, Layer) and isinstance(value.form, LayerForm):
        symbol = driver.facts.symbols.get(expression.func, "")
        arguments_ = [a.with_changes(value=driver.visited(a.value)) for a in expression.args]
        form = apply(symbol, expression.with_changes(args=arguments_), driver.context)
        if isinstance(form, LayerForm):
            driver.output.need(driver.path, form.support)
            return form.constructor
    if isinstance(value, Layer) and not isinstance(value, Cell):
        return _instance(driver, expression, value)
    return driver.visited(expression, lifted=expression)


def _instance(driver: DriverRewriter, expression: cst.Call, value: Layer) -> cst.BaseExpression:
    """The module's instance: of the arguments those that its `__init__` takes."""
    layer_class = driver.plan.layers[value.form.function.node]
    kept = []
    for argument in expression.args:
        if any(value.form.argument_nodes.get(p) is argument.value for p in layer_class.build_parameters):
            position = next(
                p for p in layer_class.build_parameters if value.form.argument_nodes.get(p) is argument.value
            )
            ahead = layer_class.build_parameters[: layer_class.build_parameters.index(position)]
            in_order = all(p in value.form.argument_nodes for p in ahead)
            made = driver.visited(argument.value)
            kept.append(cst.Arg(made) if argument.keyword is None and in_order else keyword(position, made))
    return cst.Call(nodes.expression(_class_text(driver, expression, layer_class)), kept)


def _class_text(driver: DriverRewriter, expression: cst.Call, layer_class: LayerClass) -> str:
    """What the file calls the class: through the module that it stands in, or by a name that an import gave it."""
    if layer_class.path != driver.path and isinstance(expression.func, cst.Attribute):
        return f"{nodes.code(expression.func.value)}.{layer_class.name}"
    if layer_class.path != driver.path and isinstance(expression.func, cst.Name):
        own = expression.func.value
        return own if own != layer_class.node.name.value else layer_class.name
    return layer_class.name
