"""Sessions that run one graph by turns: each keeps values of its own for the graph's variables.

Of each variable there is one value in the result, so one session at a time can be converted: the first may end and
another begin, but not go on after that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.values import Session

if TYPE_CHECKING:
    from tfmigrate.analysis.interpreter import Interpreter


def take_turn(interp: Interpreter, session: Session, call: cst.Call) -> None:
    """Remember that the session runs now; refuse one that goes on after another one ran."""
    turns = interp.turns.setdefault(session.graph, [])
    if turns and turns[-1] is session:
        return
    if session in turns and interp.graph_variables and not interp.uncalled:
        message = "two sessions run the same graph by turns, each with values of its own for its variables"
        interp.refuse("TFM166", call, message)
    turns.append(session)
