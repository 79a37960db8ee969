"""Functions that make variables and compute with them: split into a tf.Module's __init__ and __call__."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.facts import Binding, CallFact, Scope, Statement
from tfmigrate.analysis.values import Graphlike, Layer, Optimizer, Placeholder, Tensor, Value, Variable, is_step, leaves
from tfmigrate.plan.program import LayerClass
from tfmigrate.plan.refusing import refuse

if TYPE_CHECKING:
    from tfmigrate.plan.planner import Planner

RESERVED = {"name", "variables", "submodules", "trainable_variables", "non_trainable_variables", "name_scope"}


def plan_layers(planner: Planner) -> None:
    """Plan a class for each function that a layer stands for."""
    by_function: dict[cst.FunctionDef, list[CallFact]] = {}
    for facts in planner.facts.calls.values():
        for fact in facts:
            if fact.layer is not None and isinstance(fact.function.node, cst.FunctionDef):
                by_function.setdefault(fact.function.node, []).append(fact)
    for node, calls in by_function.items():
        layer_class = _class(planner, node, calls)
        if layer_class is not None:
            planner.plan.layers[node] = layer_class
        else:
            planner.plan.unsplit.add(node)


def _class(planner: Planner, node: cst.FunctionDef, calls: list[CallFact]) -> LayerClass | None:
    every = planner.facts.functions.get(node, [])
    scope = planner.facts.scopes[node]
    if len(every) > len(calls) or node.params.star_kwarg is not None or isinstance(node.params.star_arg, cst.Param):
        refuse(
            planner.plan,
            "TFM103",
            node,
            f"{node.name.value}() makes variables in some of its calls only, or takes any arguments",
        )
        return None
    if not scope.parent or not scope.parent.is_module:
        refuse(
            planner.plan,
            "TFM103",
            node,
            f"{node.name.value}() makes variables and is defined inside another function or class",
        )
        return None
    parameters = [p.name.value for p in (*node.params.posonly_params, *node.params.params, *node.params.kwonly_params)]
    step = [p for p in parameters if any(_in_step(c.arguments.get(p)) for c in calls)]
    split = _Split(planner, scope, set(step), node)
    if not split.run():
        return None
    build = [p for p in parameters if p not in step]
    layer_class = LayerClass(node, scope.path, _camel(node.name.value), scope, build, step, split.build, split.call, {})
    for name in split.attributes(build):
        layer_class.attributes[name] = f"{name}_value" if name in RESERVED else name
    for call in calls:
        layer_class.instances.setdefault(call.call, "")
    layer_class.calls = calls
    return layer_class


def _in_step(value: Value | None) -> bool:
    return value is not None and (is_step(value) or any(isinstance(v, (Tensor, Placeholder)) for v in leaves(value)))


class _Split:
    """The statements of a function, each in the build part, the call part or both."""

    def __init__(self, planner: Planner, scope: Scope, step: set[str], node: cst.FunctionDef) -> None:
        self.planner, self.scope, self.step, self.node = planner, scope, step, node
        self.bindings = planner.bindings
        self.top = self._top([s for s in scope.statements if s.parent is None])
        self.holder = {inner: s for s in self.top for inner in self.bindings.descendants(s)}
        self._build: dict[Statement, None] = {}
        self._call: dict[Statement, None] = {}

    @property
    def build(self) -> list[Statement]:
        """What is made once, in the source's order."""
        return sorted(self._build, key=lambda s: s.order)

    @property
    def call(self) -> list[Statement]:
        """What each call computes, in the source's order."""
        return sorted(self._call, key=lambda s: s.order)

    def run(self) -> bool:
        hosts: list[Statement] = []
        for statement in self.top:
            part = self._part(statement)
            if part == "mixed":
                refuse(
                    self.planner.plan,
                    "TFM103",
                    statement.node,
                    f"{self.node.name.value}() makes variables and tensors in one loop or branch",
                )
                return False
            if part == "build":
                self._build[statement] = None
            elif part == "call":
                self._call[statement] = None
            else:
                hosts.append(statement)
        self._hosts(hosts)
        for statement in self.build:
            if self._uses_step(statement):
                refuse(
                    self.planner.plan,
                    "TFM103",
                    statement.node,
                    "what is made once here depends on a tensor (its static shape, say)",
                )
                return False
        return True

    def _top(self, statements: list[Statement]) -> list[Statement]:
        found: list[Statement] = []
        for statement in sorted(statements, key=lambda s: s.order):
            children = self.bindings.children.get(statement, [])
            found.extend(self._top(children) if statement.transparent else [statement])
        return found

    def _part(self, statement: Statement) -> str:
        inner = self.bindings.descendants(statement)
        kinds = {self.bindings.of(s) for s in inner if isinstance(s.node, cst.SimpleStatementLine)}
        lifts = any(lift for s in inner for lift in s.lifts)
        builds = Binding.BUILD in kinds or any(isinstance(m, (Variable, Optimizer)) for s in inner for m in s.made)
        steps = Binding.STEP in kinds or any(s.escapes for s in inner)
        if isinstance(statement.node, cst.BaseCompoundStatement) and builds and steps:
            return "mixed"
        if isinstance(statement.node, cst.BaseCompoundStatement) and lifts and steps:
            return "mixed"
        if steps:
            return "call"
        if builds:
            return "build"
        return "host"

    def _hosts(self, hosts: list[Statement]) -> None:
        """Host statements go where they are needed; one that only acts (a print) is part of the building."""
        users = self._users()
        changed = True
        while changed:
            changed = False
            for statement in hosts:
                for part in (self._build, self._call):
                    if statement not in part and any(user in part for user in users.get(statement, ())):
                        part[statement] = None
                        changed = True
                acts = not statement.defines and not _is_docstring(statement)
                if acts and statement not in self._build and not self._uses_step(statement):
                    self._build[statement] = None
                    changed = True
        for statement in self.build:
            if statement in self._call and self._uses_step(statement):
                del self._build[statement]

    def _users(self) -> dict[Statement, set[Statement]]:
        """For each statement of the function's own block those that use what it binds."""
        found: dict[Statement, set[Statement]] = {}
        for statement in self.top:
            for inner in self.bindings.descendants(statement):
                for definition in (d for defs in inner.uses.values() for d in defs if d in self.holder):
                    found.setdefault(self.holder[definition], set()).add(statement)
        return found

    def _uses_step(self, statement: Statement) -> bool:
        for inner in self.bindings.descendants(statement):
            for (owner, name), defs in inner.uses.items():
                if owner is not self.scope:
                    continue
                if name in self.step and not defs:
                    return True
                held = (self.holder.get(d) for d in defs)
                if any(s in self._call and s not in self._build for s in held):
                    return True
        return False

    def attributes(self, build_parameters: list[str]) -> list[str]:
        """Names that the call part takes from the build part."""
        needed: dict[str, None] = {}
        for statement in self.call:
            for inner in self.bindings.descendants(statement):
                for (owner, name), defs in inner.uses.items():
                    if owner is not self.scope:
                        continue
                    if (not defs and name in build_parameters) or any(
                        d in self._build and d not in self._call for d in defs
                    ):
                        needed.setdefault(name)
        return list(needed)


def _is_docstring(statement: Statement) -> bool:
    return (
        isinstance(statement.node, cst.SimpleStatementLine)
        and isinstance(statement.node.body[0], cst.Expr)
        and isinstance(statement.node.body[0].value, (cst.SimpleString, cst.ConcatenatedString))
    )


def _camel(name: str) -> str:
    made = "".join(part[:1].upper() + part[1:] for part in name.split("_") if part)
    return made or "Network"


__all__ = ["Graphlike", "Layer", "plan_layers"]
