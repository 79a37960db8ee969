"""Python 2 floors the quotient of two integers: which divisions of a text are such ones."""

from __future__ import annotations

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from tfmigrate.source.kinds import Bindings, Kind, Kinds, dotted


def divided(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The text of a Python 2 program with `//` where integers are divided, and the places (line, column, from 1) of
    the divisions of which the operands' types are not known.

    `int(a / b)` needs no knowledge: both kinds of division are cut off there, alike for what is not negative.
    Raises libcst.ParserSyntaxError.
    """
    module = cst.parse_module(text)
    imports = [s for s in module.body if isinstance(s, cst.SimpleStatementLine)]
    if any(_true_division(part) for line in imports for part in line.body):
        return text, []
    wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
    kinds = Kinds()
    module.visit(Bindings(kinds))
    kinds.settle()
    floors = _Floors(kinds)
    module.visit(floors)
    changed = module.visit(_Floored(floors.floored))
    assert isinstance(changed, cst.Module)
    positions = wrapper.resolve(PositionProvider) if floors.unknown else {}
    places = [(positions[node].start.line, positions[node].start.column + 1) for node in floors.unknown]
    return changed.code, sorted(places)


def _true_division(node: cst.CSTNode) -> bool:
    return (
        isinstance(node, cst.ImportFrom)
        and node.module is not None
        and dotted(node.module) == "__future__"
        and not isinstance(node.names, cst.ImportStar)
        and any(alias.name.value == "division" for alias in node.names)
    )


class _Floors(cst.CSTVisitor):
    """Sorts the divisions: those of integers, and those of which nothing is known."""

    def __init__(self, kinds: Kinds) -> None:
        self._kinds = kinds
        self.floored: set[cst.CSTNode] = set()
        self.unknown: list[cst.CSTNode] = []
        self._cut: set[cst.CSTNode] = set()  # divisions whose quotient is made an integer at once
        self._counted: set[cst.CSTNode] = set()  # divisions that must be integers, where Python 3 takes no other

    def visit_Call(self, node: cst.Call) -> None:
        if dotted(node.func) in ("int", "range") and node.args:
            found = self._cut if dotted(node.func) == "int" else self._counted
            found.update(arg.value for arg in node.args)

    def visit_Subscript(self, node: cst.Subscript) -> None:
        for element in node.slice:
            if isinstance(element.slice, cst.Slice):
                bounds = (element.slice.lower, element.slice.upper, element.slice.step)
                self._counted.update(bound for bound in bounds if bound is not None)

    def visit_BinaryOperation(self, node: cst.BinaryOperation) -> None:
        if isinstance(node.operator, cst.Divide):
            self._judge(node, self._kinds.of(node.left), self._kinds.of(node.right))

    def visit_AugAssign(self, node: cst.AugAssign) -> None:
        if isinstance(node.operator, cst.DivideAssign):
            self._judge(node, self._kinds.of(node.target), self._kinds.of(node.value))

    def _judge(self, node: cst.CSTNode, left: Kind, right: Kind) -> None:
        if left is Kind.INT and right is Kind.INT:
            self.floored.add(node)
        elif Kind.FLOAT in (left, right) or node in self._cut:
            return
        elif node in self._counted:
            self.floored.add(node)
        else:
            self.unknown.append(node)


class _Floored(cst.CSTTransformer):
    """Writes `//` in the divisions given, with the spaces of the source."""

    def __init__(self, nodes: set[cst.CSTNode]) -> None:
        self._nodes = nodes

    def leave_BinaryOperation(
        self, original_node: cst.BinaryOperation, updated_node: cst.BinaryOperation
    ) -> cst.BaseExpression:
        old = updated_node.operator
        if original_node not in self._nodes or not isinstance(old, cst.Divide):
            return updated_node
        return updated_node.with_changes(operator=cst.FloorDivide(old.whitespace_before, old.whitespace_after))

    def leave_AugAssign(self, original_node: cst.AugAssign, updated_node: cst.AugAssign) -> cst.BaseSmallStatement:
        old = updated_node.operator
        if original_node not in self._nodes or not isinstance(old, cst.DivideAssign):
            return updated_node
        return updated_node.with_changes(operator=cst.FloorDivideAssign(old.whitespace_before, old.whitespace_after))
