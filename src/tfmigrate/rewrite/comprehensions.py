"""Comprehensions over the names of variables: their values are known when converting, and stand there as literals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.values import Host, Mapping, Sequence, Variable
from tfmigrate.rewrite import nodes

if TYPE_CHECKING:
    from tfmigrate.rewrite.expressions import ExpressionRewriter


def listed(rewriter: ExpressionRewriter, original: cst.ListComp) -> cst.BaseExpression | None:
    """A list over names of variables as a literal; None where it is no such list, or is not known."""
    literal = _literal(rewriter.facts.values.get(original)) if _reads_names(original.elt) else None
    return _filtered(rewriter, original) if literal is None else nodes.expression(literal)


def _filtered(rewriter: ExpressionRewriter, original: cst.ListComp) -> cst.BaseExpression | None:
    """`[v for v in tf.trainable_variables() if "G" in v.name]` as the list of those variables."""
    value, loop = rewriter.facts.values.get(original), original.for_in
    same = isinstance(original.elt, cst.Name) and isinstance(loop.target, cst.Name)
    if (
        not same
        or nodes.code(original.elt) != nodes.code(loop.target)
        or not any(_reads_names(c.test) for c in loop.ifs)
    ):
        return None
    if not isinstance(value, Sequence) or value.open_:
        return None
    texts = [rewriter.value_text(v) if isinstance(v, Variable) else None for v in value.items]
    return None if None in texts else nodes.expression("[" + ", ".join(t for t in texts if t) + "]")


def mapped(rewriter: ExpressionRewriter, original: cst.DictComp) -> cst.BaseExpression | None:
    """A dict by names of variables as a literal; None where it is no such dict, or is not known."""
    value = rewriter.facts.values.get(original)
    if not isinstance(value, Mapping) or not (_reads_names(original.key) or _reads_names(original.value)):
        return None
    parts = []
    for entry in value.entries:
        key = _literal(entry.key)
        text = _literal(entry.value) or rewriter.value_text(entry.value)
        if key is None or text is None:
            return None
        parts.append(f"{key}: {text}")
    return nodes.expression("{" + ", ".join(parts) + "}")


def _reads_names(node: cst.BaseExpression) -> bool:
    return ".name" in nodes.code(node)


def _literal(value: object) -> str | None:
    """The value's text, where it is known and made of plain values only."""
    if isinstance(value, Host) and value.known and isinstance(value.literal, (str, int, float, bool, type(None))):
        return (
            repr(value.literal).replace("'", '"')
            if isinstance(value.literal, str) and '"' not in value.literal
            else repr(value.literal)
        )
    if isinstance(value, Sequence) and not value.open_:
        parts = [_literal(i) for i in value.items]
        if any(p is None for p in parts):
            return None
        inside = ", ".join(p for p in parts if p)
        return f"({inside}{',' if len(parts) == 1 else ''})" if value.tuple_ else f"[{inside}]"
    return None
