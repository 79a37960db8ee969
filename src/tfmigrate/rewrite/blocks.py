"""Blocks of the file as they are written: variables under the strategy, blank lines, and never empty."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.model import Strategy
from tfmigrate.rewrite import layout, nodes

if TYPE_CHECKING:
    from tfmigrate.rewrite.driver import DriverRewriter


def grouped(
    driver: DriverRewriter, original: cst.IndentedBlock | cst.Module, node: cst.IndentedBlock | cst.Module
) -> cst.IndentedBlock | cst.Module:
    """The block with its new statements laid out; the same node where nothing changed."""
    body, footer = _with_comments(driver, list(node.body))
    if footer:
        node = node.with_changes(footer=[*footer, *node.footer])
    if driver.options.strategy is not Strategy.NONE:
        body = layout.gathered(
            body,
            lambda s: id(s) in driver.marks.scoped,
            lambda s: id(s) in driver.marks.specs,
            lambda group: _scope(driver, group),
        )
    if len(body) != len(original.body) or any(a is not b for a, b in zip(body, original.body, strict=True)):
        apart = layout.apart(original.body)
        close = isinstance(original, cst.IndentedBlock) and not original.body[0].leading_lines  # type: ignore[attr-defined]
        body = layout.spaced(
            body, lambda s: id(s) in driver.marks.definitions, isinstance(node, cst.Module), apart, close
        )
    if not body and isinstance(node, cst.IndentedBlock):
        return node.with_changes(body=[nodes.statements("pass\n")[0]])
    same = len(body) == len(node.body) and all(a is b for a, b in zip(body, node.body, strict=True))
    return node if same else node.with_changes(body=body)


def _with_comments(
    driver: DriverRewriter, body: list[cst.BaseStatement]
) -> tuple[list[cst.BaseStatement], list[cst.EmptyLine]]:
    """The block with the last comments of dissolved ones before what follows them; and those that nothing follows."""
    made: list[cst.BaseStatement] = []
    waiting: list[cst.EmptyLine] = []
    for statement in body:
        if id(statement) in driver.marks.remarks:
            waiting.extend(statement.leading_lines)  # type: ignore[attr-defined]
        elif waiting:
            lines = [*waiting, *statement.leading_lines]  # type: ignore[attr-defined]
            made.append(driver.marks.relined(statement, lines))
            waiting = []
        else:
            made.append(statement)
    return made, waiting


def _scope(driver: DriverRewriter, group: list[cst.BaseStatement]) -> cst.BaseStatement:
    """Statements under the strategy's scope."""
    first = group[0]
    leading = list(first.leading_lines)  # type: ignore[attr-defined]
    blanks = [line for line in leading if line.comment is None][:1]
    inner = [line for line in leading if line.comment is not None]
    group[0] = first.with_changes(leading_lines=inner)
    group[1:] = [g.with_changes(leading_lines=_squeezed(g)) for g in group[1:]]
    return nodes.block(f"with {driver.strategy_name}.scope():", group).with_changes(leading_lines=blanks)


def _squeezed(node: cst.CSTNode) -> list[cst.EmptyLine]:
    """Leading lines with at most one blank line in a row."""
    found: list[cst.EmptyLine] = []
    for line in node.leading_lines:  # type: ignore[attr-defined]
        if line.comment is None and (not found or found[-1].comment is None):
            continue
        found.append(line)
    return found


def is_pass(node: cst.CSTNode) -> bool:
    """Whether the statement is `pass`."""
    return isinstance(node, cst.SimpleStatementLine) and len(node.body) == 1 and isinstance(node.body[0], cst.Pass)
