"""Writes the symbol tables: `python -m tfmigrate.symbols.generate --tf1-python PYTHON --tf2-python PYTHON`.

Each interpreter runs `describe` as a child and lists the public symbols of its TensorFlow (1.15 with contrib; the
target without `compat.v1`); `describe_internal` adds under which names 1.15's internal
modules hold them. Only a new TensorFlow release asks for a new run.
"""

from __future__ import annotations

import argparse
import os
import subprocess
from pathlib import Path

HERE = Path(__file__).parent


def generate(python: str, table: Path, describe: str = "describe.py") -> int:
    """Write what `describe` lists of that interpreter's TensorFlow to `table`; gives the number of lines."""
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "", "PYTHONHASHSEED": "0"}
    child = subprocess.run(
        [python, "-W", "ignore", str(HERE / describe)],
        check=True,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # 1.15 warns of each deprecated name that is looked at
        text=True,
    )
    start = child.stdout.index("# TensorFlow")
    table.write_text(child.stdout[start:], encoding="utf-8")
    return child.stdout.count("\n")


def main() -> None:
    """Read the two interpreters from the command line and write both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tf1-python")
    parser.add_argument("--tf2-python")
    options = parser.parse_args()
    if options.tf1_python:
        generate(options.tf1_python, HERE / "legacy.tsv")
        generate(options.tf1_python, HERE / "internal.tsv", "describe_internal.py")
    if options.tf2_python:
        generate(options.tf2_python, HERE / "target.tsv")


if __name__ == "__main__":
    main()
