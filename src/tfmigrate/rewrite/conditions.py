"""Conditions (`if`, `elif`) around what moved or is gone."""

from __future__ import annotations

import libcst as cst

from tfmigrate.analysis.facts import Facts, Statement
from tfmigrate.rewrite import nodes
from tfmigrate.rewrite.blocks import is_pass


def left(original: cst.If, updated: cst.If, facts: Facts) -> cst.If | None:
    """The condition without an emptied `else`; None where nothing is left to do and asking has no effect of its own."""
    orelse, before = updated.orelse, original.orelse
    if isinstance(orelse, cst.Else) and isinstance(before, cst.Else) and _emptied(before.body, orelse.body):
        updated = updated.with_changes(orelse=None)
    quiet = "(" not in nodes.code(updated.test)
    if updated.orelse is None and _emptied(original.body, updated.body) and quiet and not is_elif(original, facts):
        return None
    return updated


def _emptied(before: cst.BaseSuite, after: cst.BaseSuite) -> bool:
    return all(is_pass(s) for s in after.body) and not all(is_pass(s) for s in before.body)


def chain_head(statement: Statement, facts: Facts) -> Statement:
    """The `if` of an `elif`: nothing can stand right before or after an `elif`."""
    while statement.parent is not None and isinstance(statement.node, cst.If) and is_elif(statement.node, facts):
        statement = statement.parent
    return statement


def is_elif(node: cst.If, facts: Facts) -> bool:
    """Whether the condition is an `elif`."""
    statement = facts.statements.get(node)
    parent = statement.parent if statement is not None else None
    return parent is not None and isinstance(parent.node, cst.If) and parent.node.orelse is node
