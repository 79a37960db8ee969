"""Iterators that are initialised while the program runs: their pipelines as functions, called each time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.facts import Run
from tfmigrate.analysis.values import Graphlike
from tfmigrate.plan.program import IteratorPlan
from tfmigrate.rewrite import nodes
from tfmigrate.rewrite.step_calls import dictionary, with_feeds

if TYPE_CHECKING:
    from tfmigrate.rewrite.driver import DriverRewriter


def function(driver: DriverRewriter, plan: IteratorPlan, node: cst.SimpleStatementLine) -> list[cst.BaseStatement]:
    """The pipeline of an iterator that is initialised while the program runs, as a function: built anew each time,
    as TensorFlow 1 did.
    """
    small = node.body[0]
    assert isinstance(small, cst.Assign)
    assert isinstance(small.value, cst.Call)
    assert isinstance(small.value.func, cst.Attribute)
    body: list[cst.BaseStatement] = []
    tf = driver.context.tf
    for parameter in plan.parameters:
        if parameter.dtype is not None and parameter.name:
            dtype = driver.plan.spec_names[parameter] + ".dtype"
            body.append(nodes.statements(f"{parameter.name} = {tf}.convert_to_tensor({parameter.name}, {dtype})\n")[0])
    for statement in plan.pipeline:
        visited = statement.node.visit(driver.step_rewriter())
        assert isinstance(visited, (cst.SimpleStatementLine, cst.BaseCompoundStatement))
        comments = [line for line in statement.node.leading_lines if line.comment is not None]
        body.append(visited.with_changes(leading_lines=comments))
    dataset = small.value.func.value.visit(driver.step_rewriter())
    body.append(cst.SimpleStatementLine([cst.Return(dataset)]))  # type: ignore[arg-type]
    blank = 2 if plan.statement.scope.is_module else 1
    return [nodes.function(plan.function, [p.name or "value" for p in plan.parameters], body, blank=blank)]


def initialized(driver: DriverRewriter, run: Run) -> list[cst.BaseStatement]:
    """`sess.run(iterator.initializer, feed_dict=…)`: the iterator is made anew from what is fed."""
    made: list[cst.BaseStatement] = []
    for leaf in run.fetch.leaves() if run.fetch is not None else ():
        plan = driver.plan.iterators.get(getattr(leaf.value, "iterator", None))  # type: ignore[arg-type]
        if plan is None:
            driver.refuse("TFM127", run.call, "an iterator is initialised that is not known to be one")
            continue
        arguments_: list[cst.BaseExpression] = []
        keys: list[Graphlike] = [*plan.parameters]
        for parameter in plan.parameters:
            feed = next((f for f in run.feeds if f.key is parameter), None)
            if feed is not None and feed.node is not None and feed.inline:
                arguments_.append(driver.visited(feed.node))
            elif feed is not None and run.feed_node is not None:
                key = driver.plan.spec_names[parameter]
                arguments_.append(nodes.expression(f"{dictionary(driver, run, keys)}[{key}]"))
            elif parameter.default is not None:
                arguments_.append(driver.visited(parameter.default))
            else:
                driver.refuse("TFM107", run.call, f"{parameter.name} is not fed here")
        dataset = with_feeds(driver, run, nodes.call(plan.function, *arguments_), keys)
        made.append(nodes.assign(plan.name, nodes.call("iter", dataset)))
    return made
