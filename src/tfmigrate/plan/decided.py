"""Branches that arguments decide: `if decay is not None:` with the argument in the place of its name."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

import libcst as cst

_MODULE = cst.Module([])
_UNKNOWN: Any = object()
_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "is": operator.is_,
    "is not": operator.is_not,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def decided(test: cst.BaseExpression) -> bool | None:
    """What a test over literals alone gives; None where it is over anything else."""
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        inner = decided(test.expression)
        return None if inner is None else not inner
    if isinstance(test, cst.Comparison) and len(test.comparisons) == 1:
        left, right = _literal(test.left), _literal(test.comparisons[0].comparator)
        compare = _OPERATORS.get(_MODULE.code_for_node(test.comparisons[0].operator).strip())
        if compare is None or left is _UNKNOWN or right is _UNKNOWN:
            return None
        try:
            return compare(left, right)
        except TypeError:
            return None
    value = _literal(test)
    return None if value is _UNKNOWN else bool(value)


def _literal(node: cst.BaseExpression) -> Any:
    if isinstance(node, cst.Name) and node.value not in ("None", "True", "False"):
        return _UNKNOWN
    try:
        return ast.literal_eval(_MODULE.code_for_node(node))
    except (ValueError, SyntaxError, TypeError, MemoryError):
        return _UNKNOWN


class TakenBranches(cst.CSTTransformer):
    """Keeps only the branch that is taken, where a test is decided now and was not in the source."""

    def __init__(self) -> None:
        super().__init__()
        self.elifs: set[cst.CSTNode] = set()
        self.open: set[cst.CSTNode] = set()  # tests that the source leaves open

    def visit_If(self, node: cst.If) -> None:
        if isinstance(node.orelse, cst.If):
            self.elifs.add(node.orelse)
        if decided(node.test) is None:
            self.open.add(node)

    def leave_If(self, original_node: cst.If, updated_node: cst.If) -> Any:
        taken = decided(updated_node.test) if original_node in self.open else None
        if taken is None:
            return updated_node
        if original_node in self.elifs:
            return cst.Else(updated_node.body) if taken else updated_node.orelse or cst.RemovalSentinel.REMOVE
        if taken:
            return _block(updated_node.body, updated_node)
        if isinstance(updated_node.orelse, cst.If):
            return updated_node.orelse.with_changes(leading_lines=updated_node.leading_lines)
        return (
            cst.RemovalSentinel.REMOVE
            if updated_node.orelse is None
            else _block(updated_node.orelse.body, updated_node)
        )

    def leave_IfExp(self, original_node: cst.IfExp, updated_node: cst.IfExp) -> cst.BaseExpression:
        taken = decided(updated_node.test) if decided(original_node.test) is None else None
        if taken is None:
            return updated_node
        made = updated_node.body if taken else updated_node.orelse
        simple = isinstance(made, (cst.Name, cst.Call, cst.Attribute, cst.Subscript)) or bool(made.lpar)
        return made if simple else made.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])

    def leave_IndentedBlock(
        self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock
    ) -> cst.IndentedBlock:
        return updated_node if updated_node.body else updated_node.with_changes(body=[cst.parse_statement("pass")])


def _block(body: cst.BaseSuite, around: cst.If) -> cst.FlattenSentinel[cst.BaseStatement] | cst.RemovalSentinel:
    kept: list[Any] = [s for s in body.body if not _is_pass(s)]
    if not kept:
        return cst.RemovalSentinel.REMOVE
    lines = [line for line in around.leading_lines if line.comment is not None]
    kept[0] = kept[0].with_changes(leading_lines=[*lines, *kept[0].leading_lines])
    return cst.FlattenSentinel(kept)


def _is_pass(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.SimpleStatementLine) and all(isinstance(b, cst.Pass) for b in node.body)


__all__ = ["TakenBranches", "decided"]
