"""Layers inside functions that become modules: attributes there, and reached through the module's instance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.recurrent_cells import Cell
from tfmigrate.analysis.values import Layer
from tfmigrate.plan.naming import Names, object_name
from tfmigrate.plan.program import LayerClass

if TYPE_CHECKING:
    from tfmigrate.plan.planner import Planner


def plan_inner_layers(planner: Planner) -> None:
    """Name the layers that each such function makes: one attribute for each place, whichever instance makes it."""
    by_place: dict[cst.CSTNode, list[Layer]] = {}
    for layer in planner.facts.made_layers:
        if layer.holder is not None and layer.expression is not None:
            by_place.setdefault(layer.expression, []).append(layer)
    for layer_class in planner.plan.layers.values():
        taken = Names({n for s in layer_class.scope.statements for n in s.defines} | set(layer_class.attributes))
        for statement in layer_class.scope.statements:
            for lift in statement.lifts.values():
                if isinstance(lift.value, Cell) or not isinstance(lift.value, Layer):
                    continue
                name = taken.fresh(_base(layer_class, lift.value))
                for layer in by_place.get(lift.expression, [lift.value]):
                    planner.plan.layer_names.setdefault(layer, name)


def _base(layer_class: LayerClass, layer: Layer) -> str:
    if hasattr(layer.form, "function"):
        return str(layer.form.function.name)
    return object_name(layer, "layer")


def instance_name(planner: Planner, layer_class: LayerClass) -> str:
    """What the only instance of a function's module is called: as the function, which is gone, or in lower case."""
    called = layer_class.node.name.value
    if called == layer_class.name:
        return called.lower() if called.isupper() or "_" not in called else called
    others = [s for s in planner.facts.statements.values() if called in s.defines and s.node is not layer_class.node]
    if not others:
        planner.names[layer_class.path].taken.discard(called)
    return called


def layer_text(planner: Planner, layer: Layer) -> str | None:
    """The expression that reaches a layer from the scope that builds it: `network.dense` inside a module."""
    name = planner.plan.layer_names.get(layer)
    if layer.holder is None or name is None:
        return name
    around = layer_text(planner, layer.holder)
    return None if around is None else f"{around}.{name}"
