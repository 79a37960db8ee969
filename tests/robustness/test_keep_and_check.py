"""Kept lines stay, `check` names each use of TensorFlow 1, and malformed calls are refused, never a crash."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from tfmigrate import pipeline
from tfmigrate.model import Conversion, Finding, Options, SourceFile, SourceTree, Status

HEAD = "import tensorflow as tf\nx = tf.placeholder(tf.float32)\n"
RUN = "print(tf.Session().run(y, {x: 1.0}))\n"


def convert(text: str) -> Conversion:
    return pipeline.convert(SourceTree(Path("/nowhere"), (SourceFile("m.py", text),)), Options())


def check(text: str) -> tuple[Finding, ...]:
    return pipeline.check(SourceTree(Path("/nowhere"), (SourceFile("m.py", text),)))


def test_a_kept_host_line_stays_as_it_is() -> None:
    kept = "sizes = [1,  2]  # tfmigrate: keep\n"
    file = convert(HEAD + kept + "y = tf.log(x)\n" + RUN).files[0]
    assert file.status is Status.NATIVE
    assert file.output is not None
    assert kept in file.output
    assert "tf.math.log" in file.output


def test_a_kept_line_of_the_graph_is_refused() -> None:
    file = convert(HEAD + "y = tf.log(x)  # tfmigrate: keep\n" + RUN).files[0]
    assert file.status is Status.REFUSED
    assert [(f.code, f.place.line) for f in file.findings if f.code == "TFM159"] == [("TFM159", 3)]


def test_the_mark_within_a_string_is_none() -> None:
    assert convert(HEAD + 's = "# tfmigrate: keep"; y = tf.log(x)\n' + RUN).files[0].status is Status.NATIVE


def test_check_names_each_use_with_line_and_column() -> None:
    places = {(f.code, f.place.line, f.place.column) for f in check(HEAD + "é = 1; y = tf.log(x)\n" + RUN)}
    assert {("TFM320", 2, 5), ("TFM320", 3, 12), ("TFM320", 4, 7)} <= places


def test_check_finds_nothing_in_tensorflow_2() -> None:
    assert check("import tensorflow as tf\nprint(tf.math.log(2.0))\n") == ()


def test_check_tells_of_growth() -> None:
    loop = "s = tf.Session()\nfor i in range(3):\n    print(s.run(x + i, {x: 1.0}))\n"
    assert any(f.code == "TFM309" and f.place.line == 5 for f in check(HEAD + loop))


@pytest.mark.parametrize(
    "call",
    [
        "tf.placeholder()",
        "tf.Variable()",
        "tf.get_variable()",
        "tf.gradients()",
        "tf.assign()",
        "tf.assign(*x)",
        "tf.get_variable(**{})",
        "tf.train.Saver(*x)",
        "tf.summary.scalar()",
        "tf.placeholder(*[tf.float32])",
        "tf.placeholder_with_default()",
        "tf.scatter_add(x)",
        "tf.train.AdamOptimizer().minimize()",
        "tf.train.AdamOptimizer().apply_gradients()",
        "tf.layers.dense()",
        "tf.contrib.layers.flatten()",
        "tf.cond()",
        "tf.while_loop()",
    ],
)
def test_malformed_calls_do_not_crash(call: str) -> None:
    file = convert(HEAD + f"y = {call}\n" + RUN).files[0]
    assert file.status is not Status.FAILED, file.findings


def test_limits_are_put_back() -> None:
    before = sys.getrecursionlimit()
    convert(HEAD + "y = tf.log(x)\n" + RUN)
    assert sys.getrecursionlimit() == before


def test_shared_inputs_take_no_exponential_time() -> None:
    began = time.process_time()
    convert(HEAD + "y = x\n" + "y = tf.add(y, tf.random_normal([1])) + y\n" * 40 + RUN)
    assert time.process_time() - began < 20
