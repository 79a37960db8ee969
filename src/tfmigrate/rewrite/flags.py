"""`tf.app` and `tf.flags`: absl's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.rewrite import nodes

if TYPE_CHECKING:
    from tfmigrate.rewrite.expressions import ExpressionRewriter


def reference(
    rewriter: ExpressionRewriter, original: cst.BaseExpression, updated: cst.BaseExpression, symbol: str
) -> cst.BaseExpression:
    """`tf.app.flags.FLAGS`, `tf.flags`; a name that came with an import of its own stays."""
    base = original
    while isinstance(base, cst.Attribute):
        base = base.value
    if isinstance(base, cst.Name) and base not in rewriter.facts.symbols:
        return updated
    rewriter.output.add_import(rewriter.path, "from absl import flags")
    rest = symbol.split("flags", 1)[1].lstrip(".")
    return nodes.expression("flags" + (f".{rest}" if rest else ""))


def called(rewriter: ExpressionRewriter, symbol: str, updated: cst.Call) -> cst.BaseExpression:
    """`tf.app.run(…)`, `tf.app.flags.DEFINE_integer(…)`."""
    if symbol == "app.run":
        rewriter.output.add_import(rewriter.path, "from absl import app")
        if not updated.args:
            return nodes.expression("app.run(main)")
        return updated.with_changes(func=nodes.expression("app.run"))
    rewriter.output.add_import(rewriter.path, "from absl import flags")
    return updated.with_changes(func=nodes.expression("flags." + symbol.split(".")[-1]))
