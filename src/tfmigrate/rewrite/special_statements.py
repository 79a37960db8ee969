"""Statements that become something of their own: specifications, savers, writers, pipelines, run sites; or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate import symbols
from tfmigrate.analysis.facts import Statement
from tfmigrate.analysis.values import (
    Graphlike,
    Iterator_,
    Operation,
    Placeholder,
    Saver,
    Sequence,
    Symbol,
    Value,
    Writer,
)
from tfmigrate.rewrite import iterators, sites, specs, summaries

if TYPE_CHECKING:
    from tfmigrate.rewrite.driver import DriverRewriter


def special(driver: DriverRewriter, statement: Statement) -> list[cst.BaseStatement] | None:
    """What the statement becomes; None for one that is rewritten like any other."""
    node = statement.node
    if not isinstance(node, cst.SimpleStatementLine) or len(node.body) != 1:
        return None
    small = node.body[0]
    value = statement.value
    if (
        isinstance(value, Placeholder)
        and isinstance(small, cst.Assign)
        and isinstance(small.value, cst.Call)
        and value in driver.plan.spec_names
    ):
        return specs.line(driver, value, small.value, node)
    if (
        isinstance(value, Iterator_)
        and value in driver.plan.iterators
        and driver.plan.iterators[value].statement is statement
    ):
        return iterators.function(driver, driver.plan.iterators[value], node)
    if statement in driver.plan.elements or (isinstance(small, cst.Assign) and _names_lost_module(small, value)):
        return []
    if isinstance(value, Saver) and isinstance(small, cst.Assign) and value not in statement.made:
        return []  # another name for it
    if isinstance(value, Saver) and isinstance(small, cst.Assign):
        return _led(driver.checkpoints.made(value, statement), node)
    if isinstance(value, Writer) and isinstance(small, cst.Assign) and isinstance(small.value, cst.Call):
        return summaries.writer(driver, value, small, node)
    if isinstance(small, cst.Expr) and isinstance(small.value, cst.Call):
        call = small.value
        if call in driver.facts.dropped_calls or call in driver.facts.additions:
            return []
        if (
            call in driver.facts.printed
            and statement.reads_step
            and not driver.facts.eager
            and _only_graph(driver, call)
        ):
            driver.note(
                "TFM406",
                call,
                "this prints an op of the graph itself, of which there is none any more; it is left out",
            )
            return []
        if isinstance(value, Operation) and value.kind == "no_op" and not value.step:
            return []
    if any(
        isinstance(target.target, cst.Attribute) and any(t is target.target for _, t in driver.facts.config_settings)
        for target in (small.targets if isinstance(small, cst.Assign) else ())
    ):
        return []
    if statement.runs:
        return sites.statement(driver, statement, node, small)
    return None


def _names_lost_module(small: cst.Assign, value: Value | None) -> bool:
    """Whether the line gives a name to a module that TensorFlow 2 lacks: what is taken from it is written out."""
    found = symbols.legacy(value.name) if isinstance(value, Symbol) else None
    return (
        found is not None
        and found.kind == "module"
        and not found.name.startswith(("app", "flags"))
        and symbols.target(found.name) is None
        and isinstance(small.value, cst.Attribute)
        and all(isinstance(target.target, cst.Name) for target in small.targets)
    )


def _only_graph(driver: DriverRewriter, call: cst.Call) -> bool:
    """Whether nothing but things of the graph, and constant text, is printed."""
    for argument in call.args:
        value = driver.facts.values.get(argument.value)
        if not (
            isinstance(value, (Graphlike, Sequence))
            or isinstance(argument.value, (cst.SimpleString, cst.ConcatenatedString))
        ):
            return False
    return True


def _led(made: list[cst.BaseStatement], node: cst.SimpleStatementLine) -> list[cst.BaseStatement]:
    """The statements with the leading lines of the one that they replace."""
    if made:
        made[0] = made[0].with_changes(leading_lines=node.leading_lines)
    return made
