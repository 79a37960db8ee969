"""A function's one return, where it ends the body or the `with` blocks that end it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import libcst as cst


def ends_with_return(body: cst.BaseSuite) -> bool:
    """Whether the last statement, or the last one of the `with` that is the last one, returns."""
    if not body.body:
        return False
    last = body.body[-1]
    if isinstance(last, cst.With):
        return ends_with_return(last.body)
    return isinstance(last, cst.SimpleStatementLine) and isinstance(last.body[0], cst.Return)


def without_return(block: cst.With, name: Callable[[], str]) -> tuple[cst.With | None, cst.BaseExpression | None]:
    """The `with` without the return that ends it (None where nothing is left), and what is returned.

    Anything but a name is bound to the name that `name` gives, inside the block.
    """
    last = block.body.body[-1]
    kept: list[Any] = list(block.body.body[:-1])
    result: cst.BaseExpression | None = None
    if isinstance(last, cst.With):
        inner, result = without_return(last, name)
        kept += [] if inner is None else [inner]
    elif isinstance(last, cst.SimpleStatementLine) and isinstance(last.body[0], cst.Return):
        result = last.body[0].value
        if result is not None and not isinstance(result, cst.Name):
            bound = name()
            kept.append(last.with_changes(body=[cst.Assign([cst.AssignTarget(cst.Name(bound))], result)]))
            result = cst.Name(bound)
    else:
        return block, None
    if not kept:
        return None, result
    return block.with_changes(body=block.body.with_changes(body=kept)), result


__all__ = ["ends_with_return", "without_return"]
