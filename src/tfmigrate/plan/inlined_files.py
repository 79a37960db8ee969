"""What inlining changes in a file: statements stand for calls, functions and the imports of them are gone."""

from __future__ import annotations

import libcst as cst

from tfmigrate.analysis.project import Project

_Changed = cst.BaseStatement | cst.FlattenSentinel[cst.BaseStatement] | cst.RemovalSentinel


class ReplaceStatements(cst.CSTTransformer):
    """Puts statements in the place of others, and drops functions."""

    def __init__(self, replacements: dict[cst.CSTNode, list[cst.BaseStatement]], gone: set[cst.FunctionDef]) -> None:
        super().__init__()
        self.replacements, self.gone = replacements, gone

    def visit_SimpleStatementLine(self, node: cst.SimpleStatementLine) -> bool:
        return False

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> _Changed:
        if original_node in self.replacements:
            made = self.replacements[original_node]
            return cst.FlattenSentinel(made) if made else cst.RemovalSentinel.REMOVE
        return original_node

    def leave_FunctionDef(self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef) -> _Changed:
        return cst.RemovalSentinel.REMOVE if original_node in self.gone else updated_node


class DropImports(cst.CSTTransformer):
    """Drops imports of functions that are gone."""

    def __init__(self, gone: set[str], path: str, project: Project, sources: set[str]) -> None:
        super().__init__()
        self.gone, self.path, self.project, self.sources = gone, path, project, sources

    def leave_ImportFrom(
        self, original_node: cst.ImportFrom, updated_node: cst.ImportFrom
    ) -> cst.BaseSmallStatement | cst.RemovalSentinel:
        if isinstance(updated_node.names, cst.ImportStar):
            return updated_node
        module = cst.Module([]).code_for_node(updated_node.module) if updated_node.module is not None else ""
        if self.project.find(self.path, module, len(updated_node.relative)) not in self.sources:
            return updated_node
        kept = [a for a in updated_node.names if not (isinstance(a.name, cst.Name) and a.name.value in self.gone)]
        if len(kept) == len(updated_node.names):
            return updated_node
        if not kept:
            return cst.RemovalSentinel.REMOVE
        kept[-1] = kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
        return updated_node.with_changes(names=kept)


def imported_names(module: cst.Module) -> set[str]:
    """The names that the file's imports take from modules."""
    found: set[str] = set()

    class Visitor(cst.CSTVisitor):
        def visit_ImportAlias(self, node: cst.ImportAlias) -> None:
            if isinstance(node.name, cst.Name):
                found.add(node.name.value)

        def visit_Call(self, node: cst.Call) -> bool:
            return False

    module.visit(Visitor())
    return found
