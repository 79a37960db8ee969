"""Decides for every statement when its work is done: by the host, once when building, or in a step."""

from __future__ import annotations

from collections.abc import Iterable

import libcst as cst

from tfmigrate.analysis.facts import Binding, Facts, Scope, Statement
from tfmigrate.analysis.values import (
    Config,
    Context,
    Dataset,
    Gradients,
    Graph,
    Graphlike,
    Host,
    Iterator_,
    Layer,
    MovingAverage,
    Operation,
    Optimizer,
    Placeholder,
    Saver,
    Session,
    Summary,
    Tensor,
    Value,
    Variable,
    Writer,
    leaves,
)
from tfmigrate.rules.base import LayerForm

BUILT = (Variable, Optimizer, Layer, MovingAverage, Dataset, Iterator_, Writer, Placeholder, Saver)


def random_only(value: Value, known: dict[Value, bool] | None = None) -> bool:
    """Whether a tensor draws and depends on nothing else of the graph.

    `known` keeps the answers: a graph in which many ops share their inputs has exponentially many paths.
    """
    known = {} if known is None else known
    if value not in known:
        known[value] = False
        known[value] = _random_only(value, known)
    return known[value]


def _random_only(value: Value, known: dict[Value, bool]) -> bool:
    if isinstance(value, Tensor):
        if not value.step:
            return True
        if value.effect or not (value.random or value.inputs):
            return False
        own = value.random or any(isinstance(i, Tensor) and i.step for v in value.inputs for i in leaves(v))
        return own and all(random_only(i, known) for v in value.inputs for i in leaves(v))
    return not isinstance(value, (Variable, Placeholder, Iterator_, Gradients, Operation, Summary))


def binding_of_value(value: Value, known: dict[Value, bool] | None = None) -> Binding:
    """When one value is computed; `known` as for `random_only`."""
    if isinstance(value, Operation):
        return Binding.DROP if value.kind in ("initializer", "no_op") and not value.step else Binding.STEP
    if isinstance(value, (Session, Graph, Config, Context)):
        return Binding.DROP
    if isinstance(value, BUILT):
        return Binding.BUILD
    if isinstance(value, (Summary, Gradients)):
        return Binding.STEP
    if isinstance(value, Tensor):
        if not value.step:
            return Binding.CONSTANT
        return Binding.RANDOM if random_only(value, known) else Binding.STEP
    return Binding.HOST


ORDER = [Binding.HOST, Binding.DROP, Binding.CONSTANT, Binding.BUILD, Binding.RANDOM, Binding.STEP]


class Bindings:
    """The binding of each statement of a program, and the units that move as a whole."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.children: dict[Statement, list[Statement]] = {}
        for statement in facts.statements.values():
            if statement.parent is not None:
                self.children.setdefault(statement.parent, []).append(statement)
        self._known: dict[Statement, Binding] = {}
        self._random: dict[Value, bool] = {}
        self._runs: dict[Statement, bool] = {}
        self._calling = {fact.statement for calls in facts.calls.values() for fact in calls if fact.runs}
        self._descendants: dict[Statement, list[Statement]] = {}
        self._binders: dict[Scope, dict[str, list[Statement]]] = {}
        self._mutators: dict[Scope, dict[str, list[Statement]]] = {}

    def of(self, statement: Statement) -> Binding:
        """The binding of a statement; of a compound one, the strongest of what it holds."""
        if statement not in self._known:
            self._known[statement] = Binding.HOST
            self._known[statement] = self._compute(statement)
        return self._known[statement]

    def _compute(self, statement: Statement) -> Binding:
        if isinstance(statement.node, cst.BaseCompoundStatement):
            if isinstance(statement.node, (cst.FunctionDef, cst.ClassDef)):
                return Binding.HOST
            found = [self.of(child) for child in self.children.get(statement, ())]
            if statement.transparent or self.runs(statement):
                return Binding.HOST
            return max(found, key=ORDER.index, default=Binding.HOST)
        if statement.runs or self._is_return(statement):
            return Binding.HOST
        found = [binding_of_value(leaf, self._random) for value in statement.values for leaf in leaves(value)]
        if self.facts.eager:
            return Binding.DROP if Binding.DROP in found else Binding.HOST
        if any(
            isinstance(v, Placeholder) and v not in statement.made for value in statement.values for v in leaves(value)
        ):
            found.append(Binding.STEP)  # another name for a placeholder: it is a parameter's
        if statement.effect and not any(isinstance(v, Saver) for value in statement.values for v in leaves(value)):
            found.append(Binding.STEP)
        if any(_of_keras_layer(v) for value in statement.values for v in leaves(value)):
            found.append(Binding.STEP)  # variables that exist once their layer is called
        best = max(found, key=ORDER.index, default=Binding.HOST)
        if best is Binding.HOST and statement.reads_step and not self._printed(statement):
            return Binding.STEP
        return best

    def _is_return(self, statement: Statement) -> bool:
        return isinstance(statement.node, cst.SimpleStatementLine) and any(
            isinstance(s, cst.Return) for s in statement.node.body
        )

    def _printed(self, statement: Statement) -> bool:
        return isinstance(statement.node, cst.SimpleStatementLine) and all(
            isinstance(s, cst.Expr) and isinstance(s.value, cst.Call) and s.value in self.facts.printed
            for s in statement.node.body
        )

    def runs(self, statement: Statement) -> bool:
        """Whether the statement holds a run site, or calls a function that does."""
        if statement not in self._runs:
            self._runs[statement] = (
                statement.runs
                or statement in self._calling
                or any(self.runs(child) for child in self.children.get(statement, ()))
            )
        return self._runs[statement]

    def unit(self, statement: Statement) -> Statement:
        """The largest step statement around this one: what moves into a step function as a whole."""
        found, at = statement, statement.parent
        while at is not None:
            if self.of(at) is Binding.STEP or self.of(at) is Binding.RANDOM:
                found = at
            at = at.parent
        return found

    def descendants(self, statement: Statement) -> list[Statement]:
        """The statement and all inside it, in source order."""
        if statement not in self._descendants:
            found = [statement]
            for child in self.children.get(statement, ()):
                found.extend(self.descendants(child))
            self._descendants[statement] = sorted(found, key=lambda s: s.order)
        return self._descendants[statement]

    def binders(self, scope: Scope, name: str) -> list[Statement]:
        """The statements of the scope that bind the name, in the scope's order."""
        if scope not in self._binders:
            self._binders[scope] = _by_name((s, s.defines) for s in scope.statements)
        return self._binders[scope].get(name, [])

    def mutators(self, scope: Scope, name: str) -> list[Statement]:
        """The statements of the scope that change in place what the name means, in the scope's order."""
        if scope not in self._mutators:
            self._mutators[scope] = _by_name((s, s.mutates) for s in scope.statements)
        return self._mutators[scope].get(name, [])

    def makes(self, statement: Statement, *kinds: type[Graphlike]) -> bool:
        """Whether the statement itself makes something of the kinds."""
        return any(isinstance(m, kinds) for m in statement.made) or any(
            isinstance(lift.value, kinds) for lift in statement.lifts.values()
        )


def _by_name(statements: Iterable[tuple[Statement, set[str]]]) -> dict[str, list[Statement]]:
    found: dict[str, list[Statement]] = {}
    for statement, names in statements:
        for name in names:
            found.setdefault(name, []).append(statement)
    return found


def _of_keras_layer(value: Value) -> bool:
    """Whether the value is a variable that a Keras layer makes when it is first called."""
    return isinstance(value, Variable) and isinstance(value.layer, Layer) and isinstance(value.layer.form, LayerForm)


def scopes_with_graph(facts: Facts, bindings: Bindings) -> list[Scope]:
    """The scopes that hold statements of the graph, in source order."""
    found: dict[Scope, None] = {}
    for statement in facts.statements.values():
        if bindings.of(statement) not in (Binding.HOST, Binding.DROP):
            found.setdefault(statement.scope)
    return list(found)


__all__ = ["Bindings", "Host", "binding_of_value", "random_only", "scopes_with_graph"]
