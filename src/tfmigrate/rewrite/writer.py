"""Carries a plan out on the files of a program: new texts, support files, findings."""

from __future__ import annotations

import posixpath

import libcst as cst

from tfmigrate.analysis.facts import Facts
from tfmigrate.analysis.project import Project
from tfmigrate.model import Options, Strategy
from tfmigrate.plan.naming import Names
from tfmigrate.plan.planner import Planner
from tfmigrate.plan.program import Plan
from tfmigrate.rewrite import imports, nodes
from tfmigrate.rewrite.driver import DriverRewriter
from tfmigrate.rewrite.expressions import Output

STRATEGIES = {
    Strategy.DEFAULT: "{tf}.distribute.get_strategy()",
    Strategy.MIRRORED: "{tf}.distribute.MirroredStrategy()",
    Strategy.MULTIWORKER: "{tf}.distribute.MultiWorkerMirroredStrategy()",
}


class Writer:
    """Writes the files of one program."""

    def __init__(self, project: Project, facts: Facts, planner: Planner, options: Options) -> None:
        self.project, self.facts, self.planner, self.options = project, facts, planner, options
        self.output = Output()
        self.texts: dict[str, str] = {}

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
        visited = module.visit(driver)
        assert isinstance(visited, cst.Module)
        if driver.scoped and self.options.strategy is not Strategy.NONE:
            visited = self._strategy(visited, driver, tf)
        visited = imports.tidy(visited, path, self.output, tf)
        return visited.code

    def _strategy(self, module: cst.Module, driver: DriverRewriter, tf: str) -> cst.Module:
        line = f"{driver.strategy_name} = {STRATEGIES.get(self.options.strategy, STRATEGIES[Strategy.DEFAULT]).format(tf=tf)}\n"
        return module.visit(_BeforeFirst(line, driver.strategy_name))  # type: ignore[return-value]


class _BeforeFirst(cst.CSTTransformer):
    """Puts the strategy before the first block under its scope, in each function or module body that has one."""

    def __init__(self, line: str, name: str) -> None:
        super().__init__()
        self.line, self.name = line, name

    def leave_IndentedBlock(self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock) -> cst.IndentedBlock:
        return updated_node

    def leave_FunctionDef(self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef) -> cst.FunctionDef:
        if not isinstance(updated_node.body, cst.IndentedBlock):
            return updated_node
        body = self._insert(list(updated_node.body.body))
        return updated_node if body is None else updated_node.with_changes(body=updated_node.body.with_changes(body=body))

    def leave_Module(self, original_node: cst.Module, updated_node: cst.Module) -> cst.Module:
        body = self._insert(list(updated_node.body))
        return updated_node if body is None else updated_node.with_changes(body=body)

    def _insert(self, body: list[cst.CSTNode]) -> list[cst.CSTNode] | None:
        for index, node in enumerate(body):
            if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
                continue
            if self._holds(node):
                made = nodes.statements(self.line)[0]
                leading = list(node.leading_lines)  # type: ignore[attr-defined]
                blanks = [line for line in leading if line.comment is None][:1]
                if isinstance(node, cst.With) and _is_scope(node, self.name):
                    made = made.with_changes(leading_lines=blanks or [cst.EmptyLine(indent=False)])
                    body[index] = node.with_changes(leading_lines=[line for line in leading if line.comment is not None])
                return [*body[:index], made, *body[index:]]
        return None

    def _holds(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.With) and _is_scope(node, self.name):
            return True
        return any(self._holds(child) for child in node.children if not isinstance(child, (cst.FunctionDef, cst.ClassDef, cst.BaseExpression)))


def _is_scope(node: cst.With, name: str) -> bool:
    return nodes.code(node.items[0].item) == f"{name}.scope()"
