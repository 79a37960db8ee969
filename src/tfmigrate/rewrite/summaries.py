"""Summaries: a writer with the function that writes what a step gives, and the sites where summaries are added."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.facts import Run
from tfmigrate.analysis.signatures import arguments
from tfmigrate.analysis.values import Summary, Writer
from tfmigrate.plan.attributes import receiver
from tfmigrate.rewrite import nodes

if TYPE_CHECKING:
    from tfmigrate.rewrite.driver import DriverRewriter


def writer(
    driver: DriverRewriter, value: Writer, small: cst.Assign, node: cst.SimpleStatementLine
) -> list[cst.BaseStatement]:
    """`tf.summary.FileWriter(…)`: its counterpart, and a function for each summary that it is given."""
    args = arguments("summary.FileWriter", small.value)  # type: ignore[arg-type]
    driver.output.packages.add("tensorboard")
    logdir = driver.visited(args["logdir"])
    if driver.steps.replicas is not None:
        logdir = nodes.expression(driver.steps.replicas.folder(nodes.code(logdir)))
    made: list[cst.BaseStatement] = [
        cst.SimpleStatementLine(
            [small.with_changes(value=nodes.call(f"{driver.context.tf}.summary.create_file_writer", logdir))],
            leading_lines=node.leading_lines,
        )
    ]
    for (written, summary), name in driver.plan.summary_functions.items():
        if written is value:
            made.extend(_function(driver, name, value, summary))
    return made


def _function(driver: DriverRewriter, name: str, writer: Writer, summary: Summary) -> list[cst.BaseStatement]:
    """The function that writes the values of one fetched summary, by the kinds of its members."""
    tf = driver.context.tf
    lines = []
    for member in summary.members or (summary,):
        kind = member.kind
        extra, value = "", f'values["{member.tag}"]'
        if kind == "image":
            driver.output.need(driver.path, ("legacy_summaries:image_pixels",))
            value = f"image_pixels({value})"
        if member.call is not None:
            given = arguments(f"summary.{kind}", member.call)
            if "max_outputs" in given and kind in ("image", "audio"):
                extra += f", max_outputs={nodes.code(given['max_outputs'])}"
            if kind == "audio":
                extra = f", {nodes.code(given['sample_rate'])}" + extra
        lines.append(f'        {tf}.summary.{kind}("{member.tag}", {value}{extra})\n')
    text = f"@{tf}.function\ndef {name}(values, step):\n    with {writer.name}.as_default(step=step):\n" + "".join(
        lines
    )
    made = nodes.statements(text)
    blank = 2 if writer.scope is not None and writer.scope.is_module else 1
    definition = nodes.blank_lines(made[0], blank)
    driver.marks.define(definition)
    elsewhere = any(run.saver is writer for run in driver.plan.summary_objects)
    own = receiver(writer.scope) if writer.scope is not None and elsewhere else None
    return [definition, *(nodes.statements(f"{own}.{name} = {name}\n") if own else [])]  # type: ignore[list-item]


def added(driver: DriverRewriter, run: Run) -> cst.BaseExpression:
    """`writer.add_summary(summary, step)`."""
    summary = getattr(run.values.get("summary"), "summary", None)
    tf = driver.context.tf
    name = (
        driver.plan.summary_functions.get((run.saver, summary))
        if isinstance(run.saver, Writer) and isinstance(summary, Summary)
        else None
    )
    if name is None:
        driver.refuse("TFM125", run.call, "what is written here is not known to be one fetched summary")
        return run.call
    step = run.extra.get("global_step")
    text = nodes.code(driver.visited(step)) if step is not None else "0"
    around = driver.plan.summary_objects.get(run)
    return nodes.call(
        f"{around}.{name}" if around else name,
        driver.visited(run.extra["summary"]),
        nodes.expression(f"{tf}.constant({text}, {tf}.int64)"),
    )
