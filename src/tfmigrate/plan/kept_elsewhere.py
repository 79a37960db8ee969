"""What a step takes from a tensor that an object keeps: the method that built it computes it, called within the step.

`tf.equal(tf.argmax(model.logits, 1), y)` outside the class becomes `logits = model.compute_logits(x)` and the ops over
it, in one step. All that a step takes from one object is one call, so that random ops are drawn once a run.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import libcst as cst

from tfmigrate.analysis.facts import Facts, Run, Scope, Statement
from tfmigrate.analysis.values import Graphlike, Instance, Operation, Placeholder, Summary, Tensor, Value, leaves
from tfmigrate.plan.bindings import Bindings
from tfmigrate.plan.classes import object_text
from tfmigrate.plan.fetch_sets import fetches_of, is_identified
from tfmigrate.plan.program import Plan
from tfmigrate.plan.refusing import refuse


@dataclass
class Kept:
    """What a step takes from one method: tensors and placeholders, and how the object is named there."""

    method: Scope
    text: str
    values: dict[Graphlike, None] = field(default_factory=dict)
    placeholders: dict[Placeholder, None] = field(default_factory=dict)


def kept_elsewhere(
    plan: Plan, facts: Facts, bindings: Bindings, run: Run, scope: Scope, units: list[Statement]
) -> list[Kept] | None:
    """What a step of the scope takes from methods around which it does not stand; None where that is refused."""
    found: dict[Scope, Kept] = {}
    around = set(scope.ancestors())

    def take(value: Value, node: cst.CSTNode) -> bool:
        made_in = value.scope if isinstance(value, Graphlike) else None
        if made_in is None or made_in in around or made_in not in plan.builders:
            return True
        if isinstance(value, (Operation, Summary)):
            refuse(plan, "TFM112", node, f"an op that {made_in.name}() built is run together with others")
            return False
        if made_in not in found:
            text = object_text(facts, scope, plan.builders[made_in], node, run.statement.node)
            if text is None:
                refuse(plan, "TFM101", node, "an object is used where no name leads to it")
                return False
            found[made_in] = Kept(made_in, text)
        if isinstance(value, Placeholder):
            found[made_in].placeholders.setdefault(value)
        elif isinstance(value, Tensor) and value.step:
            found[made_in].values.setdefault(value)
        return True

    good = True
    for leaf in fetches_of(run):
        if is_identified(leaf):
            good &= all(take(v, leaf.node or run.call) for v in leaves(leaf.value))
        elif leaf.node is not None:
            good &= all(take(v, node) for node, v in attribute_values(facts, leaf.node))
    for unit in units:
        for statement in bindings.descendants(unit):
            if isinstance(statement.node, cst.SimpleStatementLine):
                good &= all(take(v, node) for node, v in attribute_values(facts, statement.node))
    return list(found.values()) if good else None


def attribute_values(facts: Facts, node: cst.CSTNode) -> list[tuple[cst.Attribute, Value]]:
    """What attributes of objects hold that the code reads."""
    found: list[tuple[cst.Attribute, Value]] = []

    class Visitor(cst.CSTVisitor):
        def visit_Attribute(self, attribute: cst.Attribute) -> None:
            value = facts.values.get(attribute)
            if value is not None and isinstance(facts.values.get(attribute.value), Instance):
                found.extend((attribute, v) for v in leaves(value))

    node.visit(Visitor())
    return found
