"""Functions that are handed to an op: branches, loop bodies, map functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.calls import invoke
from tfmigrate.analysis.values import Function, Sequence, Tensor, Value, leaves

if TYPE_CHECKING:
    from tfmigrate.analysis.interpreter import Interpreter


def invoke_callbacks(interp: Interpreter, values: list[Value]) -> list[Value]:
    """Functions handed to an op (branches, loop bodies, map functions): interpreted once, for what they use and
    make.
    """
    found: list[Value] = []
    for value in values:
        for leaf in leaves(value):
            if isinstance(leaf, Function):
                params = leaf.node.params
                names = [p.name.value for p in (*params.posonly_params, *params.params)]
                star = [params.star_arg.name.value] if isinstance(params.star_arg, cst.Param) else []
                arguments: dict[str, Value] = {n: Tensor(step=True) for n in names}
                arguments.update({n: Sequence([Tensor(step=True)], True, True) for n in star})
                if leaf.receiver is not None and names:
                    arguments[names[0]] = leaf.receiver
                interp.facts.callbacks.add(leaf.node)
                found.extend(leaves(invoke(interp, leaf, arguments)))
    return found
