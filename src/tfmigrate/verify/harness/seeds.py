# ruff: noqa: B905, TID252  (runs before Python 3.10, in a package of another name)
"""The same seeds on both sides."""

import random
import sys
from typing import Any

from .settings import Settings


def install(settings: Settings) -> Any:
    """Graph seeds for every graph that will be made; Keras' own draws kept apart from the program's. Returns the
    alignment, or None.
    """
    from tensorflow.python.framework import ops

    original = ops.Graph.__init__

    def __init__(graph: Any, *args: Any, **kwargs: Any) -> None:
        original(graph, *args, **kwargs)
        if graph.seed is None and settings.side == "before":
            graph.seed = settings.seed

    ops.Graph.__init__ = __init__
    keras = sys.modules.get("keras.src.random.seed_generator")
    if keras is not None:  # it draws its default seeds from Python's global generator, which belongs to the program
        keras.python_random = random.Random(settings.seed)  # type: ignore[attr-defined]
    from . import randomness

    return randomness.install(settings)


def start(seed: int) -> None:
    """Seeds Python, NumPy and TensorFlow, just before the program begins."""
    import numpy as np

    random.seed(seed)
    np.random.seed(seed)
    from tensorflow.python.framework import random_seed

    set_seed = getattr(random_seed, "set_seed", None) or random_seed.set_random_seed
    set_seed(seed)
