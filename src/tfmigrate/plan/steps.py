"""Step functions: run sites grouped by what they fetch and feed, with slices, parameters and a place."""

from __future__ import annotations

from tfmigrate.analysis.facts import Binding, Facts, Run, Scope, Statement, Uses
from tfmigrate.analysis.values import Gradients, Graphlike, Operation, Sequence, Variable, leaves
from tfmigrate.model import SiteKind
from tfmigrate.plan.anchors import Anchors, orders_nothing
from tfmigrate.plan.attributes import receiver
from tfmigrate.plan.averages import tell_races
from tfmigrate.plan.bindings import Bindings
from tfmigrate.plan.classes import object_text
from tfmigrate.plan.fetch_sets import fetch_key, fetches_of, is_identified, train_ops, wants_structure
from tfmigrate.plan.kept_functions import KeptFunctions
from tfmigrate.plan.naming import Names, step_name
from tfmigrate.plan.parameters import parameters_of
from tfmigrate.plan.phases import in_phases
from tfmigrate.plan.program import Plan, StepFunction, Unit
from tfmigrate.plan.random_sequences import RandomSequences
from tfmigrate.plan.rebinding import Rebinding
from tfmigrate.plan.refusing import refuse
from tfmigrate.plan.slices import Slice, Slicer


class Steps:
    """Plans the step functions of one program."""

    def __init__(
        self, facts: Facts, bindings: Bindings, names: dict[str, Names], plan: Plan, drivers: set[Scope]
    ) -> None:
        self.facts, self.bindings, self.names, self.plan = facts, bindings, names, plan
        self.slicer = Slicer(facts, bindings)
        self.slicer.elements = frozenset(plan.elements)
        self.anchors = Anchors(facts, bindings, plan, drivers)
        self.rebinding = Rebinding(bindings, plan)
        self.sequences = RandomSequences(facts)
        self.placeholders = {p: i for i, p in enumerate(facts.placeholders)}
        self._sole_train = False
        self.kept = KeptFunctions(self)

    def plan_all(self) -> None:
        """Plan a step function for each set of fetches and feeds."""
        groups: dict[tuple[object, ...], list[Run]] = {}
        for run in self.facts.runs.values():
            if run.kind is SiteKind.CALL and run.fetch is not None:
                groups.setdefault(fetch_key(run, self.facts), []).append(run)
        self._sole_train = sum(bool(train_ops(runs[0])) for runs in groups.values()) == 1
        for runs in groups.values():
            self._plan(runs)

    def _plan(self, runs: list[Run]) -> None:
        """Plan the step function that these runs call, or tell why there is none."""
        run = runs[0]
        if self.sequences.restart(run):
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
        cuts: set[Graphlike] = {f.key for r in runs for f in r.feeds if not isinstance(f.key, Operation)}
        scope = self.anchors.scope(run, fetches_of(run), cuts)
        found = self._slice(run, scope, cuts)
        if any(self.bindings.runs(u) for u in found.units):
            refuse(
                self.plan,
                "TFM105",
                run.call,
                "what is fetched here is built by a statement that runs the session itself",
            )
            return
        for unit in found.units:
            inner = next((s for s in self.bindings.descendants(unit) if s is not unit and self._makes_anew(s)), None)
            if inner is not None:
                message = "a variable is made among the ops that use it, in a loop or a condition of unknown outcome"
                refuse(self.plan, "TFM143", inner.node, message)
                return
        calls = self.kept.taken(run, scope, found)
        if calls is None:
            return
        function = self._function(runs, scope, found)
        if function is not None:
            self.kept.give(function, calls)
            tell_races(self.plan, function)
            self.plan.steps.append(function)
            for each in runs:
                self.plan.step_of[each] = function

    def _makes_anew(self, statement: Statement) -> bool:
        """Whether a statement that moves into a step makes variables there."""
        return self.bindings.of(statement) is Binding.BUILD and self.bindings.makes(statement, Variable)

    def _slice(self, run: Run, scope: Scope, cuts: set[Graphlike]) -> Slice:
        """What the run fetches needs; host values vary in the loops that the run stands in."""
        fetches = fetches_of(run)
        around = list(run.statement.scope.ancestors())
        self.slicer.local_scopes = frozenset(around) - frozenset(scope.ancestors())
        seeds: list[Uses] = [leaf.uses for leaf in fetches if leaf.node is not None and not is_identified(leaf)]
        inner = run.statement.scope if scope in around else scope
        return self.slicer.slice(seeds, [leaf.value for leaf in fetches], inner, set(run.statement.loops), cuts)

    def _function(self, runs: list[Run], scope: Scope, found: Slice) -> StepFunction | None:
        run = runs[0]
        assert run.fetch is not None
        units = sorted(found.units, key=lambda s: s.order)
        phases = in_phases(units, self.bindings)
        if not self.rebinding.in_order(phases):
            refuse(
                self.plan,
                "TFM123",
                units[-1].node,
                "a name is bound again between an update and what must be computed before it",
            )
            return None
        parameters, constants = parameters_of(runs, found, self.placeholders, self.plan)
        trains = self._trains(run, units)
        anchor, before = self.anchors.anchor(run, scope, units, found)
        lost = self.rebinding.before_returning(run, units)
        if lost is not None:
            self.plan.rebound[(lost[1].scope, lost[0])] = None
            refuse(self.plan, "TFM123", lost[1].node, f"{lost[0]} is bound again before what reads it is returned")
            return None
        again = self.rebinding.before_tracing(found, anchor, before, scope)
        if again is not None:
            self.plan.rebound[(again[1].scope, again[0])] = None
            refuse(self.plan, "TFM123", again[1].node, f"{again[0]} is bound again before what reads it can be traced")
            return None
        return StepFunction(
            name=self._name(run, scope, trains),
            scope=scope,
            parameters=parameters,
            constants=constants,
            units=[Unit(u, p) for u, p in phases],
            structure=run.fetch,
            runs=runs,
            anchor=anchor,
            before=before,
            order=run.statement.order,
            keep_structure=any(wants_structure(r, self.facts) for r in runs),
            effects=any(s.effect for u in units for s in self.bindings.descendants(u)),
            returns=[leaf for leaf in fetches_of(run) if not isinstance(leaf.value, Operation)],
            gradients=self.gradients(units),
            trains=bool(trains),
            updating=found.updating,
            receivers=self._receivers(runs, scope),
        )

    def _receivers(self, runs: list[Run], scope: Scope) -> dict[Run, str]:
        """For runs that stand outside the method which builds: what they call the object."""
        found: dict[Run, str] = {}
        instance = self.plan.builders.get(scope)
        for run in runs if instance is not None else ():
            if scope not in set(run.statement.scope.ancestors()):
                assert instance is not None
                text = object_text(self.facts, run.statement.scope, instance, run.statement.node, run.feed_node)
                if text is None:
                    message = f"an object of {instance.cls.node.name.value} is run where no name leads to it"
                    refuse(self.plan, "TFM101", run.call, message)
                else:
                    found[run] = text
        inside = [run for run in runs if run not in found] if found else []
        return found | {run: receiver(scope) or "" for run in inside}

    def _trains(self, run: Run, units: list[Statement]) -> list[Operation]:
        """The train ops of a step: those that are fetched, then those that its statements make."""
        trains = train_ops(run)
        for unit in units:
            trains.extend(
                m
                for s in self.bindings.descendants(unit)
                for m in s.made
                if isinstance(m, Operation) and m.optimizer is not None and m not in trains
            )
        return trains

    def gradients(self, units: list[Statement]) -> list[Graphlike]:
        """What is differentiated in the statements."""
        return [
            m
            for u in units
            for s in self.bindings.descendants(u)
            for m in s.made
            if isinstance(m, Gradients) or (isinstance(m, Operation) and m.kind == "minimize")
        ]

    def _name(self, run: Run, scope: Scope, trains: list[Operation]) -> str:
        values = [
            v
            for leaf in fetches_of(run)
            for v in (leaves(leaf.value) if isinstance(leaf.value, Sequence) else (leaf.value,))
        ]
        values = [v for v in values if not (isinstance(v, Operation) and orders_nothing(v))] or values
        return self.names[scope.path].fresh(step_name(values, trains, self._sole_train))
