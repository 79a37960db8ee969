"""The MNIST reader of TensorFlow 1's tutorials: the host's arrays, whose images are float32 unless told otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.api import Args, handles
from tfmigrate.analysis.refused_symbols import refused
from tfmigrate.analysis.values import Host, Record, Value

if TYPE_CHECKING:
    from tfmigrate.analysis.interpreter import Interpreter

LOADER = "contrib.learn.datasets.load_dataset"
_SETS = ("train", "validation", "test")


@handles(LOADER)
def load_dataset(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """`load_dataset("mnist")`: what read_data_sets gives of its default folder. No other data set has a reader."""
    interp.eval_arguments(node)
    name = interp.facts.values.get(node.args[0].value) if len(node.args) == 1 else None
    if not isinstance(name, Host) or name.literal != "mnist":
        reason = refused(symbol)
        assert reason is not None
        interp.refuse(reason[0], node, f"{reason[1]} (tf.{symbol})")
        return Host(random=True)
    return _data_sets(interp, narrow=True)


@handles(
    "examples.tutorials.mnist.input_data.read_data_sets",
    "contrib.learn.datasets.mnist.read_data_sets",
    "contrib.learn.python.learn.datasets.mnist.read_data_sets",
)
def read_data_sets(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """`read_data_sets(folder, …)`."""
    interp.eval_arguments(node)
    reason = refused(symbol)
    if reason is not None:
        interp.refuse(reason[0], node, f"{reason[1]} (tf.{symbol})")
    told = {a.keyword.value if a.keyword is not None else "" for a in node.args}
    positional = sum(a.keyword is None for a in node.args)
    plain = positional <= 3 and "dtype" not in told and not any(a.star for a in node.args)
    return _data_sets(interp, narrow=plain)


def _data_sets(interp: Interpreter, narrow: bool) -> Value:
    """The three sets; `narrow` tells that their images are float32."""
    found = Record(random=True)
    for name in _SETS:
        images = Host(random=True)
        if narrow:
            interp.dtypes[images] = "float32"
        found.members[name] = Record(random=True, members={"images": images})
    return found
