"""Programs of TensorFlow 0.x become what the same program in 1.15's names becomes."""

from __future__ import annotations

from pathlib import Path

from tfmigrate import pipeline
from tfmigrate.model import FileResult, Options, SourceFile, SourceTree, Status

EARLIER = """
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 2])
w = tf.Variable(tf.ones([2, 1]))
with tf.name_scope("model"):
    y = tf.matmul(x, w)
    cost = tf.reduce_mean(tf.square(y))
    tf.scalar_summary("cost", cost)
tf.histogram_summary("w", w)
merged = tf.merge_all_summaries()
with tf.Session() as sess:
    sess.run(tf.initialize_all_variables())
    writer = tf.train.SummaryWriter("logs", sess.graph_def)
    for i in range(3):
        writer.add_summary(sess.run(merged, {x: [[1.0, 2.0]]}), i)
"""
NAMES = {
    "tf.scalar_summary": "tf.summary.scalar",
    "tf.histogram_summary": "tf.summary.histogram",
    "tf.merge_all_summaries": "tf.summary.merge_all",
    "tf.train.SummaryWriter": "tf.summary.FileWriter",
    "tf.initialize_all_variables": "tf.global_variables_initializer",
}


def convert(text: str) -> FileResult:
    return pipeline.convert(SourceTree(Path("/nowhere"), (SourceFile("m.py", text),)), Options()).files[0]


def test_summaries_of_0_x_convert_as_those_of_1_15_but_for_the_scope_in_their_tags() -> None:
    later = EARLIER
    for old, new in NAMES.items():
        later = later.replace(old, new)
    first, second = convert(EARLIER), convert(later)
    assert first.status is second.status is Status.NATIVE
    assert first.output is not None
    assert second.output is not None
    assert '"cost"' in first.output
    assert first.output.replace('"cost"', '"model/cost"') == second.output


def test_a_summary_of_0_x_with_arguments_by_name_is_refused() -> None:
    file = convert(EARLIER.replace('("cost", cost)', '(tags="cost", values=cost)'))
    assert any(f.code == "TFM125" for f in file.findings)
    assert file.status is Status.REFUSED
