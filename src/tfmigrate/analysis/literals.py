"""Numbers and strings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.values import Host, Value

if TYPE_CHECKING:
    from tfmigrate.analysis.expressions import Expressions


def number(interp: Expressions, node: cst.Integer | cst.Float) -> Value:
    """An integer or a float."""
    return Host(node.evaluated_value)


def string(interp: Expressions, node: cst.SimpleString) -> Value:
    """A string; one that names a .meta file is remembered."""
    if isinstance(node.evaluated_value, str) and node.evaluated_value.endswith(".meta"):
        interp.facts.meta_reads.append(node)
    return Host(node.evaluated_value)


def concatenated(interp: Expressions, node: cst.ConcatenatedString) -> Value:
    """Adjacent strings."""
    value = node.evaluated_value
    if value is None:
        interp.eval_children(node)
        return Host()
    return Host(value)


def formatted(interp: Expressions, node: cst.FormattedString) -> Value:
    """An f-string: its text is not followed."""
    interp.eval_children(node)
    return Host()
