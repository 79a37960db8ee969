"""Start-up and throughput of `tfmigrate convert` against TensorFlow's own `tf_upgrade_v2`, interleaved in one run.

    python benchmarks/convert_speed.py [--rounds N] [PATH…]        (default: samples/legacy)
    python benchmarks/convert_speed.py --rounds 1 --lengths 1000 2500 5000 10000

Run by hand, on a quiet machine. `tf_upgrade_v2` comes with TensorFlow and imports it; what it writes is another thing
(names on `tf.compat.v1`), so this compares waiting times, not results. Each figure is the median of the rounds with
their range: wall time, and CPU time of the child, which a busy machine moves less. With `--lengths`, generated programs
of these lengths are measured, one as a single long step and one of many short steps: does the time grow as the file?
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from long_programs import PROGRAMS

ROOT = Path(__file__).resolve().parents[1]


def run(command: list[str]) -> tuple[float, float]:
    """Wall and CPU seconds of a child."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}
    )
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):  # 1: something was refused
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def commands(path: Path, out: Path) -> dict[str, list[str]]:
    """What each tool is called with for one file or tree."""
    upgrade = Path(sys.executable).with_name("tf_upgrade_v2")
    found = {"tfmigrate": [sys.executable, "-m", "tfmigrate", "convert", str(path), "--out", str(out / "t")]}
    if upgrade.is_file():
        kind = ["--intree", str(path), "--outtree"] if path.is_dir() else ["--infile", str(path), "--outfile"]
        target = out / "u" if path.is_dir() else out / "u.py"
        found["tf_upgrade_v2"] = [str(upgrade), *kind, str(target), "--reportfile", str(out / "report.txt")]
    return found


def shown(values: list[float]) -> str:
    """Median and range."""
    return f"{statistics.median(values):7.2f} s ({min(values):.2f} to {max(values):.2f})"


def measure(name: str, path: Path, rounds: int) -> dict[str, float]:
    """Print the figures for one path; the median CPU time of each tool."""
    files = sorted(path.rglob("*.py")) if path.is_dir() else [path]
    lines = sum(file.read_bytes().count(b"\n") for file in files)
    times: dict[str, list[tuple[float, float]]] = {}
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            for tool, command in commands(path, Path(folder)).items():
                times.setdefault(tool, []).append(run(command))
            if not (Path(folder) / "t").exists():  # a module that is missing ends with 1, as a refusal does
                raise SystemExit("tfmigrate wrote nothing")
    print(f"{name}: {len(files)} file{'s' * (len(files) != 1)}, {lines} lines, {rounds} rounds")
    for tool, found in times.items():
        wall, cpu = [w for w, _ in found], [c for _, c in found]
        rate = lines / statistics.median(wall)
        print(f"  {tool:<14} wall {shown(wall)}   CPU {shown(cpu)}   {rate:8.0f} lines/s", flush=True)
    return {tool: statistics.median(cpu for _, cpu in found) for tool, found in times.items()}


def measure_growth(lengths: list[int], rounds: int) -> None:
    """Print the figures for generated programs of each length, and how the time grows over all lengths."""
    for kind, program in PROGRAMS.items():
        seconds: list[float] = []
        for length in lengths:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "long.py"
                path.write_text(program(length))
                seconds.append(measure(f"{kind}, {length} lines", path, rounds)["tfmigrate"])
        more, longer = lengths[-1] / lengths[0], seconds[-1] / seconds[0]
        print(f"{kind}: {more:.1f} times the lines take {longer:.1f} times the CPU time")


def main() -> None:
    """Measure an empty file (start-up), then each path."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, default=[ROOT / "samples/legacy"])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--lengths", nargs="+", type=int, metavar="LINES", help="measure generated programs instead")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        start = Path(folder) / "start.py"
        start.write_text("import tensorflow as tf\nprint(tf.Session().run(tf.constant(1)))\n")
        measure("start-up", start, arguments.rounds)
    if arguments.lengths:
        measure_growth(sorted(arguments.lengths), arguments.rounds)
        return
    totals: dict[str, float] = {}
    for path in arguments.paths:
        for tool, seconds in measure(str(path), path, arguments.rounds).items():
            totals[tool] = totals.get(tool, 0.0) + seconds
    if len(arguments.paths) > 1:
        print("all paths: " + ", ".join(f"{tool} {seconds:.1f} s CPU" for tool, seconds in totals.items()))


if __name__ == "__main__":
    main()
