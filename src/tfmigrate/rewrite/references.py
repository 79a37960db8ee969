"""Names and attributes that denote a TensorFlow symbol, without a call."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.values import Function, Module, Symbol
from tfmigrate.rewrite import flags
from tfmigrate.rules import engine
from tfmigrate.rules.base import Refused

if TYPE_CHECKING:
    from tfmigrate.rewrite.expressions import ExpressionRewriter

READERS = ("examples.", "contrib.learn.python.learn.datasets.")  # the MNIST reader, now a module beside the program
PARTS = frozenset(
    {
        "contrib",
        "layers",
        "nn",
        "train",
        "summary",
        "app",
        "logging",
        "contrib.layers",
        "contrib.slim",
        "GraphKeys",
        "contrib.seq2seq",
    }
)  # modules and classes of which members are meant


def reference(
    rewriter: ExpressionRewriter, original: cst.BaseExpression, updated: cst.BaseExpression
) -> cst.BaseExpression:
    """The reference by the rules; what is no symbol of TensorFlow stays."""
    symbol = rewriter.facts.symbols.get(original)
    if not symbol or symbol.startswith("builtins.") or original in rewriter.skip:
        return updated
    if isinstance(rewriter.facts.values.get(original), (Module, Function)) or not isinstance(
        rewriter.facts.values.get(original), Symbol
    ):
        return updated
    if symbol.startswith(("app.flags", "flags")) and isinstance(original, (cst.Name, cst.Attribute)):
        return flags.reference(rewriter, original, updated, symbol)
    if symbol.startswith(READERS):
        return updated
    if symbol in PARTS:
        return updated
    result = engine.reference(symbol, rewriter.context)
    if isinstance(result, Refused):
        rewriter.refuse(result.code, original, result.message)
        return updated
    rewriter.take(result, original)
    return result.expression
