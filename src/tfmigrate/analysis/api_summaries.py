"""Summaries and the writers of event files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.api import Args, handles
from tfmigrate.analysis.api_variables import text
from tfmigrate.analysis.memo import once
from tfmigrate.analysis.signatures import arguments
from tfmigrate.analysis.values import Summary, Value, Writer, leaves

if TYPE_CHECKING:
    from tfmigrate.analysis.interpreter import Interpreter

_UNFIT = re.compile(r"[^-/\w.]")  # what TensorFlow 1 writes as "_" in a tag: summary_op_util.clean_tag


@handles("summary.scalar", "summary.histogram", "summary.image", "summary.audio", "summary.text")
def summary(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """A summary op; its tag keeps the name scope."""
    values = interp.eval_named(args)
    return once(interp, node, partial(_summary, interp, symbol.split(".")[1], node, args, values))


@handles("scalar_summary", "histogram_summary", "image_summary", "audio_summary")
def earlier_summary(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """A summary op of TensorFlow 0.x: its first argument is the tag itself, whatever the name scope."""
    kind = symbol.removesuffix("_summary")
    args = arguments(f"summary.{kind}", node)
    if any(argument.keyword is not None for argument in node.args):
        interp.refuse("TFM125", node, f"arguments of tf.{symbol} by the names that TensorFlow 0.x had")
    values = interp.eval_named(args)
    return once(interp, node, partial(_summary, interp, kind, node, args, values, scoped=False))


def _summary(
    interp: Interpreter, kind: str, node: cst.Call, args: Args, values: dict[str, Value], *, scoped: bool = True
) -> Summary:
    tag = text(values.get("name"))
    if tag is not None and scoped:
        tag = _UNFIT.sub("_", tag).lstrip("/")
    prefix = interp.naming.name_prefix() if scoped else ""
    if args.get("family") is not None:
        interp.refuse("TFM125", node, "a summary of a family")
    full = interp.naming.unique(prefix + tag) if tag is not None and prefix is not None and scoped else tag
    if full is None:
        interp.refuse("TFM125", node, "a summary whose tag is not known statically")
    value_name = "values" if "values" in args and "tensor" not in args else "tensor"
    made = Summary(
        kind=kind,
        tag=full,
        tag_node=args.get("name"),
        value=values.get(value_name),
        value_node=args.get(value_name),
        call=node,
        step=True,
    )
    turns = [interp.loop_turns.get(loop) for loop in interp.statement.loops]
    if None in turns or _repeated(interp.statement.node, node):
        interp.refuse("TFM125", node, "a summary in a loop whose turns are not known one by one")
    made.turns = tuple(turn for turn in turns if turn is not None)
    interp.facts.summaries[node] = made
    if "collections" not in args:
        interp.summaries.append(made)
    return made


def _repeated(line: cst.CSTNode, call: cst.Call) -> bool:
    """Whether a comprehension or a lambda of the line holds the call."""
    inner = [n for n in _nodes(line) if isinstance(n, (cst.BaseComp, cst.Lambda))]
    return any(call is n for each in inner for n in _nodes(each))


def _nodes(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    yield node
    for child in node.children:
        yield from _nodes(child)


@handles("summary.merge_all", "summary.merge", "merge_all_summaries", "merge_summary")
def merged(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """Merged summaries: all there are at this moment, or those given."""
    values = interp.eval_named(args)
    if symbol in ("summary.merge", "merge_summary"):
        members = [v for v in leaves(values.get("inputs")) if isinstance(v, Summary)]
    else:
        members = list(interp.summaries)
    flat: list[Summary] = []
    for member in members:
        flat.extend(member.members if member.kind == "merged" else [member])
    value = once(interp, node, partial(Summary, kind="merged", step=True, call=node))
    if isinstance(value, Summary):
        value.members = tuple(flat)
    return value


@handles("summary.FileWriter", "train.SummaryWriter")
def writer(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """A writer of event files."""
    interp.eval_named(args)
    return once(interp, node, Writer, lifted=True)
