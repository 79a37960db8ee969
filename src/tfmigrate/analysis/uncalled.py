"""Functions that nothing in the program calls."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.calls import invoke, parameters
from tfmigrate.analysis.values import Class, Function, Instance, Session, Unknown, Value

if TYPE_CHECKING:
    from tfmigrate.analysis.frames import Name
    from tfmigrate.analysis.interpreter import Interpreter

SESSIONS = frozenset({"sess", "session"})  # what a session is called where nothing tells what is given


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
                made = interp.facts.instances.get(name.value.node) if isinstance(name.value, Class) else None
                if made and isinstance(node, cst.FunctionDef) and not node.decorators:
                    interp.within(frame, path, partial(_invoke_on, interp, function, made[0]))
                else:
                    interp.within(frame, path, partial(_invoke_unknown, interp, function))


def _functions(name: Name) -> list[Function]:
    if isinstance(name.value, Class):
        return [m for m in name.value.members.values() if isinstance(m, Function)]
    return [name.value] if isinstance(name.value, Function) else []


def _invoke_on(interp: Interpreter, function: Function, instance: Instance) -> None:
    """A method that an object of the program offers and nothing calls: it is planned like one that is called."""
    own, *rest = [p.name.value for p in parameters(function.node.params)] or [""]
    arguments: dict[str, Value] = {own: instance} if own else {}
    arguments |= {name: Session() if name in SESSIONS else Unknown("a parameter") for name in rest}
    interp.facts.offered.add(function.node)
    invoke(interp, function, arguments)


def _invoke_unknown(interp: Interpreter, function: Function) -> None:
    """What the function makes and what it would be refused for count for nothing: it never runs."""
    refusals, made = dict(interp.facts.refusals), len(interp.facts.variables)
    uncalled = interp.uncalled
    interp.uncalled = True
    try:
        invoke(interp, function, {p.name.value: Unknown("a parameter") for p in parameters(function.node.params)})
    finally:
        interp.uncalled = uncalled
    interp.facts.refusals = refusals
    del interp.facts.variables[made:]
