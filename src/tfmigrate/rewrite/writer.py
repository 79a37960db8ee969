"""Carries a plan out on the files of a program: new texts, support files, findings."""

from __future__ import annotations

import libcst as cst

from tfmigrate.analysis.facts import Facts
from tfmigrate.analysis.project import Project
from tfmigrate.model import Finding, Options, Place, Severity, Strategy
from tfmigrate.plan.naming import Names
from tfmigrate.plan.planner import Planner
from tfmigrate.plan.program import Plan
from tfmigrate.plan.replication.replicas import DISTRIBUTED
from tfmigrate.rewrite import imports
from tfmigrate.rewrite.class_imports import renamed
from tfmigrate.rewrite.driver import DriverRewriter
from tfmigrate.rewrite.output import Output
from tfmigrate.rewrite.own_names import taken_back
from tfmigrate.rewrite.replica_steps import Replicas
from tfmigrate.rewrite.strategies import with_strategy


class Writer:
    """Writes the files of one program."""

    def __init__(self, project: Project, facts: Facts, planner: Planner, options: Options) -> None:
        self.project, self.facts, self.planner, self.options = project, facts, planner, options
        self.output = Output()
        self.texts: dict[str, str] = {}
        self.scoped: str | None = None  # the file whose variables stand under the strategy's scope

    @property
    def plan(self) -> Plan:
        """The plan that is carried out."""
        return self.planner.plan

    def write(self) -> None:
        """Write every file of the program."""
        for path in self._paths():
            self.texts[path] = self._file(path)

    def _paths(self) -> list[str]:
        return sorted({scope.path for scope in self.facts.scopes.values() if scope.is_module})

    def _file(self, path: str) -> str:
        module = self.project.module(path)
        tf = imports.alias(module) or "tf"
        driver = DriverRewriter(self.facts, self.plan, self.planner.bindings, self.options, self.output, path, tf)
        driver.names = self.planner.names.setdefault(path, Names(set()))
        driver.strategy_name = driver.names.fresh("strategy")
        replicas = driver.steps.replicas = Replicas(driver, driver.names, driver.strategy_name)
        visited = module.visit(driver)
        assert isinstance(visited, cst.Module)
        if (driver.marks.scoped or replicas.used) and self.options.strategy is not Strategy.NONE:
            visited = with_strategy(visited, self.options.strategy, driver.strategy_name, tf)
            self._one_file(path)
        if self.plan.builders:
            visited = taken_back(visited, self.project.text(path))
        visited = renamed(visited, path, self.project, self.plan)
        visited = imports.tidy(visited, path, self.output, tf)
        return visited.code

    def _one_file(self, path: str) -> None:
        """A program has one strategy; the default one is the same wherever it is asked for."""
        if self.options.strategy in DISTRIBUTED and self.scoped not in (None, path):
            message = f"variables are made here and in {self.scoped}: a program has one strategy"
            self.output.refusals.setdefault(Finding("TFM154", Severity.ERROR, Place(path, 1, 1), message))
        self.scoped = path
