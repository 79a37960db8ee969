"""Programs of Python 2: converted to Python 3 of TensorFlow 2, with the libraries they import, or left as they are."""

from __future__ import annotations

from pathlib import Path

from tfmigrate import pipeline
from tfmigrate.model import Conversion, FileResult, Options, Status
from tfmigrate.source import contents
from tfmigrate.source.tree import read

PROGRAM = """import tensorflow as tf
import rows

x = tf.placeholder(tf.float32, [None, 2])
w = tf.Variable(tf.ones([2, 1]))
loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - 1.0))
step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in xrange(7 / 2):
        _, value = sess.run([step, loss], feed_dict={x: rows.batch(i)})
        print "%d: %.4f" % (i, value / 2)
"""
LIBRARY = """import numpy as np

def batch(i):
    print 'batch', i
    return np.ones((3 / 2, 2)) * i
"""


def converted(folder: Path, **texts: str) -> tuple[Conversion, dict[str, FileResult]]:
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text)
    conversion = pipeline.convert(read(folder), Options())
    return conversion, {f.path: f for f in conversion.files}


def test_a_program_and_its_library_become_python_3(tmp_path: Path) -> None:
    conversion, files = converted(tmp_path, train=PROGRAM, rows=LIBRARY)
    train, rows = files["train.py"], files["rows.py"]
    assert [(f.status, [x.code for x in f.findings]) for f in (train, rows)] == [(Status.NATIVE, ["TFM009"])] * 2
    assert train.output is not None
    assert "\nfor i in range(7 // 2):\n" in train.output
    assert 'print("%d: %.4f" % (i, value / 2))' in train.output
    assert rows.output == LIBRARY.replace("print 'batch', i", "print('batch', i)").replace("3 / 2", "3 // 2")
    assert {c.path: c.before for c in contents.changed(conversion)} == {"train.py": PROGRAM, "rows.py": LIBRARY}


def test_places_are_those_of_the_text_that_was_read(tmp_path: Path) -> None:
    grown = PROGRAM.replace("        print", "        sess.run(tf.assign(w, w * 2.0))\n        print")
    _, files = converted(tmp_path, train=grown, rows=LIBRARY)
    places = {f.place.line for f in files["train.py"].findings if f.code.startswith("TFM3")}
    assert places == {grown.splitlines().index("        sess.run(tf.assign(w, w * 2.0))") + 1}


def test_a_refused_program_keeps_its_python_2(tmp_path: Path) -> None:
    text = PROGRAM + "tf.train.Server(tf.train.ClusterSpec({}))\n"
    conversion, files = converted(tmp_path, train=text, rows=LIBRARY)
    assert [files[p].status for p in ("train.py", "rows.py")] == [Status.REFUSED, Status.UNCHANGED]
    assert contents.changed(conversion) == ()


def test_python_2_without_tensorflow_is_nobodys_business(tmp_path: Path) -> None:
    conversion, files = converted(tmp_path, rows=LIBRARY)
    assert (files["rows.py"].status, contents.changed(conversion)) == (Status.UNCHANGED, ())
