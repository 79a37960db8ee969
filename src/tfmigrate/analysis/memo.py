"""What one place of the program makes: the same thing at each visit in the same calls.

Loops are run twice, and functions that run the session are followed at each call; neither makes anything new.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.values import Graphlike

if TYPE_CHECKING:
    from tfmigrate.analysis.contexts import Contexts


def once(interp: Contexts, node: cst.Call, make: Callable[[], Graphlike], *, lifted: bool = False) -> Graphlike:
    """What `make` gave at the first visit of the place. `lifted`: a step statement may hold the place, and the thing
    then gets a statement of its own before it.
    """
    value = interp.known(node)
    if value is None:
        value = make()
        interp.made(value, node)
        interp.remember(node, value)
    else:
        interp.made_again(value)
    if lifted:
        interp.lift(node, value)
    return value
