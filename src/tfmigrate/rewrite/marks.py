"""What the statements written for a file are: under the strategy's scope, specifications, or definitions."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst


class Marks:
    """Marks written statements by identity; marked nodes are kept alive, so that no other gets the identity of one."""

    def __init__(self) -> None:
        self.scoped: set[int] = set()
        self.specs: set[int] = set()
        self.definitions: set[int] = set()
        self.remarks: set[int] = set()  # statements that only carry comments to what follows them
        self._kept: list[cst.CSTNode] = []

    def scope(self, node: cst.CSTNode) -> None:
        """The statement makes variables: it stands under the strategy's scope."""
        self._mark(node, self.scoped)

    def spec(self, node: cst.CSTNode) -> None:
        """The statement is a placeholder's specification."""
        self._mark(node, self.specs)

    def define(self, node: cst.CSTNode) -> None:
        """The statement belongs to the definitions that are new in the file."""
        self._mark(node, self.definitions)

    def comments(self, lines: Sequence[cst.EmptyLine]) -> cst.BaseStatement:
        """A statement that stands for comments alone, until it is known what follows them."""
        made = cst.SimpleStatementLine([cst.Expr(cst.Ellipsis())], leading_lines=lines)
        self._mark(made, self.remarks)
        return made

    def relined(self, node: cst.BaseStatement, lines: Sequence[cst.EmptyLine]) -> cst.BaseStatement:
        """The statement with other leading lines, and still known for what it is."""
        made = node.with_changes(leading_lines=lines)
        for marked in (self.scoped, self.specs, self.definitions, self.remarks):
            if id(node) in marked:
                self._mark(made, marked)
        return made

    def _mark(self, node: cst.CSTNode, marked: set[int]) -> None:
        marked.add(id(node))
        self._kept.append(node)
