"""What a run site becomes: a call of its step function, a value read, an assignment, a save, a restore, or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.facts import Run, Statement
from tfmigrate.analysis.values import Host
from tfmigrate.model import SiteKind
from tfmigrate.rewrite import iterators, nodes, summaries
from tfmigrate.rewrite.driver_expressions import DriverExpressions
from tfmigrate.rewrite.host_values import read, unpacked, values
from tfmigrate.rewrite.reinitializing import reinitialized
from tfmigrate.rewrite.step_calls import call

if TYPE_CHECKING:
    from tfmigrate.rewrite.driver import DriverRewriter


def statement(
    driver: DriverRewriter, found: Statement, line: cst.SimpleStatementLine, small: cst.BaseSmallStatement
) -> list[cst.BaseStatement] | None:
    """A statement that is little more than a run site; None where the site stands inside a larger expression."""
    if isinstance(small, cst.Expr) and isinstance(small.value, cst.Call) and small.value in driver.facts.runs:
        return _alone(driver, found, line, driver.facts.runs[small.value])
    if (
        isinstance(small, cst.Assign)
        and len(small.targets) == 1
        and isinstance(small.value, cst.Call)
        and small.value in driver.facts.runs
    ):
        run = driver.facts.runs[small.value]
        if run.kind is SiteKind.CALL and isinstance(small.targets[0].target, (cst.Tuple, cst.List)):
            return unpacked(driver, found, line, small, run)
    if isinstance(found.value, Host):
        made = driver.checkpoints.inline(found)
        if made:
            visited = line.visit(DriverExpressions(driver))
            return [*made, visited]  # type: ignore[list-item]
    return None


def _alone(
    driver: DriverRewriter, found: Statement, line: cst.SimpleStatementLine, run: Run
) -> list[cst.BaseStatement] | None:
    if run.kind is SiteKind.INITIALIZER:
        return []
    made: list[cst.BaseStatement] = []
    if run.kind is SiteKind.REINITIALIZER:
        made = reinitialized(driver, run)
    elif run.kind is SiteKind.CALL:
        made = [nodes.expr(call(driver, run))]
    elif run.kind is SiteKind.ASSIGN and run.fetch is not None:
        for leaf in run.fetch.leaves():
            assert leaf.node is not None
            made.append(nodes.expr(driver.visited(leaf.node)))
    elif run.kind is SiteKind.ITERATOR:
        made = iterators.initialized(driver, run)
    elif run.kind is SiteKind.READ:
        return []
    else:
        made = [*driver.checkpoints.inline(found), nodes.expr(expression(driver, run.call))]
    if made:
        made[0] = made[0].with_changes(leading_lines=line.leading_lines)
        if len(made) == 1:
            made[0] = made[0].with_changes(trailing_whitespace=line.trailing_whitespace)
    return made


def expression(driver: DriverRewriter, node: cst.Call) -> cst.BaseExpression:
    """The run site inside an expression: host values, in the structure of the fetches."""
    run = driver.facts.runs[node]
    if run.kind in (SiteKind.INITIALIZER, SiteKind.REINITIALIZER, SiteKind.ITERATOR):
        if run.kind is not SiteKind.INITIALIZER:
            reinitialized(driver, run)
        return cst.Name("None")
    if run.kind is SiteKind.SAVE:
        return driver.checkpoints.save(run)
    if run.kind is SiteKind.RESTORE:
        return driver.checkpoints.restore(run)
    if run.kind is SiteKind.SUMMARY:
        return summaries.added(driver, run)
    if run.kind is SiteKind.ASSIGN and run.fetch is None:
        assert isinstance(node.func, cst.Attribute)
        return nodes.method(driver.visited(node.func.value), "assign", driver.visited(run.extra["value"]))
    assert run.fetch is not None
    if run.kind in (SiteKind.READ, SiteKind.ASSIGN):
        return read(driver, run.fetch)
    return values(driver, run)
