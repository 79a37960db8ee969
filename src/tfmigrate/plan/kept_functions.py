"""Functions of the methods that build, for tensors that steps elsewhere take from their object (kept_elsewhere.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfmigrate.analysis.facts import Fetch, Run, Scope, Statement, Structure
from tfmigrate.analysis.values import Graphlike, Placeholder, Tensor
from tfmigrate.plan.kept_elsewhere import Kept, kept_elsewhere
from tfmigrate.plan.naming import numbered, step_name
from tfmigrate.plan.phases import in_phases
from tfmigrate.plan.program import KeptCall, Parameter, StepFunction, Unit
from tfmigrate.plan.reaching import reach
from tfmigrate.plan.refusing import refuse
from tfmigrate.plan.slices import Slice

if TYPE_CHECKING:
    from tfmigrate.plan.steps import Steps


class KeptFunctions:
    """Plans such functions, one for each set of tensors."""

    def __init__(self, steps: Steps) -> None:
        self.steps = steps
        self.plan, self.facts, self.bindings = steps.plan, steps.facts, steps.bindings
        self.known: dict[tuple[object, ...], StepFunction] = {}

    def taken(self, run: Run, scope: Scope, found: Slice) -> list[KeptCall] | None:
        """The calls by which a step of the scope takes what objects keep; their placeholders become the step's. None
        where it is refused.
        """
        kept = kept_elsewhere(self.plan, self.facts, self.bindings, run, scope, list(found.units))
        if kept is None:
            return None
        calls: list[KeptCall] = []
        for each in kept:
            found.placeholders.update(each.placeholders)
            if each.values:
                function = self._function(each, run)
                if function is None:
                    return None
                fed = [p.fed for p in function.parameters if isinstance(p.fed, Placeholder)]
                found.placeholders.update(dict.fromkeys(fed))
                names = [p.name for p in function.parameters]
                calls.append(KeptCall(function, each.text, names, [v.name or "" for v in each.values]))
        drawn = [scope for call in calls for scope in self._methods(call.function)]
        if len(drawn) > len(set(drawn)) and any(self._draws(call.function) for call in calls):
            message = "one run takes tensors with random ops behind them from several objects that share them"
            refuse(self.plan, "TFM112", run.call, message)
            return None
        return calls

    def give(self, step: StepFunction, calls: list[KeptCall]) -> None:
        """Name what the step has from objects, and reach what it needs of theirs."""
        bound = {n for u in step.units for s in self.bindings.descendants(u.statement) for n in s.defines}
        bound |= {p.name for p in step.parameters}
        step.kept = calls
        for call in calls:
            for index, leaf in enumerate(call.function.returns):
                call.results[index] = numbered(call.results[index], bound)
                bound.add(call.results[index])
                assert isinstance(leaf.value, Graphlike)
                step.kept_names[leaf.value] = call.results[index]
        for name, fed in [(p.name, p.fed) for p in step.parameters] + [(n, p) for n, p, _ in step.constants]:
            if isinstance(fed, Placeholder) and fed.scope not in set(step.scope.ancestors()):
                step.kept_names[fed] = name
        if step.plain:
            return
        needed = [p.fed for p in step.parameters if isinstance(p.fed, Placeholder)]
        trained = [
            variable.layer or variable
            for unit in step.units
            for statement in self.bindings.descendants(unit.statement)
            for made in statement.made
            for variable in getattr(made, "trained", ())
        ]
        for value in (*needed, *trained):
            if value.scope in self.plan.builders and not reach(self.plan, self.facts, value, step.scope):
                refuse(self.plan, "TFM112", step.runs[0].call, f"{value.name or 'something'} is out of reach here")

    def _function(self, kept: Kept, run: Run) -> StepFunction | None:
        key = (kept.method, *kept.values)
        if key not in self.known:
            function = self._planned(kept, run)
            if function is None:
                return None
            self.known[key] = function
        return self.known[key]

    def _planned(self, kept: Kept, run: Run) -> StepFunction | None:
        steps, scope = self.steps, kept.method
        steps.slicer.local_scopes = frozenset()
        inner = steps.slicer.slice([], list(kept.values), scope, set(), set())
        units = sorted(inner.units, key=lambda s: s.order)
        phases = in_phases(units, self.bindings)
        anchor, before = steps.anchors.anchor(run, scope, units, inner)
        acts = any(s.effect for u in units for s in self.bindings.descendants(u)) or inner.updating or inner.elements
        unnamed = anchor is None or any(v.name is None for v in kept.values)
        if acts or unnamed or inner.inputs or not steps.rebinding.in_order(phases):
            message = f"what {scope.name}() built is used with ops from elsewhere, and is more than computed"
            refuse(self.plan, "TFM112", run.call, message)
            return None
        calls = self._inner(scope, inner, run)
        if calls is None:
            return None
        fetches = [Fetch(v, None, {}) for v in kept.values]
        items = [Structure("leaf", leaf=f) for f in fetches]
        ordered = sorted(inner.placeholders, key=lambda p: steps.placeholders.get(p, 0))
        function = StepFunction(
            name=steps.names[scope.path].fresh(step_name(list(kept.values), [], False)),
            scope=scope,
            parameters=[Parameter(p.name or "value", fed=p) for p in ordered],
            constants=[],
            units=[Unit(u, p) for u, p in phases],
            structure=items[0] if len(items) == 1 else Structure("tuple", items=items),
            runs=[run],
            anchor=anchor,
            before=before,
            order=run.statement.order,
            returns=list(fetches),
            gradients=steps.gradients(units),
            plain=True,
            receivers={run: kept.text},
        )
        self.give(function, calls)
        self.plan.steps.append(function)
        return function

    def _inner(self, scope: Scope, found: Slice, run: Run) -> list[KeptCall] | None:
        """What the function itself takes from further objects."""
        nothing = Run(run.call, _at(scope, run), run.kind)
        return self.taken(nothing, scope, found)

    def _methods(self, function: StepFunction) -> list[Scope]:
        """The methods whose functions it calls, itself included."""
        return [function.scope, *(s for call in function.kept for s in self._methods(call.function))]

    def _draws(self, function: StepFunction) -> bool:
        return any(
            isinstance(m, Tensor) and m.random
            for u in function.units
            for s in self.bindings.descendants(u.statement)
            for m in s.made
        ) or any(self._draws(call.function) for call in function.kept)


def _at(scope: Scope, run: Run) -> Statement:
    """A statement of the scope: where its code looks for names."""
    return scope.statements[-1] if scope.statements else run.statement
