"""Plans a whole program: functions, objects made once, step functions, what is written, what is gone."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from tfmigrate.analysis.facts import Binding, Facts, Scope
from tfmigrate.model import Options, Place
from tfmigrate.plan.averages import name_shadows
from tfmigrate.plan.bindings import Bindings
from tfmigrate.plan.cells import list_cells, plan_cells
from tfmigrate.plan.changes import check_changes
from tfmigrate.plan.classes import builders, check_objects, check_reads, check_writes
from tfmigrate.plan.helper_functions import find_drivers, plan_functions
from tfmigrate.plan.initial_values import plan_initial_values
from tfmigrate.plan.inner_layers import plan_inner_layers
from tfmigrate.plan.iterators import plan_iterators
from tfmigrate.plan.layers import plan_layers
from tfmigrate.plan.naming import Names
from tfmigrate.plan.objects import fed_names, plan_objects, plan_specs, plan_variables
from tfmigrate.plan.placing import place
from tfmigrate.plan.program import Plan
from tfmigrate.plan.records import plan_savers, plan_summaries
from tfmigrate.plan.removing import plan_removed
from tfmigrate.plan.replication.replicas import replicate
from tfmigrate.plan.sharing import share
from tfmigrate.plan.steps import Steps
from tfmigrate.plan.widths import build_early


class Planner:
    """Plans one program from its facts."""

    def __init__(self, facts: Facts, entry: str, locate: Callable[[cst.CSTNode], Place], options: Options) -> None:
        self.facts, self.options = facts, options
        self.bindings = Bindings(facts)
        self.plan = Plan(entry, locate)
        self.plan.refusals.update(facts.refusals)
        self.plan.notes.update(facts.notes)
        self.drivers: set[Scope] = set()
        self.names: dict[str, Names] = {}

    def run(self) -> Plan:
        """The plan, or one with refusals."""
        self.plan.builders = builders(self.facts)
        find_drivers(self)
        plan_functions(self)
        self._take_names()
        plan_layers(self)
        if self.plan.unsplit:
            return self.plan
        plan_specs(self)
        self.plan.fed_names = fed_names(self.facts)
        plan_objects(self)
        plan_inner_layers(self)
        plan_cells(self)
        plan_variables(self)
        list_cells(self)
        build_early(self)
        name_shadows(self)
        plan_iterators(self)
        if not self.plan.refusals:
            Steps(self.facts, self.bindings, self.names, self.plan, self.drivers).plan_all()
        check_writes(self.plan, self.facts)
        plan_summaries(self)
        plan_savers(self)
        plan_initial_values(self)
        plan_removed(self)
        check_reads(self.plan, self.facts)
        check_objects(self.plan, self.facts)
        if not self.plan.refusals:
            replicate(self)
        if not self.plan.refusals:
            place(self)
            check_changes(self.plan, self.facts, self.bindings)
            share(self)
        return self.plan

    def _take_names(self) -> None:
        """The names of each file that made-up ones must avoid."""
        for scope in self.facts.scopes.values():
            self.names.setdefault(scope.path, Names(set())).taken |= self._kept_names(scope)
        for path, names in self.names.items():
            module = next(s for s in self.facts.scopes.values() if s.path == path and s.is_module)
            names.taken |= _imported(module)

    def _kept_names(self, scope: Scope) -> set[str]:
        """Names that statements bind which stay where they are."""
        kept: set[str] = set()
        for s in scope.statements:
            stays = self.bindings.of(s) not in (Binding.STEP, Binding.DROP)
            if stays or s.runs or isinstance(s.node, (cst.FunctionDef, cst.ClassDef)):
                kept |= s.defines
        if not scope.is_module:
            kept |= scope.bound - {n for s in scope.statements for n in s.defines}
        return kept


def _imported(scope: Scope) -> set[str]:
    return {
        name
        for s in scope.statements
        for name in s.defines
        if isinstance(s.node, cst.SimpleStatementLine)
        and any(isinstance(b, (cst.Import, cst.ImportFrom)) for b in s.node.body)
    }
