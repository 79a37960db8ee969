"""tf.data pipelines and their iterators."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.api import Args, handles
from tfmigrate.analysis.callbacks import invoke_callbacks
from tfmigrate.analysis.memo import once
from tfmigrate.analysis.values import Dataset, Host, Iterator_, Tensor, Value, is_step

if TYPE_CHECKING:
    from tfmigrate.analysis.interpreter import Interpreter


@handles(
    "data.Dataset.from_tensor_slices",
    "data.Dataset.from_tensors",
    "data.Dataset.range",
    "data.Dataset.zip",
    "data.TFRecordDataset",
    "data.TextLineDataset",
    "data.Dataset.from_generator",
    "data.Dataset.list_files",
    "data.FixedLengthRecordDataset",
)
def dataset(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """The beginning of a tf.data pipeline."""
    values = interp.eval_arguments(node)
    made = Dataset(fed=any(is_step(v) for v in values))
    interp.made(made, node)
    return made


def dataset_method(interp: Interpreter, receiver: Dataset, name: str, node: cst.Call) -> Value:
    """A stage of a tf.data pipeline, or its iterator."""
    if name.startswith("make_"):
        kind = "one_shot" if "one_shot" in name else "initializable"
        return once(interp, node, partial(Iterator_, dataset=receiver, kind=kind), lifted=True)
    values = interp.eval_arguments(node)
    invoke_callbacks(interp, values)
    made = Dataset(fed=receiver.fed or any(is_step(v) for v in values))
    interp.made(made, node)
    return made


@handles("data.Iterator.from_structure")
def structure(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """A reinitializable iterator."""
    interp.eval_arguments(node)
    made = Iterator_(kind="structure")
    interp.made(made, node)
    interp.refuse("TFM127", node, "a reinitializable iterator")
    return made


def iterator_method(interp: Interpreter, receiver: Iterator_, name: str, node: cst.Call) -> Value:
    """`iterator.get_next()`: the next elements, in each run."""
    interp.eval_arguments(node)
    if name == "get_next":
        made = Tensor(step=True, inputs=(receiver,), nested=not _plain(interp, node))
        interp.made(made, node)
        interp.facts.nexts[node] = receiver
        return made
    interp.refuse("TFM127", node, f"Iterator.{name}")
    return Host()


def _plain(interp: Interpreter, node: cst.Call) -> bool:
    """Whether the element is known to be a tensor, or unpacked into tensors: its dataset was made of a queue."""
    at: cst.CSTNode = node
    while isinstance(at, (cst.Call, cst.Attribute)):
        at = at.func if isinstance(at, cst.Call) else at.value
    several = (
        interp.project.plain_elements.get((interp.frame.scope.place, at.value)) if isinstance(at, cst.Name) else None
    )
    line = interp.statement.node
    small = line.body[0] if isinstance(line, cst.SimpleStatementLine) else None
    unpacked = isinstance(small, cst.Assign) and isinstance(small.targets[0].target, (cst.Tuple, cst.List))
    return several is not None and (unpacked or not several)
