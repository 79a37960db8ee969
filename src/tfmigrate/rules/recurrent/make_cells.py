"""The cells of tf.nn.rnn_cell and tf.contrib.rnn."""

from __future__ import annotations

import libcst as cst

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.expressions import call, is_none, is_word, literal, parse
from tfmigrate.rules.recurrent.wrapped_cells import WRAPPERS, wrapper_arguments

_KEPT: dict[str, tuple[str, ...]] = {
    "BasicRNNCell": ("num_units", "activation"),
    "BasicLSTMCell": ("num_units", "forget_bias", "activation"),
    "LSTMCell": (
        "num_units", "use_peepholes", "cell_clip", "initializer", "num_proj", "proj_clip", "forget_bias", "activation",
    ),
    "GRUCell": ("num_units", "activation", "kernel_initializer", "bias_initializer"),
    "MultiRNNCell": ("cells",),
    "DropoutWrapper": ("cell", "input_keep_prob", "output_keep_prob", "state_keep_prob", "seed"),
    "ResidualWrapper": ("cell",),
    "LSTMStateTuple": ("c", "h"),
}  # fmt: skip
"""What is taken over, in 1.15's order; the first stands by position."""
_RENAMED = {"initializer": "kernel_initializer"}
_POSITIONAL = frozenset({"num_units", "cells", "cell", "c", "h"})
_WITHOUT_EFFECT = frozenset({"reuse", "input_size"})
"""A cell is an object that holds its weights; 1.15 ignores the input size, too, unless dropout is variational."""


class MakeCells(Rule):
    """Makes a recurrent cell as the generated Keras layer of the same weights: one kernel, TensorFlow 1's gate order.

    before  tf.nn.rnn_cell.BasicLSTMCell(128, forget_bias=0.5, state_is_tuple=True)
    after   BasicLSTMCell(128, forget_bias=0.5)

    before  tf.nn.rnn_cell.DropoutWrapper(cell, output_keep_prob=keep_prob)
    after   DropoutWrapper(cell, output_keep_prob=keep_prob)

    Source: tensorflow/python/ops/rnn_cell_impl.py and rnn_cell_wrapper_impl.py (1.15).
    """

    symbols = tuple(f"nn.rnn_cell.{name}" for name in _KEPT)

    def rewrite(self, call_: BoundCall, context: Context) -> Rewritten | Refused:
        name = call_.symbol.rpartition(".")[2]
        given = wrapper_arguments(call_) if call_.symbol in WRAPPERS else dict(call_.arguments)
        if isinstance(given, Refused):
            return given
        positional, keywords = [], {}
        for argument, value in given.items():
            if argument in _KEPT[name]:
                if argument in _POSITIONAL:
                    positional.append(value)
                elif not is_none(value):
                    keywords[_RENAMED.get(argument, argument)] = value
            elif argument in ("name", "dtype"):
                label = literal(value)
                if argument == "name" and isinstance(label, str) and "/" not in label:
                    keywords["name"] = parse(f'"{label}"')
                elif argument == "dtype" and not is_none(value):
                    keywords["dtype"] = value
            elif not _is_default(argument, value):
                return Refused("TFM133", f"tf.{call_.symbol} with {argument}")
        if name == "DropoutWrapper":
            keywords.pop("dtype", None)
        return Rewritten(call(name, *positional, **keywords), support=(f"legacy_rnn:{name}",))

    def reference(self, symbol: str, context: Context) -> Rewritten | Refused | None:
        name = symbol.rpartition(".")[2]
        return Rewritten(cst.Name(name), support=(f"legacy_rnn:{name}",))


def _is_default(argument: str, value: cst.BaseExpression) -> bool:
    """Whether the argument says what 1.15 does anyway."""
    if argument in _WITHOUT_EFFECT or is_none(value):
        return True
    if argument == "state_is_tuple":
        return is_word(value, "True")
    if argument == "variational_recurrent":
        return is_word(value, "False")
    return argument in ("num_unit_shards", "num_proj_shards") and literal(value) == 1
