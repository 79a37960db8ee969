"""Messages of exceptions are text for whoever reads them: a tensor in one is not given to anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfmigrate import pipeline
from tfmigrate.model import FileResult, Options, SourceFile, SourceTree, Status

HEAD = "import tensorflow as tf\n"
NETWORK = """
def network(x, kind):
    if kind == "square":
        return tf.square(x)
    if kind == "double":
        return tf.add(x, x)
    {raised}


x = tf.placeholder(tf.float32, [2])
y = network(x, "square")
with tf.Session() as sess:
    print(sess.run(y, {{x: [1.0, 2.0]}}))
"""


def convert(text: str) -> FileResult:
    return pipeline.convert(SourceTree(Path("/nowhere"), (SourceFile("m.py", text),)), Options()).files[0]


@pytest.mark.parametrize(
    "raised",
    [
        'raise ValueError("no %s for %s" % (kind, x))',
        'raise KeyError("no layer after %s" % x)',
        'raise TypeError("no layer after", x)',
        "raise RuntimeError(x)",
    ],
)
def test_a_tensor_in_a_message_stays(raised: str) -> None:
    file = convert(HEAD + NETWORK.format(raised=raised))
    assert file.status is Status.NATIVE, file.findings
    assert file.output is not None
    assert raised in file.output


def test_a_message_of_the_host_that_names_a_tensor_of_a_step_is_refused() -> None:
    text = HEAD + (
        "x = tf.placeholder(tf.float32, [2])\n"
        "y = tf.square(x)\n"
        "with tf.Session() as sess:\n"
        "    value = sess.run(y, {x: [1.0, 2.0]})\n"
        "    if value[0] > 5.0:\n"
        '        raise ValueError("too large", y)\n'
    )
    assert [f.code for f in convert(text).findings] == ["TFM111"]
