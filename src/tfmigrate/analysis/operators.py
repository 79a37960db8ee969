"""Operators, comparisons and conditional expressions."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis import dimensions
from tfmigrate.analysis.folding import compare, fold, identical, plain
from tfmigrate.analysis.frames import join
from tfmigrate.analysis.values import (
    MISSING,
    Function,
    Graphlike,
    Host,
    Instance,
    Sequence,
    Symbol,
    Value,
    is_graph,
    is_step,
)
from tfmigrate.rules.expressions import code

if TYPE_CHECKING:
    from tfmigrate.analysis.expressions import Expressions


def unary(interp: Expressions, node: cst.UnaryOperation) -> Value:
    """`-x`, `not x` …"""
    value = interp.eval(node.expression)
    if isinstance(value, Host) and value.known:
        try:
            return Host(ast.literal_eval(f"{code(node.operator).strip()} {value.literal!r}"))
        except (ValueError, SyntaxError, TypeError):
            return Host(not value.literal) if isinstance(node.operator, cst.Not) else Host()
    return interp.tensor([value], node)


def binary(interp: Expressions, node: cst.BinaryOperation) -> Value:
    """`x + y` …, of numbers, lists, text to format, tensors."""
    left, right = interp.eval(node.left), interp.eval(node.right)
    if isinstance(left, Host) and isinstance(right, Host) and left.known and right.known:
        return Host(fold(node.operator, left.literal, right.literal))
    if isinstance(left, Sequence) and isinstance(right, Sequence) and isinstance(node.operator, cst.Add):
        return Sequence([*left.items, *right.items], left.tuple_, left.open_ or right.open_)
    if isinstance(left, Sequence) and isinstance(right, Host) and isinstance(node.operator, cst.Multiply):
        if isinstance(right.literal, int) and right.literal < 64:
            return Sequence(left.items * right.literal, left.tuple_)
        return Sequence(left.items, left.tuple_, open_=True)
    if isinstance(node.operator, cst.Modulo) and isinstance(left, Host) and isinstance(left.literal, str):
        known = plain(right)
        if known is not MISSING:
            try:
                return Host(left.literal % known)
            except (TypeError, ValueError):
                return Host()
        if not is_graph(right) or _raised(interp):
            return Host()
    return dimensions.broadcast(interp.tensor([left, right], node), left, right)


def _raised(interp: Expressions) -> bool:
    """Whether this stands in a `raise`: what is formatted there is text for whoever reads it."""
    line = interp.statement.node
    return isinstance(line, cst.SimpleStatementLine) and isinstance(line.body[0], cst.Raise)


def comparison(interp: Expressions, node: cst.Comparison) -> Value:
    """`x == y`, `x is None`, `a < b < c` …"""
    values = [interp.eval(node.left), *(interp.eval(target.comparator) for target in node.comparisons)]
    if len(node.comparisons) == 1:
        known = _single(interp, node, values)
        if known is not None:
            return known
    return interp.tensor(values, node) if any(is_graph(v) for v in values) else Host()


def _single(interp: Expressions, node: cst.Comparison, values: list[Value]) -> Host | None:
    """The comparison of two values; None where a tensor may come out."""
    operator, (left, right) = node.comparisons[0].operator, values
    if isinstance(operator, (cst.Is, cst.IsNot)):
        same = identical(left, right)
        return Host(MISSING if same is None else same is isinstance(operator, cst.Is))
    if isinstance(left, Host) and isinstance(right, Host) and left.known and right.known:
        return Host(compare(operator, left.literal, right.literal))
    if isinstance(operator, (cst.Equal, cst.NotEqual)):
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Host) and one.literal is None:
                if isinstance(other, (Graphlike, Function, Sequence, Instance, Symbol)):
                    return Host(isinstance(operator, cst.NotEqual))
                break
        if any(is_step(v) for v in values):
            interp.refuse("TFM114", node, "tensors are compared with == or !=, which TensorFlow 1 decides by identity")
        return Host()
    return Host() if isinstance(operator, (cst.In, cst.NotIn)) else None


def boolean(interp: Expressions, node: cst.BooleanOperation) -> Value:
    """`x and y`, `x or y`."""
    left, right = interp.eval(node.left), interp.eval(node.right)
    if isinstance(left, Host) and left.known:
        decides = bool(left.literal) is isinstance(node.operator, cst.Or)
        return left if decides else right
    if is_graph(left) or is_graph(right):
        return join(left, right)
    return Host()


def conditional(interp: Expressions, node: cst.IfExp) -> Value:
    """`x if test else y`."""
    test = interp.eval(node.test)
    if isinstance(test, Host) and test.known and not isinstance(node.test, cst.Name):
        return interp.eval(node.body if test.literal else node.orelse)
    return join(interp.eval(node.body), interp.eval(node.orelse))
