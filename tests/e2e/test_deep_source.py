"""Source that is nested deeply, or long, is converted or refused: no stack overflows, and no time runs away."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

DEEP = {
    "sum": "x = " + " + ".join(["x"] * 2_500),
    "not": "x = " + "not " * 2_500 + "x",
    "calls": "x = f" + "()" * 2_500,
    "attributes": "x = x" + ".x" * 2_500,
    "elif": "if x:\n    pass\n" + "elif x:\n    pass\n" * 2_000,
    "lists": "x = " + "[" * 190 + "]" * 190,
    "blocks": "".join(" " * n + "if x:\n" for n in range(90)) + " " * 90 + "x = tf.log(x)",
    "strings": "x = (" + "'a'\n" * 5_000 + ")",
    "long": "\n".join(f"x{n} = tf.constant({n})" for n in range(20_000)),
    "wide": "x = [" + "tf.constant(1), " * 5_000 + "]",
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", DEEP)
def test_deep_and_long_programs(tmp_path: Path, kind: str) -> None:
    text = (
        "import tensorflow as tf\nx = tf.placeholder(tf.float32)\n"
        + DEEP[kind]
        + "\nprint(tf.Session().run(x, {x: 1}))\n"
    )
    (tmp_path / "a.py").write_text(text)
    # In a process of its own: a stack that overflows takes its process along.
    done = subprocess.run(
        [sys.executable, "-m", "tfmigrate", "convert", str(tmp_path / "a.py")],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,  # a busy machine is no defect
    )
    assert done.returncode in (0, 1), (done.returncode, done.stderr[-500:])
    assert (tmp_path / "a_tf2/a.py").is_file()
