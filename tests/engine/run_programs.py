"""Runs converted programs one after the other in one process, since starting TensorFlow takes longer than any of them.

    python run_programs.py FOLDER...

Each folder holds a `main.py`; what it prints goes to `stdout` beside it, the traceback of one that fails to `stderr`.
"""

from __future__ import annotations

import contextlib
import os
import runpy
import sys
import traceback
from pathlib import Path

import numpy as np


def run(folder: Path) -> None:
    """Run one program in its folder, with its modules and no one else's."""
    for name, module in list(sys.modules.items()):
        if Path(getattr(module, "__file__", None) or "/").parent.parent == folder.parent:
            del sys.modules[name]
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    np.random.seed()
    with open("stdout", "w") as printed, contextlib.redirect_stdout(printed):
        try:
            runpy.run_path("main.py", run_name="__main__")
        except Exception:
            Path("stderr").write_text(traceback.format_exc())
    sys.path.remove(str(folder))


if __name__ == "__main__":
    np.set_printoptions(legacy="1.25")  # a number in a list prints as in the NumPy of TensorFlow 1
    for each in sys.argv[1:]:
        run(Path(each))
