"""How code outside a method names what the method made: through the object, as an attribute.

What no attribute holds yet is handed out: a line `self.weights = weights` follows where it is made.
"""

from __future__ import annotations

import libcst as cst

from tfmigrate.analysis.facts import Facts, Scope
from tfmigrate.analysis.values import Graphlike, Layer, Optimizer, Variable
from tfmigrate.plan.attributes import receiver
from tfmigrate.plan.classes import object_text
from tfmigrate.plan.naming import identifier
from tfmigrate.plan.program import Plan


def through(plan: Plan, facts: Facts, value: Graphlike, scope: Scope, *nodes: cst.CSTNode | None) -> str | None:
    """The object through which code in the scope reaches what a method made; "" where it sees the name itself.

    `nodes` are where to look first for an expression of the object. None: there is no way to it.
    """
    made_in = value.scope
    if made_in is None or made_in in set(scope.ancestors()):
        return ""
    instance = value.owner if value.owner is not None else plan.builders.get(made_in)
    return None if instance is None else object_text(facts, scope, instance, *nodes)


def reach(plan: Plan, facts: Facts, value: Graphlike, scope: Scope) -> bool:
    """Make a thing that is made once reachable from the scope, by `plan.text`; whether that can be."""
    around = through(plan, facts, value, scope)
    if around is None:
        return False
    if around:
        plan.reached[(scope, value)] = f"{around}.{_attribute(plan, facts, value)}"
    return True


def _attribute(plan: Plan, facts: Facts, value: Graphlike) -> str:
    written = next((w.name for w in facts.attribute_writes if w.value is value), None)
    if written is not None:
        return written
    if value not in plan.handed_out:
        text = _local_text(plan, facts, value)
        instance = plan.builders[value.scope] if value.scope is not None else None
        taken = set(instance.attributes) | set(instance.cls.members) if instance is not None else set()
        taken |= set(plan.handed_out.values())
        name, count = identifier(text), 0
        base = name
        while name in taken:
            count += 1
            name = f"{base}_{count}"
        plan.handed_out[value] = name
    return plan.handed_out[value]


def _local_text(plan: Plan, facts: Facts, value: Graphlike) -> str:
    names: dict[object, str] = {}
    if isinstance(value, Variable):
        names = plan.variable_names  # type: ignore[assignment]
    elif isinstance(value, Optimizer):
        names = plan.optimizer_names  # type: ignore[assignment]
    elif isinstance(value, Layer):
        names = plan.layer_names  # type: ignore[assignment]
    return names.get(value) or value.name or "value"


__all__ = ["reach", "receiver", "through"]
