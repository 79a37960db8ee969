"""The calls written in a statement."""

from __future__ import annotations

import libcst as cst


def calls_in(node: cst.CSTNode) -> list[cst.Call]:
    """Every call inside the node, outer ones first."""
    found: list[cst.Call] = []

    class Visitor(cst.CSTVisitor):
        def visit_Call(self, node: cst.Call) -> None:
            found.append(node)

    node.visit(Visitor())
    return found
