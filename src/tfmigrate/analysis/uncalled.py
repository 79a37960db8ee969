"""Functions that nothing in the program calls."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.calls import invoke, parameters
from tfmigrate.analysis.values import Class, Function, Unknown

if TYPE_CHECKING:
    from tfmigrate.analysis.frames import Name
    from tfmigrate.analysis.interpreter import Interpreter


def interpret_uncalled(interp: Interpreter) -> None:
    """Interpret each with unknown arguments, so that what it holds is known."""
    seen: set[cst.CSTNode] = set()
    for path, frame in list(interp.modules.items()):
        for name in list(frame.names.values()):
            for function in _functions(name):
                node = function.node
                if (
                    node in interp.facts.functions
                    or node in seen
                    or function.path != path
                    or isinstance(node, cst.Lambda)
                ):
                    continue
                seen.add(node)
                interp.within(frame, path, partial(_invoke_unknown, interp, function))


def _functions(name: Name) -> list[Function]:
    if isinstance(name.value, Class):
        return [m for m in name.value.members.values() if isinstance(m, Function)]
    return [name.value] if isinstance(name.value, Function) else []


def _invoke_unknown(interp: Interpreter, function: Function) -> None:
    """What the function makes and what it would be refused for count for nothing: it never runs."""
    refusals, made = len(interp.facts.refusals), len(interp.facts.variables)
    uncalled = interp.uncalled
    interp.uncalled = True
    try:
        invoke(interp, function, {p.name.value: Unknown("a parameter") for p in parameters(function.node.params)})
    finally:
        interp.uncalled = uncalled
    del interp.facts.refusals[refusals:]
    del interp.facts.variables[made:]
