"""Layers that a helper makes inside, and whose variables the program trains, lists, saves or averages elsewhere.

A helper stays as a tf.Module only where nobody names the variables of its Keras layers: these exist from the first call
on, as attributes of attributes.
"""

from __future__ import annotations

from tfmigrate.analysis.facts import Facts, Scope
from tfmigrate.analysis.values import Layer, Operation, Saver, Value, Variable, leaves
from tfmigrate.rules.base import LayerForm


def are_needed_outside(facts: Facts, scope: Scope) -> bool:
    """Whether a variable of a layer that the function makes is needed by name, or moves with update ops."""
    inner = [v for v in facts.variables if isinstance(v.layer, Layer) and _made_in(v.layer, scope)]
    if not inner:
        return False
    if any(isinstance(v.layer, Layer) and v.layer.form.updates for v in inner):
        return True
    needed = {v for trained in facts.trained.values() for v in trained}
    needed |= {v for value in facts.collected.values() for v in leaves(value) if isinstance(v, Variable)}
    for statement in facts.statements.values():
        for made in statement.made:
            needed |= _named(made)
    return any(v in needed for v in inner)


def _made_in(layer: Layer, scope: Scope) -> bool:
    """Whether the function's own statements make the Keras layer."""
    return isinstance(layer.form, LayerForm) and layer.scope is scope


def _named(made: Value) -> set[Variable]:
    if isinstance(made, Operation):
        return set(made.trained)
    return {v for _, v in made.variables} if isinstance(made, Saver) else set()


__all__ = ["are_needed_outside"]
