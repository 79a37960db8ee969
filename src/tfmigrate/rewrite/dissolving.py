"""With statements that dissolve (a session, a graph, a name scope): their statements stand in the block around."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.values import Context, Graphlike
from tfmigrate.rewrite import settings
from tfmigrate.rewrite.blocks import is_pass

if TYPE_CHECKING:
    from tfmigrate.rewrite.driver import DriverRewriter


def goes(driver: DriverRewriter, item: cst.WithItem) -> bool:
    """Whether what the item enters is of the graph only."""
    value = driver.facts.values.get(item.item)
    return isinstance(value, (Graphlike, Context))


def dissolved(driver: DriverRewriter, original: cst.With, result: cst.With) -> list[cst.BaseStatement]:
    """The statements of the block; the `with` stays around them for what else it enters."""
    kept = [item for item, before in zip(result.items, original.items, strict=True) if not goes(driver, before)]
    before: list[cst.BaseStatement] = []
    for item in original.items:
        before.extend(settings.inside(driver, item))
    if kept:
        kept[-1] = kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
        return [*before, result.with_changes(items=kept)]
    inner = list(result.body.body)
    body: list[cst.BaseStatement] = [b for b in inner if isinstance(b, cst.BaseStatement) and not is_pass(b)]
    if not isinstance(result.body, cst.IndentedBlock):
        body = [cst.SimpleStatementLine([s for s in inner if isinstance(s, cst.BaseSmallStatement)])]
    comments = [line for line in original.leading_lines if line.comment is not None]
    if body and (comments or original.leading_lines):
        own = list(body[0].leading_lines)  # type: ignore[attr-defined]
        while own and own[0].comment is None:
            own.pop(0)
        body[0] = driver.marks.relined(body[0], [*original.leading_lines, *own])
    last = [line for line in getattr(result.body, "footer", ()) if line.comment is not None]
    return [*before, *body, *([driver.marks.comments(last)] if last else [])]
