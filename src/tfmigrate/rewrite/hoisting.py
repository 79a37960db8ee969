"""What is made once inside a loop that runs the session, and so stands before the loop."""

from __future__ import annotations

import libcst as cst

from tfmigrate.analysis.facts import Facts, Statement
from tfmigrate.analysis.values import Layer, Optimizer, Placeholder, Saver, Variable, Writer, leaves
from tfmigrate.plan.bindings import Bindings


def hoisted(facts: Facts, bindings: Bindings, path: str) -> dict[cst.CSTNode, list[Statement]]:
    """The statements of the file that stand before a loop (the key), unless what they make is new in each turn."""
    found: dict[cst.CSTNode, list[Statement]] = {}
    for statement in facts.statements.values():
        if statement.scope.path != path or not isinstance(statement.node, cst.SimpleStatementLine):
            continue
        loops = [loop for loop in statement.loops if bindings.runs(loop)]
        if loops and _made_once(statement) and not anew_around(statement, bindings):
            found.setdefault(loops[0].node, []).append(statement)
    return found


def _made_once(statement: Statement) -> bool:
    made = [v for value in statement.values for v in leaves(value)] + [lift.value for lift in statement.lifts.values()]
    return any(
        isinstance(v, (Saver, Writer, Optimizer, Layer, Placeholder)) or (isinstance(v, Variable) and _shared(v))
        for v in made
    )


def anew_around(statement: Statement, bindings: Bindings) -> bool:
    """Whether variables are made anew in each turn of the loop around."""
    loop = statement.loops[0]
    return any(isinstance(m, Variable) and not _shared(m) for s in bindings.descendants(loop) for m in s.made)


def _shared(variable: Variable) -> bool:
    """Whether the variable is got by its name: the same one in each turn."""
    function = variable.expression.func if isinstance(variable.expression, cst.Call) else None
    name = function.attr.value if isinstance(function, cst.Attribute) else getattr(function, "value", "")
    return name == "get_variable"
