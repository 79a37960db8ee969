"""Rewrites an expression bottom-up through the rules, as the conversion does with each of a program's calls."""

from __future__ import annotations

import re

import libcst as cst

from tfmigrate.rules import engine
from tfmigrate.rules.base import Context, Refused, Rewritten
from tfmigrate.rules.expressions import code


class RefusedError(Exception):
    """A rule refused; the text tells the code and why."""


class _Rewriter(cst.CSTTransformer):
    def __init__(self, context: Context) -> None:
        self.context = context
        self.support: list[str] = []
        self.imports: list[str] = []
        self.functions: set[int] = set()

    def visit_Call(self, node: cst.Call) -> None:
        self.functions.add(id(node.func))

    def visit_Attribute(self, node: cst.Attribute) -> bool:
        return re.fullmatch(r"tf(\.\w+)+", code(node)) is None

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:
        text = code(original_node)
        if id(original_node) in self.functions or not re.fullmatch(r"tf(\.\w+)+", text):
            return updated_node
        return self.taken(engine.reference(text[3:], self.context))

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        text = code(original_node.func)
        if not re.fullmatch(r"tf(\.\w+)+", text):
            return updated_node
        result = engine.apply(text[3:], updated_node, self.context)
        if not isinstance(result, (Rewritten, Refused)):
            raise RefusedError(f"{text} makes variables or is an optimizer")
        return self.taken(result)

    def taken(self, result: Rewritten | Refused) -> cst.BaseExpression:
        if isinstance(result, Refused):
            raise RefusedError(f"{result.code}: {result.message}")
        self.support += result.support
        self.imports += result.imports
        return result.expression


def rewrite(text: str, context: Context | None = None) -> tuple[str, list[str], list[str]]:
    """The new text, the support files it needs, and its import statements."""
    rewriter = _Rewriter(context or Context())
    node = cst.parse_expression(text).visit(rewriter)
    assert isinstance(node, cst.BaseExpression)
    return code(node), rewriter.support, rewriter.imports
