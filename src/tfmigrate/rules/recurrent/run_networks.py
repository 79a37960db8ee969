"""tf.nn.dynamic_rnn and its kin."""

from __future__ import annotations

import libcst as cst

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.expressions import call, is_none, is_word

_CELLS = frozenset({"cell", "cell_fw", "cell_bw", "inputs"})
_KEPT = frozenset({"sequence_length", "initial_state", "initial_state_fw", "initial_state_bw", "time_major"})
_WITHOUT_EFFECT = frozenset({"dtype", "parallel_iterations", "swap_memory", "scope"})
"""The inputs have the dtype; a `tf.while_loop` decides about memory; cells hold their variables themselves."""
_NAMES = ("dynamic_rnn", "static_rnn", "bidirectional_dynamic_rnn", "static_bidirectional_rnn")


class RunNetworks(Rule):
    """Runs a cell over a sequence by the generated function of the same name and treatment of lengths.

    before  tf.nn.dynamic_rnn(cell, x, sequence_length=lengths, dtype=tf.float32)
    after   dynamic_rnn(cell, x, sequence_length=lengths)

    Source: tensorflow/python/ops/rnn.py (1.15).
    """

    symbols = tuple(f"nn.{name}" for name in _NAMES)

    def rewrite(self, call_: BoundCall, context: Context) -> Rewritten | Refused:
        name = call_.symbol.rpartition(".")[2]
        positional = [value for argument, value in call_.arguments.items() if argument in _CELLS]
        ordered = [argument for argument in call_.arguments if argument in _CELLS]
        keywords: dict[str, cst.BaseExpression] = {}
        if ordered != sorted(ordered, key=("cell", "cell_fw", "cell_bw", "inputs").index):
            keywords.update({argument: call_.arguments[argument] for argument in ordered})
            positional = []
        for argument, value in call_.arguments.items():
            if argument in _KEPT:
                if not is_none(value) and not (argument == "time_major" and is_word(value, "False")):
                    keywords[argument] = value
            elif argument not in _CELLS and argument not in _WITHOUT_EFFECT:
                return Refused("TFM133", f"tf.{call_.symbol} with {argument}")
        return Rewritten(call(name, *positional, **keywords), support=(f"legacy_rnn:{name}",))
