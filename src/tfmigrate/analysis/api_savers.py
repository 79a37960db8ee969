"""Savers: of the variables there are, or of those given."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.api import Args, handles
from tfmigrate.analysis.api_variables import text
from tfmigrate.analysis.memo import once
from tfmigrate.analysis.signatures import arguments
from tfmigrate.analysis.values import Host, Mapping, Saver, Value, Variable, leaves

if TYPE_CHECKING:
    from tfmigrate.analysis.interpreter import Interpreter


@handles("train.Saver", "Saver")
def saver(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """A Saver of the variables there are, or of those given."""
    args = arguments("train.Saver", node)
    values = interp.eval_named(args)
    return once(interp, node, partial(_saver, interp, node, args, values.get("var_list")))


def _saver(interp: Interpreter, node: cst.Call, args: Args, listed: Value | None) -> Saver:
    made = Saver(max_to_keep=args.get("max_to_keep"))
    if listed is None or (isinstance(listed, Host) and listed.literal is None):
        made.variables = tuple((v.legacy_name, v) for v in interp.graph_variables if not v.local)
    elif isinstance(listed, Mapping):
        made.all_ = False
        made.variables = tuple((text(e.key), e.value) for e in listed.entries if isinstance(e.value, Variable))
    else:
        made.variables = tuple((v.legacy_name, v) for v in leaves(listed) if isinstance(v, Variable))
        made.all_ = {v for _, v in made.variables} == {
            v for v in interp.graph_variables if not v.local
        } and _all_listed(interp, args)
    if listed is not None and not made.variables:
        interp.refuse("TFM126", node, "a Saver of variables that are not known statically")
    return made


def _all_listed(interp: Interpreter, args: Args) -> bool:
    node = args.get("var_list")
    return node is not None and interp.facts.symbols.get(getattr(node, "func", node)) in (
        "global_variables",
        "all_variables",
    )
