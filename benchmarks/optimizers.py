"""Step times of TensorFlow 1.15's optimizers, of Keras' and of the generated fused ones, interleaved in one run.

    optimizers.py [--tf1-python PYTHON] [--rounds N] [OPTIMIZER …]

Dense: an MLP 784-256-256-10, batch 100. Sparse: 256 rows of a table of 50,000 x 64. Each number is the median over the
rounds of a child process's median step, in milliseconds, with the extremes over the rounds.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tfmigrate.rewrite import templates

CHILD = Path(__file__).parent / "programs" / "optimizer_times.py"


def measure(python: str, form: str, optimizer: str, folder: str) -> dict[str, float]:
    """The child's medians in milliseconds, by "dense" and "sparse"."""
    environment = os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""}
    command = [python, "-W", "ignore", str(CHILD), form, optimizer, folder]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    times: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("optimizers", nargs="*", metavar="OPTIMIZER", default=[])
    parser.add_argument("--tf1-python", default=os.environ.get("TFMIGRATE_TF1_PYTHON"))
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    optimizers = arguments.optimizers or list(templates.parts_of("fused_optimizers"))
    forms = [("keras", sys.executable), ("fused", sys.executable)]
    if arguments.tf1_python:
        forms.insert(0, ("session", arguments.tf1_python))
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "fused_optimizers.py").write_text(templates.render("fused_optimizers"), encoding="utf-8")
        for optimizer in optimizers:
            rounds = [
                {form: measure(python, form, optimizer, folder) for form, python in forms}
                for _ in range(arguments.rounds)
            ]
            for kind in ("dense", "sparse"):
                cells = []
                for form, _ in forms:
                    values = sorted(times[form][kind] for times in rounds)
                    cells.append(f"{form} {statistics.median(values):7.3f} ({values[0]:.3f} to {values[-1]:.3f})")
                print(f"{optimizer:16} {kind:7} " + "   ".join(cells), flush=True)


if __name__ == "__main__":
    main()
