"""The call of a run site's step function: what it feeds as arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.facts import Run, Statement
from tfmigrate.analysis.values import Placeholder
from tfmigrate.plan.program import Parameter, StepFunction
from tfmigrate.rewrite import nodes

if TYPE_CHECKING:
    from tfmigrate.rewrite.driver import DriverRewriter


def call(driver: DriverRewriter, run: Run) -> cst.Call:
    """The call of the run's step function."""
    step = driver.plan.step_of.get(run)
    if step is None:
        driver.refuse("TFM108", run.call, "this run site has no step function")
        return run.call
    made: list[cst.Arg] = []
    taken: set[Statement] = set()
    for index, parameter in enumerate(step.parameters):
        if parameter.element is None:
            made.append(cst.Arg(_argument(driver, run, step, index)))
        elif parameter.element not in taken:
            taken.add(parameter.element)
            several = sum(p.element is parameter.element for p in step.parameters) > 1
            iterator = driver.plan.iterators[driver.plan.elements[parameter.element]].name
            made.append(cst.Arg(nodes.expression(f"{iterator}.get_next()"), star="*" if several else ""))
    through = step.receivers.get(run)
    return cst.Call(nodes.expression(f"{through}.{step.name}" if through else step.name), made)


def _argument(driver: DriverRewriter, run: Run, step: StepFunction, index: int) -> cst.BaseExpression:
    parameter = step.parameters[index]
    if parameter.host is not None:
        return cst.Name(parameter.name)
    feed = next((f for f in run.feeds if f.key is parameter.fed), None)
    assert parameter.fed is not None
    if feed is None or (feed.node is None and run.feed_node is None):
        driver.refuse("TFM107", run.call, f"{parameter.name} is not fed here")
        return cst.Name("None")
    if feed.node is not None and (feed.inline or _constant_here(feed.node)):
        made = driver.visited(feed.node)
        dtype = parameter.fed.dtype if isinstance(parameter.fed, Placeholder) else None
        if dtype is not None and "bool" in nodes.code(dtype) and isinstance(made, cst.Integer):
            return cst.Name("False" if made.value == "0" else "True")
        return made
    assert run.feed_node is not None
    key = _key(driver, run, step, parameter)
    return nodes.expression(f"{nodes.code(nodes.parenthesized(driver.visited(run.feed_node)))}[{key}]")


def _key(driver: DriverRewriter, run: Run, step: StepFunction, parameter: Parameter) -> str:
    """The key under which a dictionary that is built elsewhere holds the value."""
    through = step.receivers.get(run)
    if through is None or not isinstance(parameter.fed, Placeholder):
        return driver.plan.spec_names.get(parameter.fed, parameter.name) if parameter.fed else parameter.name
    name = next((w.name for w in driver.facts.attribute_writes if w.value is parameter.fed), None)
    if name is None:
        driver.refuse("TFM107", run.call, f"{parameter.name} is fed by a dictionary that is built elsewhere")
    return f"{through}.{name}"


def _constant_here(node: cst.BaseExpression) -> bool:
    return isinstance(node, (cst.Integer, cst.Float))
