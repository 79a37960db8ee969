"""Objects made once: what layers, optimizers, variables and specifications are called, or how else they are reached."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.facts import Binding, Facts, Scope, Statement
from tfmigrate.analysis.recurrent_cells import Cell
from tfmigrate.analysis.values import Host, Layer, Mapping, Optimizer, Sequence, Value, Variable
from tfmigrate.plan.inner_layers import instance_name, layer_text
from tfmigrate.plan.naming import identifier, object_name
from tfmigrate.plan.refusing import refuse

if TYPE_CHECKING:
    from tfmigrate.plan.planner import Planner


def plan_specs(planner: Planner) -> None:
    """Name the TensorSpec of each placeholder."""
    for placeholder in planner.facts.placeholders:
        if placeholder.scope is None:
            continue
        name = placeholder.name or identifier(placeholder.legacy_name or "input")
        planner.plan.spec_names[placeholder] = planner.names[placeholder.scope.path].fresh(f"{name}_spec")


def fed_names(facts: Facts) -> frozenset[str]:
    """The names of placeholders that mean nothing else in the program."""
    makers: dict[str, list[Statement]] = {}
    for statement in facts.statements.values():
        for name in statement.defines:
            makers.setdefault(name, []).append(statement)
    return frozenset(p.name for p in facts.placeholders if p.name and all(p in s.made for s in makers.get(p.name, ())))


def plan_objects(planner: Planner) -> None:
    """Name the layers and optimizers that are lifted out of statements of the drivers."""
    plan = planner.plan
    local: dict[Scope, set[str]] = {}
    shared = _shared_labels(planner)
    for statement in sorted(planner.facts.statements.values(), key=lambda s: s.order):
        if statement.scope not in planner.drivers:
            continue
        for lift in statement.lifts.values():
            names = planner.names[statement.scope.path]
            value = lift.value
            if isinstance(value, Layer) and not isinstance(value, Cell) and value not in plan.layer_names:
                if _in_plain_loop(planner, statement):
                    refuse(plan, "TFM143", lift.expression, "a layer is made in a loop")
                base = _layer_base(planner, value, statement, shared)
                if statement.scope not in local:
                    local[statement.scope] = _local(planner, statement.scope)
                hiding = local[statement.scope]
                base = f"{base}_layer" if base in hiding else base
                name = names.fresh(base)
                while name in hiding:
                    name = names.fresh(base)
                plan.layer_names[value] = name
            elif isinstance(value, Optimizer) and value not in plan.optimizer_names:
                direct = statement.value is value and value.name is not None
                plan.optimizer_names[value] = value.name if direct and value.name else names.fresh("optimizer")


def _shared_labels(planner: Planner) -> set[str]:
    """Last parts of the legacy names of several layers: these are told apart by their scopes."""
    found: dict[str, set[str]] = {}
    for statement in planner.facts.statements.values():
        for lift in statement.lifts.values():
            if isinstance(lift.value, Layer) and lift.value.legacy_name:
                found.setdefault(object_name(lift.value, ""), set()).add(lift.value.legacy_name)
    return {label for label, names in found.items() if len(names) > 1}


def _layer_base(planner: Planner, layer: Layer, statement: Statement, shared: set[str]) -> str:
    target = _target(statement)
    if not hasattr(layer.form, "function"):
        label = object_name(layer, target or "layer")
        parts = (layer.legacy_name or "").split("/")
        return identifier("_".join(parts[-2:])) if label in shared and len(parts) > 1 else label
    called: str = layer.form.function.name
    layer_class = planner.plan.layers[layer.form.function.node]
    if len(layer_class.instances) == 1:
        return instance_name(planner, layer_class)
    return f"{target}_layer" if target else called


def _local(planner: Planner, scope: Scope) -> set[str]:
    """Names that statements of the scope bind which move into step functions: local there, they would hide an
    object's.
    """
    return {
        name for s in scope.statements if planner.bindings.of(s) in (Binding.STEP, Binding.RANDOM) for name in s.defines
    }


def plan_variables(planner: Planner) -> None:
    """How each variable is reached from its scope: a name, an attribute of its layer, or not at all."""
    plan = planner.plan
    containers = _Containers()
    for variable in planner.facts.variables:
        if isinstance(variable.layer, Layer) and variable.layer in plan.layer_names:
            around = layer_text(planner, variable.layer)
            if variable.attribute is None and variable.expression is not None:
                message = "a variable is made inside an expression of a helper function"
                refuse(plan, "TFM103", variable.expression, message)
            elif around is not None:
                plan.variable_names[variable] = f"{around}.{variable.attribute}"
            continue
        statement = variable.statement
        if statement is None or variable.scope is None or variable.scope not in planner.drivers:
            continue
        if _is_conditional(planner, statement):
            refuse(
                plan,
                "TFM130",
                statement.node,
                "whether this variable is made depends on what the loop around it runs",
            )
        place = containers.of(variable)
        if _in_plain_loop(planner, statement):
            variable.made_in_loop = True
            if place is not None:
                plan.variable_lists[variable] = f"*{place[0]}"
            continue
        names = planner.names[variable.scope.path]
        if variable.name and variable.name in statement.defines:
            once = planner.bindings.binders(variable.scope, variable.name) == [statement]
            plan.variable_names[variable] = variable.name if once else names.fresh(variable.name)
        elif place is not None:
            plan.variable_names[variable] = f"{place[0]}[{place[1]}]"
        elif any(lift.value is variable for lift in statement.lifts.values()):
            plan.variable_names[variable] = names.fresh(object_name(variable, "variable"))


def _in_plain_loop(planner: Planner, statement: Statement) -> bool:
    return any(not planner.bindings.runs(loop) for loop in statement.loops)


def _is_conditional(planner: Planner, statement: Statement) -> bool:
    """Whether a condition inside a loop that runs the session decides about the statement."""
    at, conditional = statement.parent, False
    while at is not None:
        conditional |= isinstance(at.node, cst.If)
        if conditional and isinstance(at.node, (cst.For, cst.While)) and planner.bindings.runs(at):
            return True
        at = at.parent
    return False


class _Containers:
    """The lists and dicts that hold variables."""

    def __init__(self) -> None:
        self._known: dict[Scope, dict[Variable, tuple[str, str]]] = {}

    def of(self, variable: Variable) -> tuple[str, str] | None:
        """The name of the first list or dict of its scope that holds the variable, and its index or key there."""
        scope = variable.scope
        if scope is None:
            return None
        if scope not in self._known:
            found: dict[Variable, tuple[str, str]] = {}
            for statement in scope.statements:
                name = _target(statement)
                for value in statement.values if name else ():
                    for key, held in _variables_in(value):
                        found.setdefault(held, (name, key))
            self._known[scope] = found
        return self._known[scope].get(variable)


def _variables_in(value: Value) -> Iterator[tuple[str, Variable]]:
    """The variables that a list or a dict holds, each with its index or key as it is written."""
    if isinstance(value, Sequence):
        yield from ((str(i), item) for i, item in enumerate(value.items) if isinstance(item, Variable))
    elif isinstance(value, Mapping):
        for entry in value.entries:
            key = entry.key.literal if isinstance(entry.key, Host) else None
            if isinstance(key, (str, int)) and isinstance(entry.value, Variable):
                yield repr(key), entry.value


def _target(statement: Statement) -> str:
    if isinstance(statement.node, cst.SimpleStatementLine) and isinstance(statement.node.body[0], cst.Assign):
        target = statement.node.body[0].targets[0].target
        if isinstance(target, cst.Name):
            return target.value
    return ""
