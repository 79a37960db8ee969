"""Runs many programs in one process, so that TensorFlow starts once: `run_programs.py RESULT.json PROGRAM…`.

Each program is executed as `__main__` in a namespace, a folder and with modules of its own. RESULT.json holds
{program: {"stdout": text, "error": text or null}} and is rewritten after each one, so that a crash of the process costs
the results from there on only.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import sys
import tempfile
import traceback
import types
from pathlib import Path


def run(program: Path) -> dict[str, str | None]:
    """What the program printed, and the traceback of its end where it is not a clean one."""
    known = set(sys.modules)
    main = types.ModuleType("__main__")
    main.__file__ = str(program)
    previous = sys.modules["__main__"], sys.argv, os.getcwd()
    stdout, error = io.StringIO(), None
    sys.modules["__main__"], sys.argv = main, [str(program)]
    sys.path.insert(0, str(program.parent))
    try:
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(stdout):
            os.chdir(folder)
            try:
                exec(compile(program.read_bytes(), str(program), "exec"), main.__dict__)
            except SystemExit as end:
                error = f"exit code {end.code}" if end.code else None
            except Exception:
                error = traceback.format_exc()
            finally:
                os.chdir(previous[2])
    finally:
        sys.modules["__main__"], sys.argv = previous[0], previous[1]
        sys.path.remove(str(program.parent))
        _forget(program.parent, known)
    return {"stdout": stdout.getvalue(), "error": error}


def _forget(folder: Path, known: set[str]) -> None:
    """Drops the modules that lie beside the program, and the flags and Keras names that it made."""
    for name in set(sys.modules) - known:
        if Path(getattr(sys.modules[name], "__file__", None) or "/").parent == folder:
            del sys.modules[name]
    import tensorflow as tf
    from absl import flags

    tf.keras.backend.clear_session()
    for name in set(flags.FLAGS) - _LIBRARY_FLAGS:
        delattr(flags.FLAGS, name)
    flags.FLAGS.unparse_flags()


def main() -> None:
    """Runs the programs named on the command line in their order."""
    global _LIBRARY_FLAGS
    import numpy as np
    from absl import app, flags, logging  # noqa: F401  the flags that these define stay

    _LIBRARY_FLAGS = set(flags.FLAGS)
    np.set_printoptions(legacy="1.25")  # scalars in a printed list without their type, as with TensorFlow 1's NumPy
    results: dict[str, dict[str, str | None]] = {}
    for name in sys.argv[2:]:
        random.seed(0)
        np.random.seed(0)
        results[name] = run(Path(name))
        Path(sys.argv[1]).write_text(json.dumps(results), encoding="utf-8")


_LIBRARY_FLAGS: set[str] = set()

if __name__ == "__main__":
    main()
