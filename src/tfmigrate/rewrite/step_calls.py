"""The call of a run site's step function: what it feeds as arguments, evaluated once and in the program's order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.facts import Feed, Run, Statement
from tfmigrate.analysis.values import Graphlike, Placeholder
from tfmigrate.plan.effects import may_act
from tfmigrate.plan.program import Parameter, StepFunction
from tfmigrate.rewrite import nodes
from tfmigrate.rewrite.specs import dtype_text

if TYPE_CHECKING:
    from tfmigrate.rewrite.driver import DriverRewriter

_FEEDS = "feeds"  # what a dictionary is called that is made in the call itself


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
            made.append(cst.Arg(_typed(driver, step, parameter, _argument(driver, run, step, index))))
        elif parameter.element not in taken:
            taken.add(parameter.element)
            several = sum(p.element is parameter.element for p in step.parameters) > 1
            iterator = driver.plan.iterators[driver.plan.elements[parameter.element]].name
            made.append(cst.Arg(nodes.expression(f"{iterator}.get_next()"), star="*" if several else ""))
    through = step.receivers.get(run)
    function = nodes.expression(f"{through}.{step.name}" if through else step.name)
    if len(made) == len(step.parameters):
        made = _in_order(run, step, made)
    return with_feeds(driver, run, cst.Call(function, made), [p.fed for p in step.parameters if p.fed is not None])


def _in_order(run: Run, step: StepFunction, made: list[cst.Arg]) -> list[cst.Arg]:
    """The arguments by keyword, in the order of the feed, where more than one of them may draw or take something."""
    fed = [f.key for f in run.feeds if f.inline and f.node is not None and may_act(f.node)]
    acting = [p.fed for p in step.parameters if p.fed in fed]
    wanted = [key for key in fed if key in acting]
    if acting == wanted:
        return made
    keys = [f.key for f in run.feeds]
    pairs = sorted(
        zip(step.parameters, made, strict=True), key=lambda p: keys.index(p[0].fed) if p[0].fed in keys else len(keys)
    )
    equal = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    return [argument.with_changes(keyword=cst.Name(p.name), equal=equal) for p, argument in pairs]


def made_in_the_call(run: Run, keys: list[Graphlike]) -> bool:
    """Whether the values for these keys are looked up in a dictionary that an expression of the call makes."""
    looked_up = [f for f in run.feeds if f.key in keys and not _written_out(f)]
    return len(looked_up) > 1 and run.feed_node is not None and not isinstance(run.feed_node, (cst.Name, cst.Attribute))


def with_feeds(driver: DriverRewriter, run: Run, made: cst.Call, keys: list[Graphlike]) -> cst.Call:
    """The call, with a dictionary that is made in it evaluated once."""
    if not made_in_the_call(run, keys):
        return made
    assert run.feed_node is not None
    inner = nodes.expression(f"(lambda {_FEEDS}: {nodes.code(made)})")
    return cst.Call(inner, [cst.Arg(driver.visited(run.feed_node))])


def dictionary(driver: DriverRewriter, run: Run, keys: list[Graphlike]) -> str:
    """How the dictionary is written in which the values for the keys are looked up."""
    if made_in_the_call(run, keys):
        return _FEEDS
    assert run.feed_node is not None
    return nodes.code(nodes.parenthesized(driver.visited(run.feed_node)))


def _written_out(feed: Feed) -> bool:
    return feed.node is not None and (feed.inline or _constant_here(feed.node))


def _typed(
    driver: DriverRewriter, step: StepFunction, parameter: Parameter, made: cst.BaseExpression
) -> cst.BaseExpression:
    """What is fed, as a tensor of the placeholder's dtype where no signature says it."""
    fed = parameter.fed
    signed = all(p.host is None and p.element is None for p in step.parameters)
    if signed or not isinstance(fed, Placeholder) or fed.dtype is None or fed.sparse:
        return made
    dtype = dtype_text(driver.context.tf, driver.visited(fed.dtype))
    return nodes.expression(f"{driver.context.tf}.constant({nodes.code(made)}, {dtype})")


def _argument(driver: DriverRewriter, run: Run, step: StepFunction, index: int) -> cst.BaseExpression:
    parameter = step.parameters[index]
    if parameter.host is not None:
        return cst.Name(parameter.name)
    feed = next((f for f in run.feeds if f.key is parameter.fed), None)
    assert parameter.fed is not None
    if feed is None or (feed.node is None and run.feed_node is None):
        driver.refuse("TFM107", run.call, f"{parameter.name} is not fed here")
        return cst.Name("None")
    if feed.node is not None and _written_out(feed):
        made = driver.visited(feed.node)
        dtype = parameter.fed.dtype if isinstance(parameter.fed, Placeholder) else None
        if dtype is not None and "bool" in nodes.code(dtype) and isinstance(made, cst.Integer):
            return cst.Name("False" if made.value == "0" else "True")
        return made
    key = _key(driver, run, step, parameter)
    held = dictionary(driver, run, [p.fed for p in step.parameters if p.fed is not None])
    default = parameter.fed.default if isinstance(parameter.fed, Placeholder) else None
    if default is not None:
        return nodes.expression(f"{held}.get({key}, {nodes.code(driver.visited(default))})")
    return nodes.expression(f"{held}[{key}]")


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
