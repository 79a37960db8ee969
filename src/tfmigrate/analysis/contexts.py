"""What `with` statements enter, what calls make, and control dependencies."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Many
from typing import Any

import libcst as cst

from tfmigrate.analysis import runs
from tfmigrate.analysis.expressions import Expressions
from tfmigrate.analysis.facts import CallFact, Statement
from tfmigrate.analysis.legacy_names import Naming
from tfmigrate.analysis.targets import bind_target
from tfmigrate.analysis.values import (
    Context,
    Graphlike,
    Host,
    Iterator_,
    Layer,
    Operation,
    Optimizer,
    Session,
    Summary,
    Value,
    Variable,
    is_step,
    leaves,
)


class Contexts(Expressions):
    """Adds `with` and the results of calls to the evaluator of expressions."""

    def __init__(self) -> None:
        self.controls: list[Value] = []  # the control inputs of what is made now
        self.making: list[list[Graphlike]] = []  # for each call being interpreted, the build-once things made so far
        self.recursive: set[cst.CSTNode] = set()  # functions that call themselves
        self.sessions: list[Session] = []  # entered by `with`, innermost last
        self.initializers: list[cst.BaseExpression | None] = []  # defaults of the variable scopes entered now
        self.loop_stack: list[Statement] = []  # loops being run, over all frames
        self.loop_turns: dict[Statement, int] = {}  # of the loops that are run turn by turn
        self.named: dict[str, Graphlike] = {}  # by legacy name of the op
        self.collections: dict[str, list[Value]] = {}
        self.shared: dict[str, Variable] = {}  # get_variable's, by full name
        self.global_step: Variable | None = None
        self.summaries: list[Summary] = []
        self.interactive: Session | None = None
        self.context: list[object] = []  # calls and turns of unrolled loops around what is interpreted now
        self.running: dict[
            cst.CSTNode, cst.Call
        ] = {}  # functions that run the session, and their first call: a later one makes the same things
        self.memo: dict[tuple[object, ...], Graphlike] = {}
        self.graph_variables: list[Variable] = []  # of the graph that is built now
        self.graph = self.last_graph = 0  # its number
        self.graphs: dict[Graphlike, dict[str, object]] = {}
        self.turns: dict[int, list[Session]] = {}  # for each graph the sessions that ran it, in their order
        self.initialized_members: dict[cst.Call, set[Value]] = {}
        self.initializer_calls: dict[cst.Call, tuple[cst.Call, ...]] = {}  # the calls around an initializer's run
        self.call_sites: list[cst.Call] = []  # calls of the user's functions being interpreted
        self.calling: list[cst.CSTNode] = []  # and the functions

    GRAPH_STATE = ("naming", "named", "collections", "shared", "global_step", "summaries", "graph_variables", "graph")

    def known(self, node: cst.CSTNode) -> Graphlike | None:
        """What this very place made before, in the same calls: the second pass over a loop makes nothing new."""
        return self.memo.get((node, *self.context))

    def made_again(self, value: Graphlike) -> None:
        """The second pass over a loop comes to what the first one made."""
        if value not in self.statement.made:
            self.statement.made.append(value)

    def remember(self, node: cst.CSTNode, value: Graphlike) -> None:
        """Remember what a place made."""
        key = (node, *self.context)
        self.memo[key] = value

    run_count = 0
    uncalled = False  # a function that nothing calls is being interpreted

    def fresh_graph(self) -> None:
        """A new graph: names, collections and the global step begin anew."""
        self.naming = Naming()
        self.named, self.collections, self.shared = {}, {}, {}
        self.global_step, self.summaries, self.graph_variables = None, [], []
        self.last_graph += 1
        self.graph = self.last_graph

    def _enter_graph(self, graph: Graphlike) -> Callable[[], None]:
        saved = {name: getattr(self, name) for name in self.GRAPH_STATE}
        if graph in self.graphs:
            for name, value in self.graphs[graph].items():
                setattr(self, name, value)
        elif not getattr(graph, "default", False):
            self.fresh_graph()

        def leave() -> None:
            self.graphs[graph] = {name: getattr(self, name) for name in self.GRAPH_STATE}
            for name, value in saved.items():
                setattr(self, name, value)

        return leave

    def graph_number(self, graph: Value | None) -> int:
        """The number of a graph that was built, or of the one that is built now."""
        state = self.graphs.get(graph, {}) if isinstance(graph, Graphlike) else {}
        number = state.get("graph", self.graph)
        assert isinstance(number, int)
        return number

    def graph_state(self) -> dict[str, Any]:
        """A copy of what the graph that is built now holds."""
        return {name: _copied(getattr(self, name)) for name in self.GRAPH_STATE}

    def set_graph_state(self, state: dict[str, Any]) -> None:
        """Go on with a graph that holds this."""
        for name, value in state.items():
            setattr(self, name, value)

    def join_graph_state(self, other: dict[str, Any]) -> None:
        """Go on with what either of two branches may have put into the graph."""
        for name, value in other.items():
            mine = getattr(self, name)
            if isinstance(value, Naming):
                value.join(mine)
                joined: object = value
            elif isinstance(value, dict):
                joined = {**mine, **value, **_united(mine, value)}
            elif isinstance(value, list):
                joined = [*value, *(v for v in mine if v not in value)]
            else:
                joined = value if value is not None else mine
            setattr(self, name, joined)

    def record_read(self, call: cst.Call, node: cst.BaseExpression, value: Variable) -> None:
        """A variable's value read by the host."""
        runs.record_read(self, call, node, value)  # type: ignore[arg-type]

    def made(self, value: Graphlike, node: cst.BaseExpression | None) -> None:
        super().made(value, node)
        self.facts.loops.setdefault(value, tuple(self.loop_stack))
        if isinstance(value, Layer):
            self.facts.made_layers.append(value)
        if isinstance(value, (Variable, Optimizer, Layer, Iterator_, Operation)):
            for log in self.making[-1:]:
                log.append(value)

    def enter(self, item: cst.WithItem, statement: Statement) -> Callable[[], None]:
        """Enter one item of a `with`; the function returned leaves it."""
        value = self.eval(item.item)
        asname = item.asname.name if item.asname is not None else None
        if isinstance(value, Session):
            value = Context("session", value=value)
        if not isinstance(value, Context):
            if asname is not None:
                bind_target(self, asname, value if not isinstance(value, Host) else Host())
            return _nothing
        statement.transparent = True
        statement.session_with |= value.kind == "session"
        self.facts.values[item.item] = value
        if value.kind == "variable_scope":
            leave = self._enter(value)
            if asname is not None:
                bind_target(self, asname, Context("variable_scope", self.naming.current(), absolute=True))
            return leave
        if asname is not None and value.value is not None:
            bind_target(self, asname, value.value)
        elif asname is not None:
            bind_target(self, asname, Host(value.name) if value.name is not None else Host())
        return self._enter(value)

    def _enter(self, context: Context) -> Callable[[], None]:
        if context.kind == "session" and isinstance(context.value, Session):
            self.sessions.append(context.value)
            return lambda: _pop(self.sessions)
        if context.kind == "graph" and isinstance(context.value, Graphlike):
            return self._enter_graph(context.value)
        if context.kind == "name_scope":
            self.naming.enter_name_scope(context.name)
            return self.naming.leave_name_scope
        if context.kind == "variable_scope":
            self.naming.enter_variable_scope(context.name, context.reuse)
            self.initializers.append(context.initializer)
            return self._leave_variable_scope
        if context.kind == "control":
            count = len(context.controls)
            self.controls.extend(context.controls)
            return lambda: _drop(self.controls, count)
        return _nothing

    def _leave_variable_scope(self) -> None:
        self.initializers.pop()
        self.naming.leave_variable_scope()

    def call_result(self, fact: CallFact) -> Value:
        """What a call of a user's function gives its caller: where it makes variables and tensors, a layer stands
        between.
        """
        variables = [m for m in fact.made if isinstance(m, (Variable, Layer))]
        optimizers = [m for m in fact.made if isinstance(m, Optimizer)]
        step = any(is_step(v) and not isinstance(v, (Variable, Layer, Optimizer)) for v in leaves(fact.result))
        if isinstance(fact.function.node, cst.Lambda) or fact.function.receiver is not None:
            return fact.result
        if variables and step and not optimizers and not fact.runs:
            layer = Layer(form=fact, variables=_owned(variables))
            layer.step = False
            fact.layer = layer
            self.made(layer, fact.call)
            self.lift(fact.call, layer)
            for variable in layer.variables:
                if variable.layer is None:
                    variable.layer, variable.attribute = layer, variable.name
            for inner in variables:
                if isinstance(inner, Layer) and inner.holder is None:
                    inner.holder = layer
        return fact.result


def _owned(made: Many[Graphlike]) -> list[Variable]:
    found: list[Variable] = []
    for value in made:
        for variable in value.variables if isinstance(value, Layer) else [value]:
            if isinstance(variable, Variable) and variable not in found:
                found.append(variable)
    return found


def _united(one: dict[str, Any], other: dict[str, Any]) -> dict[str, list[Any]]:
    """The lists that both have, with the members of either."""
    both = [k for k, v in one.items() if isinstance(v, list) and isinstance(other.get(k), list)]
    return {k: [*one[k], *(v for v in other[k] if v not in one[k])] for k in both}


def _nothing() -> None:
    return None


def _pop(sessions: list[Session]) -> None:
    if sessions:
        sessions.pop()


def _drop(controls: list[Value], count: int) -> None:
    if count:
        del controls[-count:]


def _copied(value: Any) -> Any:
    if isinstance(value, Naming):
        return value.copy()
    return (
        {k: list(v) if isinstance(v, list) else v for k, v in value.items()}
        if isinstance(value, dict)
        else (list(value) if isinstance(value, list) else value)
    )
