"""Classes whose objects keep parts of the graph: which methods build it, and how others reach what they made.

A method that puts parts of the graph into attributes of its own object is planned like a function that builds: its step
functions are defined in it and become attributes too: `sess.run(model.loss, …)` becomes `model.compute_loss(…)`.
What is read otherwise than by running or feeding it stays with its class, or the program is refused.
"""

from __future__ import annotations

import libcst as cst

from tfmigrate.analysis.facts import AttributeWrite, Facts, Scope
from tfmigrate.analysis.values import (
    Graphlike,
    Instance,
    Operation,
    Placeholder,
    Summary,
    Tensor,
    Value,
    leaves,
)
from tfmigrate.plan.attributes import kept_by_graph, receiver
from tfmigrate.plan.program import Plan
from tfmigrate.plan.refusing import refuse
from tfmigrate.plan.removing import stands_in


def builders(facts: Facts) -> dict[Scope, Instance]:
    """The methods that put parts of the graph into their own object's attributes, and the object."""
    found: dict[Scope, Instance] = {}
    for write in facts.attribute_writes:
        scope = write.statement.scope
        if kept_by_graph(write.value) and receiver(scope) == write.receiver:
            found.setdefault(scope, write.instance)
    return found


def check_writes(plan: Plan, facts: Facts) -> None:
    """Refuse what is kept in attributes in a way that leaves open what they hold."""
    for write in facts.attribute_writes:
        if not any(_computed(v) for v in leaves(write.value)):
            continue
        if receiver(write.statement.scope) != write.receiver:
            message = f"{write.receiver}.{write.name} is given a tensor of the graph from outside its class"
            refuse(plan, "TFM101", write.target, message)
        elif not _handed_out(write):
            message = f"the attribute {write.name} is bound in several places, or by the class itself too"
            refuse(plan, "TFM101", write.target, message)


def check_objects(plan: Plan, facts: Facts) -> None:
    """Refuse several objects of a class whose methods define steps: each would have to have its own.

    Objects that only keep variables are as many as the program makes.
    """
    defining = {step.scope for step in plan.steps} | {saver.scope for saver in plan.savers}
    defining |= {value.scope for value in (*plan.handed_out, *plan.optimizer_names, *plan.layer_names)}
    for node, instances in facts.instances.items():
        keeping = [i for i in instances if any(kept_by_graph(v) for v in i.attributes.values())]
        methods = [scope for scope, instance in plan.builders.items() if instance in keeping]
        if len(keeping) > 1 and any(scope in defining for scope in methods):
            refuse(plan, "TFM101", node, f"the program makes several objects of {node.name.value}, each with its graph")


def _computed(value: Value) -> bool:
    return isinstance(value, (Placeholder, Operation, Summary)) or (isinstance(value, Graphlike) and value.step)


def _handed_out(write: AttributeWrite) -> bool:
    """Whether the statement only gives a local to the attribute (see attributes.py)."""
    line = write.statement.node
    small = line.body[0] if isinstance(line, cst.SimpleStatementLine) else None
    return isinstance(small, cst.Assign) and isinstance(small.value, cst.Name) and len(small.targets) == 1


def object_text(facts: Facts, scope: Scope, instance: Instance, *nodes: cst.CSTNode | None) -> str | None:
    """How code in the scope can name the object: by an expression of the nodes, or else one that stands around."""
    for node in nodes:
        finder = _Names(facts, instance, node)
        if node is not None:
            node.visit(finder)
        if finder.found is not None:
            return finder.found
    for around in scope.ancestors():
        own, calls = receiver(around), facts.functions.get(around.node, [])
        if own is not None and calls and all(fact.function.receiver is instance for fact in calls):
            return own
        if not isinstance(around.node, cst.ClassDef):
            finder = _Names(facts, instance, around.node)
            around.node.visit(finder)
            if finder.found is not None:
                return finder.found
    return None


class _Names(cst.CSTVisitor):
    """Looks for expressions that name an object and nothing else; not in the functions and classes within."""

    def __init__(self, facts: Facts, instance: Instance, around: cst.CSTNode | None) -> None:
        super().__init__()
        self.facts, self.instance, self.around = facts, instance, around
        self.texts: dict[str, bool] = {}

    @property
    def found(self) -> str | None:
        """The shortest of them."""
        return min((text for text, always in self.texts.items() if always), key=len, default=None)

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, (cst.FunctionDef, cst.ClassDef, cst.Lambda)) and node is not self.around:
            return False
        if isinstance(node, (cst.Name, cst.Attribute)) and node in self.facts.values:
            text = cst.Module([]).code_for_node(node)
            same = self.facts.values[node] is self.instance
            self.texts[text] = same and self.texts.get(text, True)
            return not same
        return True


def reads(facts: Facts) -> dict[cst.Attribute, Value]:
    """Where attributes of objects are read that hold what is only known in a step."""
    written = {write.target for write in facts.attribute_writes}
    return {
        node: value
        for node, value in facts.values.items()
        if isinstance(node, cst.Attribute)
        and node not in written
        and isinstance(facts.values.get(node.value), Instance)
        and any(isinstance(v, (Placeholder, Operation, Summary)) or _stepping(v) for v in leaves(value))
    }


def _stepping(value: Value) -> bool:
    return isinstance(value, Tensor) and value.step


def check_reads(plan: Plan, facts: Facts) -> None:
    """Refuse tensors that code reads off an object for anything but to fetch or to feed them."""
    found = reads(facts)
    if not found:
        return
    allowed: set[cst.CSTNode] = set()
    kept = {value for step in plan.steps for value in step.kept_names}
    for run in facts.runs.values():
        for leaf in run.fetch.leaves() if run.fetch is not None else ():
            if leaf.node is not None:
                allowed.add(leaf.node)
                allowed.update(a for a in attributes_in(leaf.node) if a in found and found[a] in kept)
        if isinstance(run.feed_node, cst.Dict):
            allowed |= {e.key for e in run.feed_node.elements if isinstance(e, cst.DictElement)}
    units = {unit.statement for step in plan.steps for unit in step.units}
    inside = {s.node for s in facts.statements.values() if stands_in(s, units)}
    removed = {s.node for s in plan.removed}
    for scope in facts.scopes.values():
        for statement in scope.statements:
            node = statement.node
            if isinstance(node, cst.SimpleStatementLine) and (node in inside or node not in removed):
                for attribute in attributes_in(node):
                    if node in inside and found[attribute] in kept if attribute in found else False:
                        continue
                    if attribute in found and attribute not in allowed:
                        if attribute in keys_in(node) and node not in inside:
                            continue
                        text = cst.Module([]).code_for_node(attribute)
                        refuse(plan, "TFM101", attribute, f"{text}, a tensor that an object keeps, is used outside it")


def keys_in(node: cst.CSTNode) -> set[cst.CSTNode]:
    """The expressions that a statement uses as keys: of dicts that are written out, in subscripts, of pairs."""
    found: set[cst.CSTNode] = set()

    class Visitor(cst.CSTVisitor):
        def visit_DictElement(self, element: cst.DictElement) -> None:
            found.add(element.key)

        def visit_Index(self, index: cst.Index) -> None:
            found.add(index.value)

        def visit_Tuple(self, pair: cst.Tuple) -> None:
            if len(pair.elements) == 2:
                found.add(pair.elements[0].value)

    node.visit(Visitor())
    return found


def attributes_in(node: cst.CSTNode) -> list[cst.Attribute]:
    """All attributes that the node names."""
    found: list[cst.Attribute] = []

    class Visitor(cst.CSTVisitor):
        def visit_Attribute(self, attribute: cst.Attribute) -> None:
            found.append(attribute)

    node.visit(Visitor())
    return found


def part_of_another(facts: Facts, plan: Plan, scope: Scope) -> bool:
    """Whether every call of a method stands in another method that builds for the same object."""
    calls = facts.functions.get(scope.node, [])
    return bool(calls) and all(
        fact.statement.scope in plan.builders
        and fact.statement.scope is not scope
        and plan.builders[fact.statement.scope] is plan.builders[scope]
        for fact in calls
    )
