"""Where names stand for values in code: not where they are attributes or keywords of a call."""

from __future__ import annotations

import libcst as cst


class NamePlaces(cst.CSTVisitor):
    """Collects the names of the code."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[cst.Name] = []

    def visit_Name(self, node: cst.Name) -> None:
        self.found.append(node)

    def visit_Attribute(self, node: cst.Attribute) -> bool:
        node.value.visit(self)
        return False

    def visit_Arg(self, node: cst.Arg) -> bool:
        node.value.visit(self)
        return False


def names_in(node: cst.CSTNode) -> set[str]:
    """The names that code reads or binds."""
    places = NamePlaces()
    node.visit(places)
    return {place.value for place in places.found}


def places_of(node: cst.CSTNode, name: str) -> list[cst.Name]:
    """Where the name stands in the code."""
    places = NamePlaces()
    node.visit(places)
    return [place for place in places.found if place.value == name]
