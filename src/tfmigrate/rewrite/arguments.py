"""Arguments of calls that are written: by keyword, and the last one without a comma."""

from __future__ import annotations

import libcst as cst


def keyword(name: str, value: cst.BaseExpression, like: cst.Arg | None = None) -> cst.Arg:
    """`name=value`, laid out as the argument `like` where there is one."""
    tight = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    if like is not None:
        return like.with_changes(keyword=cst.Name(name), value=value, equal=tight)
    return cst.Arg(value, keyword=cst.Name(name), equal=tight)


def ended(arguments: list[cst.Arg]) -> list[cst.Arg]:
    """The arguments, with no comma after the last one."""
    if arguments:
        arguments[-1] = arguments[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
    return arguments
