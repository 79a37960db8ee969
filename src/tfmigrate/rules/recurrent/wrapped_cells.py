"""The arguments of the cells around other cells, whose signatures in 1.15 name none."""

from __future__ import annotations

import libcst as cst

from tfmigrate.rules.base import BoundCall, Refused

WRAPPERS = {
    "nn.rnn_cell.DropoutWrapper": (
        "cell", "input_keep_prob", "output_keep_prob", "state_keep_prob", "variational_recurrent", "input_size",
        "dtype", "seed", "dropout_state_filter_visitor",
    ),
    "nn.rnn_cell.ResidualWrapper": ("cell", "residual_fn"),
}  # fmt: skip
"""Parameter names, in order (tensorflow/python/ops/rnn_cell_wrapper_impl.py)."""


def wrapper_arguments(call: BoundCall) -> dict[str, cst.BaseExpression] | Refused:
    """The arguments of a wrapper by parameter name."""
    names = WRAPPERS[call.symbol]
    rest = call.arguments.get("args")
    positional = [element.value for element in rest.elements] if isinstance(rest, cst.Tuple) else []
    if len(positional) > len(names):
        return Refused("TFM203", f"tf.{call.symbol} takes at most {len(names)} arguments")
    found = dict(zip(names, positional, strict=False))
    for name, value in call.arguments.items():
        if name == "args":
            continue
        if name not in names or name in found:
            return Refused("TFM203", f"tf.{call.symbol} takes no argument {name} here")
        found[name] = value
    return found if "cell" in found else Refused("TFM203", f"tf.{call.symbol} needs the cell that it wraps")
