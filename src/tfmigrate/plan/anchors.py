"""Where a step function is defined: the scope in which its graph was built, as early there as all it needs is known."""

from __future__ import annotations

import libcst as cst

from tfmigrate.analysis.facts import Binding, Facts, Fetch, Run, Scope, Statement
from tfmigrate.analysis.values import Graphlike, Operation, Placeholder, Variable, leaves
from tfmigrate.plan.bindings import Bindings
from tfmigrate.plan.program import Plan
from tfmigrate.plan.refusing import refuse
from tfmigrate.plan.slices import Slice


class Anchors:
    """Finds the scope of each step function, and the statement beside which it is defined."""

    def __init__(self, facts: Facts, bindings: Bindings, plan: Plan, drivers: set[Scope]) -> None:
        self.facts, self.bindings, self.plan, self.drivers = facts, bindings, plan, drivers
        self._with_variables = {v.scope for v in facts.variables}
        self._building: dict[Scope, bool] = {}

    # scope

    def scope(self, run: Run, fetches: list[Fetch], cuts: set[Graphlike]) -> Scope:
        """The scope in which the graph was built."""
        fed: list[Scope] = [c.scope for c in cuts if c.scope is not None]
        involved: list[Scope] = []
        for leaf in fetches:
            for value in leaves(leaf.value):
                if isinstance(value, Graphlike) and value.scope is not None and not orders_nothing(value):
                    involved.append(value.scope)
        around = list(run.statement.scope.ancestors())
        method = next((s for s in involved if s not in around and s in self.plan.builders), None)
        if method is not None and all(s is method or s in method.ancestors() for s in involved):
            return method
        involved = fed + involved
        hidden = [
            s
            for s in involved
            if s not in around
            and isinstance(s.node, cst.FunctionDef)
            and s in self.drivers
            and s not in self.plan.builders
        ]
        if hidden:
            refuse(self.plan, "TFM112", run.call, f"a tensor that {hidden[0].name}() built is run in another function")
        candidates = [s for s in involved if s in around and self._builds(s)]
        if not candidates:
            candidates = [s for s in around if s in self._with_variables] or [
                run.statement.scope if run.statement.scope in self.drivers else around[-1]
            ]
        return min(candidates, key=around.index)

    def _builds(self, scope: Scope) -> bool:
        if scope not in self._building:
            self._building[scope] = scope.is_module or any(
                self.bindings.makes(s, Variable, Placeholder) or self.bindings.of(s) is Binding.BUILD
                for s in scope.statements
            )
        return self._building[scope]

    # statement

    def anchor(self, run: Run, scope: Scope, units: list[Statement], found: Slice) -> tuple[Statement | None, bool]:
        """The statement after which (or, with True, before which) the function is defined.

        Nothing is defined inside a loop that runs it, unless variables are made anew in there.
        """
        needed = [u for u in units if u.scope is scope] + [b for b in found.built if b.scope is scope]
        needed += [p.statement for p in found.placeholders if p.statement is not None and p.scope is scope]
        needed += [
            p.statement
            for p in (*found.placeholders, *found.cuts)
            if p.statement is not None and p.statement.scope is scope and not _in_loops_of(p.statement, run)
        ]
        needed += [d for defs in found.closure.values() for d in defs if d.scope is scope and not _in_loops_of(d, run)]
        level = self._level(run, scope, found)
        placed: list[tuple[int, Statement, bool]] = []
        for statement in needed:
            host = _at_level(statement, level)
            inside_loop = (
                host is not statement and isinstance(host.node, (cst.For, cst.While)) and self.bindings.runs(host)
            )
            placed.append((host.order, host, inside_loop))
        if run.statement.scope is scope:
            site = _at_level(run.statement, level)
            earliest = max(
                (p for p in placed if p[0] < site.order or p[2]), default=None, key=lambda p: (p[0], not p[2])
            )
            if earliest is None or earliest[0] > site.order:
                return site, True
            return (earliest[1], True) if earliest[2] or earliest[1] is site else (earliest[1], False)
        last = max(placed, default=None, key=lambda p: p[0])
        if last is None:
            return self._function_statement(run.statement.scope, scope), True
        return last[1], last[2]

    def _function_statement(self, inner: Scope, outer: Scope) -> Statement | None:
        scope: Scope | None = inner
        while scope is not None and scope.parent is not outer:
            scope = scope.parent
        return self.facts.statements.get(scope.node) if scope is not None else None

    def _level(self, run: Run, scope: Scope, found: Slice) -> Statement | None:
        """The compound statement in whose block the function is defined; None for the scope itself.

        A loop that makes variables anew in each turn is such a block; else the outermost block that all it needs stands
        in.
        """
        if run.statement.scope is not scope:
            return None
        level: Statement | None = None
        at = run.statement.parent
        chain: list[Statement] = []
        while at is not None:
            chain.append(at)
            at = at.parent
        for around in reversed(chain):
            if around.transparent:
                continue
            made_here = [b for b in (*found.built, *found.units) if b.within(around) and b is not around]
            if isinstance(around.node, (cst.For, cst.While)):
                if any(_makes_anew(b) for b in found.built if b.within(around)):
                    level = around
                else:
                    break
            elif made_here:
                level = around
            else:
                break
        return level


def orders_nothing(value: Graphlike) -> bool:
    """Whether it is a tf.no_op() that waits for nothing: it is gone from every step."""
    if not (isinstance(value, Operation) and value.kind == "no_op") or value.members:
        return False
    return value.statement is None or not value.statement.controls


def _in_loops_of(statement: Statement, run: Run) -> bool:
    return any(statement.within(loop) for loop in run.statement.loops)


def _at_level(statement: Statement, level: Statement | None) -> Statement:
    """The ancestor of the statement that stands in the level's block; the block of a dissolved `with` is the same."""
    found = statement
    at = statement.parent
    while at is not None and at is not level:
        if not at.transparent:
            found = at
        at = at.parent
    while found.parent is not None and found.parent is not level and _is_elif(found):
        found = found.parent
    return found


def _is_elif(statement: Statement) -> bool:
    parent = statement.parent
    return parent is not None and isinstance(parent.node, cst.If) and parent.node.orelse is statement.node


def _makes_anew(statement: Statement) -> bool:
    """Whether the statement makes variables that are new in each turn of its loop."""
    return any(
        isinstance(m, Variable) and isinstance(m.expression, cst.Call) and not _is_got(m.expression)
        for m in statement.made
    )


def _is_got(call: cst.Call) -> bool:
    """Whether the call is of get_variable, which gives the same variable again."""
    function = call.func
    name = function.attr.value if isinstance(function, cst.Attribute) else getattr(function, "value", "")
    return name == "get_variable"
