"""Imports by name of functions that became classes: `from ops import linear` becomes `from ops import Linear`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.rewrite import nodes

if TYPE_CHECKING:
    from tfmigrate.analysis.project import Project
    from tfmigrate.plan.program import Plan


def renamed(module: cst.Module, path: str, project: Project, plan: Plan) -> cst.Module:
    """The module with the classes' names in its imports; names that it gives them itself stay."""
    classes = {(layer.path, layer.node.name.value): layer.name for layer in plan.layers.values()}
    if not any(layer.path != path for layer in plan.layers.values()):
        return module
    visited = module.visit(_Renaming(path, project, classes))
    assert isinstance(visited, cst.Module)
    return visited


class _Renaming(cst.CSTTransformer):
    def __init__(self, path: str, project: Project, classes: dict[tuple[str, str], str]) -> None:
        super().__init__()
        self.path, self.project, self.classes = path, project, classes

    def leave_ImportFrom(
        self, original_node: cst.ImportFrom, updated_node: cst.ImportFrom
    ) -> cst.BaseSmallStatement | cst.RemovalSentinel:
        if isinstance(updated_node.names, cst.ImportStar):
            return updated_node
        dotted = nodes.code(updated_node.module) if updated_node.module is not None else ""
        file = self.project.find(self.path, dotted, len(updated_node.relative))
        if file is None:
            return updated_node
        names = [
            item.with_changes(name=cst.Name(self.classes[file, item.name.value]))
            if isinstance(item.name, cst.Name) and (file, item.name.value) in self.classes
            else item
            for item in updated_node.names
        ]
        return updated_node.with_changes(names=names)
