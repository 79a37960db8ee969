# ruff: noqa: B905, TID252  (runs before Python 3.10, in a package of another name)
"""Reads the checkpoints that the program wrote, by value."""

import os
import sys
from typing import Any, Dict, Iterator, Tuple

from .recorder import Recorder

MOST = 20  # checkpoints read of one run: the last ones written


def read_all(root: str, recorder: Recorder) -> Iterator[Tuple[str, Dict[str, Any]]]:
    """(prefix below root, tensors by name) of checkpoints newer than the program's start, the latest MOST."""
    start = os.path.getmtime(os.path.join(os.path.dirname(recorder._lines.name), "settings.json"))
    found = []
    for folder, _, names in os.walk(root):
        for name in names:
            path = os.path.join(folder, name)
            if name.endswith(".index") and os.path.getmtime(path) >= start:
                found.append((os.path.getmtime(path), path[: -len(".index")]))
    for _, prefix in sorted(found)[-MOST:]:
        try:
            yield os.path.relpath(prefix, root).replace(os.sep, "/"), _read(prefix, recorder)
        except Exception as problem:  # whatever is wrong with a file of the user's is told, never raised
            recorder.write("note", text="%s: %s" % (prefix, problem))


def _read(prefix: str, recorder: Recorder) -> Dict[str, Any]:
    reader = sys.modules["tensorflow"].train.load_checkpoint(prefix)
    names = sorted(reader.get_variable_to_shape_map())
    return {
        name: recorder.value(reader.get_tensor(name), whole=True)
        for name in names
        if name != "_CHECKPOINTABLE_OBJECT_GRAPH"
    }
