"""Lookup tables: made once, from what is known when the graph is built."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.api import Args, handles
from tfmigrate.analysis.memo import once
from tfmigrate.analysis.values import Table, Tensor, Value, is_step, leaves

if TYPE_CHECKING:
    from tfmigrate.analysis.interpreter import Interpreter


@handles(
    "contrib.lookup.index_table_from_tensor",
    "contrib.lookup.index_to_string_table_from_tensor",
    "contrib.lookup.index_table_from_file",
    "contrib.lookup.index_to_string_table_from_file",
    "contrib.lookup.HashTable",
    "lookup.StaticHashTable",
    "contrib.lookup.KeyValueTensorInitializer",
    "lookup.KeyValueTensorInitializer",
)
def table(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """A table, or what fills one."""
    values = interp.eval_arguments(node)
    if any(is_step(leaf) for value in values for leaf in leaves(value)):
        interp.refuse("TFM137", node, "a lookup table is filled with what a step computes")
    if interp.loop_stack:
        interp.refuse("TFM137", node, "a lookup table is made in a loop")
    return once(interp, node, Table)


def method(interp: Interpreter, receiver: Table, name: str, node: cst.Call) -> Value:
    """`table.lookup(keys)` and the like."""
    values = interp.eval_arguments(node)
    if name not in ("lookup", "size"):
        interp.refuse("TFM137", node, f"{name}() of a lookup table")
    made = Tensor(step=any(is_step(v) for v in values), inputs=(receiver, *values))
    interp.made(made, node)
    return made


__all__ = ["method", "table"]
