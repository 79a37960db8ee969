# ruff: noqa: B905, TID252  (runs before Python 3.10, in a package of another name)
"""Random ops to which the program itself gives a seed: what they draw first, in 1.15 and the target alike."""

import functools
import threading
from typing import Any, Dict

DEFAULT = 87654321  # random_seed.DEFAULT_GRAPH_SEED, of an op with a seed where the graph has none
PLAIN = ("random_standard_normal", "random_uniform", "truncated_normal")
_ASKED = threading.local()  # .told


def sizes(shape: Any) -> Any:
    """A shape's sizes, None where they are not known while the op is made."""
    from tensorflow.python.framework import tensor_util

    try:
        known = tensor_util.constant_value(shape) if hasattr(shape, "dtype") and hasattr(shape, "op") else shape
        return tuple(int(size) for size in known)
    except (TypeError, ValueError):
        return None


def watch() -> None:
    """TensorFlow asks for the two seeds of an op just before it makes it."""
    from tensorflow.python.framework import random_seed

    original = random_seed.get_seed

    @functools.wraps(original)
    def get_seed(op_seed: Any) -> Any:
        _ASKED.told = op_seed is not None
        return original(op_seed)

    random_seed.get_seed = get_seed


def told() -> bool:
    """Whether the program gave a seed to the op that is made now; asked once for each op."""
    found, _ASKED.told = bool(getattr(_ASKED, "told", False)), False
    return found


def first(original: Any, bound: Dict[str, Any]) -> Any:
    """What the op draws at its first run, in a graph of its own."""
    from tensorflow.python.client import session
    from tensorflow.python.framework import ops

    graph = ops.Graph()
    with graph.as_default():
        tensor = original(**bound)
    with session.Session(graph=graph) as fresh:
        run = session.BaseSession.run
        return getattr(run, "__wrapped__", run)(fresh, tensor)
