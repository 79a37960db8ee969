"""Step functions: run sites grouped by what they fetch and feed, with slices, parameters and a place."""

from __future__ import annotations

import libcst as cst

from tfmigrate.analysis.facts import Binding, Facts, Fetch, Run, Scope, Statement, Structure, Uses
from tfmigrate.analysis.values import (
    Gradients,
    Graphlike,
    Host,
    Operation,
    Placeholder,
    Sequence,
    Session,
    Summary,
    Tensor,
    Value,
    Variable,
    leaves,
)
from tfmigrate.model import SiteKind
from tfmigrate.plan.bindings import Bindings
from tfmigrate.plan.naming import Names, identifier, step_name
from tfmigrate.plan.program import Parameter, Phase, Plan, StepFunction, Unit
from tfmigrate.plan.refusing import refuse
from tfmigrate.plan.slices import Slice, Slicer


class Steps:
    """Plans the step functions of one program."""

    def __init__(
        self, facts: Facts, bindings: Bindings, names: dict[str, Names], plan: Plan, drivers: set[Scope]
    ) -> None:
        self.facts, self.bindings, self.names, self.plan, self.drivers = facts, bindings, names, plan, drivers
        self.slicer = Slicer(facts, bindings)
        self.slicer.elements = frozenset(plan.elements)
        self.parameter_names: dict[Graphlike, str] = {}

    def plan_all(self) -> None:
        """Plan a step function for each set of fetches and feeds."""
        groups: dict[tuple[object, ...], list[Run]] = {}
        for run in self.facts.runs.values():
            if run.kind is SiteKind.CALL and run.fetch is not None:
                groups.setdefault(self._key(run), []).append(run)
        trains = {id(t) for runs in groups.values() for t in self._trains(runs[0])}
        self._sole_train = len({k for k, runs in groups.items() if self._trains(runs[0])}) == 1 and len(trains) >= 1
        for runs in groups.values():
            self._plan(runs)

    def _key(self, run: Run) -> tuple[object, ...]:
        assert run.fetch is not None
        fetched = tuple(
            id(leaf.value) if self._identified(leaf) else id(leaf.node or leaf.value) for leaf in run.fetch.leaves()
        )
        fed = tuple(sorted((id(f.key), self._constant_text(f)) for f in run.feeds if not isinstance(f.key, Operation)))
        return (fetched, fed, run.fetch.kind, self._whole(run))

    def _whole(self, run: Run) -> bool:
        """Whether the host wants the list as it was fetched, with None for the ops."""
        assert run.fetch is not None
        if run.fetch.kind not in ("list", "tuple") or not any(
            isinstance(leaf.value, Operation) for leaf in run.fetch.leaves()
        ):
            return False
        line = run.statement.node
        small = line.body[0] if isinstance(line, cst.SimpleStatementLine) else None
        if isinstance(small, cst.Expr) and small.value is run.call:
            return False
        if isinstance(small, cst.Assign) and small.value is run.call and len(small.targets) == 1:
            target = small.targets[0].target
            if isinstance(target, (cst.Tuple, cst.List)) and len(target.elements) == len(run.fetch.items):
                return False
        return run.call not in self.facts.picked

    def _identified(self, leaf: Fetch) -> bool:
        return isinstance(leaf.value, Graphlike) and (leaf.value.name is not None or leaf.node is None)

    def _constant_text(self, feed: object) -> str:
        node, value = feed.node, feed.value  # type: ignore[attr-defined]
        return repr(value.literal) if self._literal(node, value) else ""

    @staticmethod
    def _literal(node: cst.BaseExpression | None, value: Value) -> bool:
        if node is None or not (isinstance(value, Host) and value.known):
            return False
        return isinstance(node, (cst.Integer, cst.Float, cst.UnaryOperation)) or (
            isinstance(node, cst.Name) and node.value in ("True", "False")
        )

    def _trains(self, run: Run) -> list[Operation]:
        assert run.fetch is not None
        found: list[Operation] = []

        def walk(value: Value) -> None:
            if isinstance(value, Operation):
                if value.optimizer is not None:
                    found.append(value)
                for member in value.members:
                    for leaf in leaves(member):
                        walk(leaf)

        for leaf in run.fetch.leaves():
            for value in leaves(leaf.value):
                walk(value)
        return found

    # one function

    def _plan(self, runs: list[Run]) -> None:
        run = runs[0]
        assert run.fetch is not None
        if self._restarts(run):
            refuse(
                self.plan,
                "TFM151",
                run.call,
                "random ops that several sessions run: each of them begins their sequences anew",
            )
            return
        if any(r.conflicting for r in runs):
            refuse(self.plan, "TFM122", run.call, "what is fetched here differs from call to call")
            return
        fetches = list(run.fetch.leaves())
        cuts: set[Graphlike] = {f.key for r in runs for f in r.feeds if not isinstance(f.key, Operation)}
        scope = self._scope(run, fetches, cuts)
        varying = self._varying(run)
        self.slicer.local_scopes = frozenset(
            s for s in run.statement.scope.ancestors() if s not in set(scope.ancestors())
        )
        seeds: list[Uses] = [leaf.uses for leaf in fetches if leaf.node is not None and not self._identified(leaf)]
        values = [leaf.value for leaf in fetches]
        found = self._slice(seeds, values, scope, run.statement.scope, varying, cuts)
        if any(self.bindings.runs(u) for u in found.units):
            refuse(
                self.plan,
                "TFM105",
                run.call,
                "what is fetched here is built by a statement that runs the session itself",
            )
            return
        function = self._function(runs, scope, found, cuts)
        if function is not None:
            self.plan.steps.append(function)
            for each in runs:
                self.plan.step_of[each] = function

    def _restarts(self, run: Run) -> bool:
        """Whether the run draws from an op with a seed of its own that another session runs too.

        Each session begins the op's sequence anew.
        """
        drawing = self._drawing()
        return any(len(drawing[source]) > 1 for leaf in fetches_of(run) for source in self._seeded(leaf.value))

    def _drawing(self) -> dict[Value, set[Session]]:
        """The sessions that draw from each random op with a seed."""
        if self._sessions is None:
            self._sessions = {}
            for run in self.facts.runs.values():
                for leaf in fetches_of(run):
                    for source in self._seeded(leaf.value):
                        self._sessions.setdefault(source, set()).update(run.sessions)
        return self._sessions

    _sessions: dict[Value, set[Session]] | None = None

    def _seeded(self, value: Value) -> list[Value]:
        """The random ops with a seed of their own that the value is computed from."""
        found: dict[Value, None] = {}
        seen: set[int] = set()
        todo = list(leaves(value))
        while todo:
            each = todo.pop()
            if id(each) in seen or not isinstance(each, Tensor):
                continue
            seen.add(id(each))
            node = each.expression
            named = [a.keyword.value for a in node.args if a.keyword is not None] if isinstance(node, cst.Call) else []
            if each.random and "seed" in named:
                found[each] = None
            todo.extend(v for i in each.inputs for v in leaves(i))
        return list(found)

    def _slice(
        self,
        seeds: list[Uses],
        values: list[Value],
        scope: Scope,
        at: Scope,
        varying: set[Statement],
        cuts: set[Graphlike],
    ) -> Slice:
        inner = at if scope in set(at.ancestors()) else scope
        return self.slicer.slice(seeds, values, inner, varying, cuts)

    def _scope(self, run: Run, fetches: list[Fetch], cuts: set[Graphlike]) -> Scope:
        """Where the function is defined: the scope in which the graph was built."""
        involved: list[Scope] = [c.scope for c in cuts if c.scope is not None]
        for leaf in fetches:
            for value in leaves(leaf.value):
                if isinstance(value, Graphlike) and value.scope is not None:
                    involved.append(value.scope)
        around = list(run.statement.scope.ancestors())
        hidden = [s for s in involved if s not in around and isinstance(s.node, cst.FunctionDef) and s in self.drivers]
        if hidden:
            refuse(self.plan, "TFM112", run.call, f"a tensor that {hidden[0].name}() built is run in another function")
        candidates = [s for s in involved if s in around and self._builds(s)]
        if not candidates:
            built = [v.scope for v in self.facts.variables if v.scope in around]
            candidates = [s for s in built if s is not None] or [
                run.statement.scope if run.statement.scope in self.drivers else around[-1]
            ]
        return min(candidates, key=around.index)

    def _builds(self, scope: Scope) -> bool:
        if scope.is_module:
            return True
        return any(
            self.bindings.makes(s, Variable, Placeholder) or self.bindings.of(s) is Binding.BUILD
            for s in scope.statements
        )

    def _varying(self, run: Run) -> set[Statement]:
        """Loops of the run's own scope whose bodies it stands in."""
        return set(run.statement.loops)

    def _function(self, runs: list[Run], scope: Scope, found: Slice, cuts: set[Graphlike]) -> StepFunction | None:
        run = runs[0]
        assert run.fetch is not None
        units = sorted(found.units, key=lambda s: s.order)
        phases = self._phases(units)
        if phases is None:
            return None
        parameters, constants = self._parameters(runs, found)
        fetches = list(run.fetch.leaves())
        trains = list(self._trains(run))
        for unit in units:
            trains.extend(
                m
                for s in self.bindings.descendants(unit)
                for m in s.made
                if isinstance(m, Operation) and m.optimizer is not None and m not in trains
            )
        anchor, before = self._anchor(run, scope, units, found)
        wanted = step_name(
            [
                v
                for leaf in fetches
                for v in ([leaf.value] if not isinstance(leaf.value, Sequence) else list(leaves(leaf.value)))
            ],
            trains,
            self._sole_train,
        )
        names = self.names[scope.path]
        lost = self._lost(run, units)
        if lost is not None:
            refuse(self.plan, "TFM123", lost[1].node, f"{lost[0]} is bound again before what reads it is returned")
            return None
        again = self._bound_again(found, anchor, before, scope)
        if again is not None:
            refuse(self.plan, "TFM123", again[1].node, f"{again[0]} is bound again before what reads it can be traced")
            return None
        function = StepFunction(
            name=names.fresh(wanted),
            scope=scope,
            parameters=parameters,
            constants=constants,
            units=[Unit(u, p) for u, p in phases],
            structure=run.fetch,
            runs=runs,
            anchor=anchor,
            before=before,
            order=run.statement.order,
            trains=bool(trains),
        )
        function.updating = found.updating
        function.keep_structure = any(self._whole(r) for r in runs)
        function.effects = any(s.effect for u in units for s in self.bindings.descendants(u))
        function.returns = [leaf for leaf in fetches if not _is_operation(leaf.value)]
        function.gradients = [
            m
            for u in units
            for s in self.bindings.descendants(u)
            for m in s.made
            if isinstance(m, Gradients) or (isinstance(m, Operation) and m.kind == "minimize")
        ]
        return function

    def _bound_again(
        self, found: Slice, anchor: Statement | None, before: bool, scope: Scope
    ) -> tuple[str, Statement] | None:
        """A name that a step reads from around it, and that means something else by the time the step is traced."""
        last = anchor.order if anchor is not None else 0
        variables = {id(v): n for v, n in self.plan.variable_names.items()}
        for owner, name, defs in found.reads:
            if owner is not scope or not defs:
                continue
            first = max(d.order for d in defs)
            for other in owner.statements:
                later = first < other.order < last + (0 if before else 1)
                if name in other.defines and other not in defs and later and self._binds(other):
                    return name, other
        for built in found.built:
            for name in built.defines:
                renamed = any(
                    n != name
                    for made in built.made
                    if isinstance(made, Variable) and (n := variables.get(id(made))) is not None
                )
                for other in built.scope.statements:
                    later = other is not built and built.order < other.order < last
                    if (
                        name in other.defines
                        and later
                        and not renamed
                        and self._binds(other)
                        and not self._exclusive(built, other)
                    ):
                        return name, other
        return None

    def _binds(self, statement: Statement) -> bool:
        """Whether the statement stays where it is and binds its names there."""
        return self.bindings.of(statement) not in (Binding.STEP, Binding.DROP)

    def _lost(self, run: Run, units: list[Statement]) -> tuple[str, Statement] | None:
        """A name that a result is made of, and that a later statement of the step binds again."""
        inside = set(units)
        last: dict[str, Statement] = {}
        for unit in units:
            for statement in self.bindings.descendants(unit):
                for name in statement.defines:
                    last[name] = statement
        reads: list[Uses] = []
        for leaf in fetches_of(run):
            if isinstance(leaf.value, Summary):
                reads.extend(m.statement.uses for m in leaf.value.members or (leaf.value,) if m.statement is not None)
            elif leaf.node is not None and not self._identified(leaf):
                reads.append(leaf.uses)
            elif isinstance(leaf.value, Graphlike) and leaf.value.name in last and leaf.value.statement is not None:
                final = last[leaf.value.name]
                if (
                    self.bindings.unit(final) is not self.bindings.unit(leaf.value.statement)
                    and leaf.value.statement in inside
                ):
                    return leaf.value.name, final
        for uses in reads:
            for (_, name), defs in uses.items():
                bound = last.get(name)
                mine = {self.bindings.unit(d) for d in defs}
                if bound is not None and mine & inside and self.bindings.unit(bound) not in mine:
                    return name, bound
        return None

    @staticmethod
    def _exclusive(first: Statement, second: Statement) -> bool:
        """Whether the two stand in different branches of one `if`."""
        around: dict[Statement, str] = {}
        at: Statement | None = first
        while at is not None and at.parent is not None:
            around[at.parent] = at.block
            at = at.parent
        at = second
        while at is not None and at.parent is not None:
            if at.parent in around and isinstance(at.parent.node, cst.If) and around[at.parent] != at.block:
                return True
            at = at.parent
        return False

    # order inside the function

    def _phases(self, units: list[Statement]) -> list[tuple[Statement, Phase]] | None:
        taped: set[Statement] = set()
        for unit in units:
            for statement in self.bindings.descendants(unit):
                for made in statement.made:
                    targets = (
                        made.targets
                        if isinstance(made, Gradients)
                        else (
                            (made.loss,)
                            if isinstance(made, Operation) and made.kind == "minimize" and made.loss is not None
                            else ()
                        )
                    )
                    for target in targets:
                        taped |= self._ancestors(target, statement, units)
        effects: set[Statement] = set()
        for unit in units:
            own = any(s.effect for s in self.bindings.descendants(unit)) and not self._only_shapes(unit)
            depends = any(d in effects for d in self._direct(unit, units))
            if own or depends:
                effects.add(unit)
        result: list[tuple[Statement, Phase]] = []
        for unit in units:
            phase = Phase.TAPE if unit in taped else (Phase.EFFECT if unit in effects else Phase.PURE)
            result.append((unit, phase))
        ordered = sorted(result, key=lambda pair: (pair[1].value, pair[0].order))
        if not self._consistent(ordered):
            refuse(
                self.plan,
                "TFM123",
                units[-1].node,
                "a name is bound again between an update and what must be computed before it",
            )
            return None
        return ordered

    def _only_shapes(self, unit: Statement) -> bool:
        return all(
            not s.effect
            or (
                bool(s.mutates)
                and not any(isinstance(m, Graphlike) and getattr(m, "effect", False) for m in s.made)
                and not any(isinstance(m, Operation) for m in s.made)
            )
            for s in self.bindings.descendants(unit)
        )

    def _ancestors(self, target: Value, at: Statement, units: list[Statement]) -> set[Statement]:
        """The units that a gradient's target is computed by."""
        found: set[Statement] = set()
        unit = self.bindings.unit(at)
        todo: list[Statement] = []
        if (
            isinstance(target, Graphlike)
            and target.statement is not None
            and self.bindings.unit(target.statement) is not unit
        ):
            todo.append(self.bindings.unit(target.statement))
        elif isinstance(target, Graphlike):
            todo.extend(d for d in self._direct(unit, units) if self._feeds_target(d, target))
        while todo:
            each = todo.pop()
            if each in found or each not in units:
                continue
            found.add(each)
            todo.extend(self._direct(each, units))
        return found

    def _feeds_target(self, unit: Statement, target: Graphlike) -> bool:
        made = {id(m) for s in self.bindings.descendants(unit) for m in s.made} | {
            id(v) for s in self.bindings.descendants(unit) for value in s.values for v in leaves(value)
        }
        seen: set[int] = set()

        def reaches(value: Value) -> bool:
            if id(value) in seen:
                return False
            seen.add(id(value))
            if id(value) in made:
                return True
            inputs = value.inputs if isinstance(value, Tensor) else ()
            return any(reaches(i) for v in inputs for i in leaves(v))

        return reaches(target)

    def _direct(self, unit: Statement, units: list[Statement]) -> set[Statement]:
        """The units that this one uses directly (by name or by control dependency)."""
        inside = set(units)
        found: set[Statement] = set()
        for statement in self.bindings.descendants(unit):
            for defs in statement.uses.values():
                for definition in defs:
                    other = self.bindings.unit(definition)
                    if other in inside and other is not unit:
                        found.add(other)
            for control in statement.controls:
                for leaf in leaves(control):
                    if isinstance(leaf, Graphlike) and leaf.statement is not None:
                        other = self.bindings.unit(leaf.statement)
                        if other in inside and other is not unit:
                            found.add(other)
        return found

    def _consistent(self, ordered: list[tuple[Statement, Phase]]) -> bool:
        """Whether each name still means the same after the reordering."""
        position = {unit: index for index, (unit, _) in enumerate(ordered)}
        for unit, _ in ordered:
            for (_owner, name), defs in unit.uses.items():
                inside = [self.bindings.unit(d) for d in defs if self.bindings.unit(d) in position]
                if not inside or unit in inside:
                    continue
                last = max(position[d] for d in inside)
                if last > position[unit]:
                    return False
                for other, index in position.items():
                    if last < index < position[unit] and name in other.defines and other not in inside:
                        return False
        return True

    # parameters

    def _parameters(
        self, runs: list[Run], found: Slice
    ) -> tuple[list[Parameter], list[tuple[str, Placeholder, cst.BaseExpression]]]:
        parameters: list[Parameter] = []
        constants: list[tuple[str, Placeholder, cst.BaseExpression]] = []
        used: set[str] = set()
        fed = {id(f.key): f for f in runs[0].feeds}
        order = {id(p): i for i, p in enumerate(self.facts.placeholders)}
        for key in sorted(found.placeholders, key=lambda p: order.get(id(p), 0)):
            name = self._parameter_name(key, used)
            feed = fed.get(id(key))
            if feed is None:
                if key.default is None:
                    if not self.plan.refusals:
                        refuse(
                            self.plan,
                            "TFM107",
                            runs[0].call,
                            f"the placeholder {key.name or key.legacy_name or ''} is needed here and not fed",
                        )
                    continue
                constants.append((name, key, key.default))
            elif self._literal(feed.node, feed.value) and all(self._same_literal(r, key) for r in runs):
                assert feed.node is not None
                constants.append((name, key, feed.node))
            else:
                parameters.append(Parameter(name, fed=key))
        for statement in found.elements:
            for name in _targets(statement):
                used.add(name)
                parameters.append(Parameter(name, element=statement))
        for cut in found.cuts:
            if not isinstance(cut, Placeholder):
                parameters.append(Parameter(self._parameter_name(cut, used), fed=cut))
        for (owner, name), _ in found.inputs.items():
            if name not in used:
                used.add(name)
                parameters.append(Parameter(name, host=(owner, name)))
        return parameters, constants

    def _same_literal(self, run: Run, key: Placeholder) -> bool:
        feed = next((f for f in run.feeds if f.key is key), None)
        return feed is not None and self._literal(feed.node, feed.value)

    def _parameter_name(self, key: Graphlike, used: set[str]) -> str:
        name = key.name or identifier(key.legacy_name or "input_value")
        base, count = name, 0
        while name in used:
            count += 1
            name = f"{base}_{count}"
        used.add(name)
        return name

    # place

    def _anchor(self, run: Run, scope: Scope, units: list[Statement], found: Slice) -> tuple[Statement | None, bool]:
        """The statement after which (or before which) the function is defined: as early as all it needs is there.

        Nothing is defined inside a loop that runs it, unless variables are made anew in there.
        """
        needed = [u for u in units if u.scope is scope] + [b for b in found.built if b.scope is scope]
        needed += [p.statement for p in found.placeholders if p.statement is not None and p.scope is scope]
        needed += [
            p.statement
            for p in (*found.placeholders, *found.cuts)
            if p.statement is not None and p.statement.scope is scope and not self._in_runs_loops(p.statement, run)
        ]
        needed += [
            d for defs in found.closure.values() for d in defs if d.scope is scope and not self._in_runs_loops(d, run)
        ]
        level = self._level(run, scope, found)
        placed: list[tuple[int, Statement, bool]] = []
        for statement in needed:
            host = self._at_level(statement, level)
            inside_loop = (
                host is not statement and isinstance(host.node, (cst.For, cst.While)) and self.bindings.runs(host)
            )
            placed.append((host.order, host, inside_loop))
        if run.statement.scope is scope:
            site = self._at_level(run.statement, level)
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

    def _in_runs_loops(self, statement: Statement, run: Run) -> bool:
        return any(statement.within(loop) for loop in run.statement.loops)

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
                if any(self._anew(b) for b in found.built if b.within(around)):
                    level = around
                else:
                    break
            elif made_here:
                level = around
            else:
                break
        return level

    @staticmethod
    def _anew(statement: Statement) -> bool:
        """Whether the statement makes variables that are new in each turn of its loop."""
        return any(
            isinstance(m, Variable) and isinstance(m.expression, cst.Call) and not _shared(m) for m in statement.made
        )

    def _at_level(self, statement: Statement, level: Statement | None) -> Statement:
        """The ancestor of the statement that stands in the level's block (blocks of dissolved `with`s are the same
        block).
        """
        found = statement
        at = statement.parent
        while at is not None and at is not level:
            if not at.transparent:
                found = at
            at = at.parent
        while found.parent is not None and found.parent is not level and _is_elif(found):
            found = found.parent
        return found


def _targets(statement: Statement) -> list[str]:
    """The names that an assignment binds, in order."""
    line = statement.node
    small = line.body[0] if isinstance(line, cst.SimpleStatementLine) else None
    target = small.targets[0].target if isinstance(small, cst.Assign) else None
    if isinstance(target, cst.Name):
        return [target.value]
    if isinstance(target, (cst.Tuple, cst.List)):
        return [e.value.value for e in target.elements if isinstance(e.value, cst.Name)]
    return []


def _is_elif(statement: Statement) -> bool:
    parent = statement.parent
    return parent is not None and isinstance(parent.node, cst.If) and parent.node.orelse is statement.node


def fetches_of(run: Run) -> list[Fetch]:
    """The leaves of what a run fetches."""
    return list(run.fetch.leaves()) if run.fetch is not None else []


def _shared(variable: Variable) -> bool:
    function = variable.expression.func if isinstance(variable.expression, cst.Call) else None
    name = function.attr.value if isinstance(function, cst.Attribute) else getattr(function, "value", "")
    return name == "get_variable"


def _is_operation(value: Value) -> bool:
    return isinstance(value, Operation)


__all__ = ["Steps", "Structure", "Summary"]
