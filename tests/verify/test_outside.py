"""What a program writes by absolute paths, and what a checkpoint gives it at its start."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tfmigrate.verify import golden
from tfmigrate.verify.harness.outside import FOLDER, Outside
from tfmigrate.verify.runner import RunRequest, folder_of, run
from tfmigrate.verify.trace import Trace

Start = Callable[[str, str], Trace]


@pytest.fixture
def start(tf2_python: Path, tmp_path: Path) -> Start:
    """Runs a program text on one side; AWAY in it is a folder outside the program's."""

    def go(side: str, text: str) -> Trace:
        root = tmp_path / "tree"
        root.mkdir(exist_ok=True)
        (root / "main.py").write_text(text.replace("AWAY", repr(str(tmp_path / "away"))))
        oracle = "compat" if side == "before" else "tf2"
        return run(RunRequest(root, "main.py", side, oracle, Path(tf2_python), workdir=tmp_path / f"work-{side}"))

    return go


def test_places_inside_and_elsewhere(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    root.mkdir()
    outside = Outside(str(root))
    assert outside.place(str(root / "logs")) is None
    assert outside.place("gs://bucket/logs") is None
    assert outside.place(b"/var/logs") == str(root.resolve() / FOLDER / "var" / "logs")


def test_notebooks_are_no_inputs(tmp_path: Path) -> None:
    for name in ("data.csv", "main.py", "lesson.ipynb"):
        (tmp_path / name).write_text("1")
    assert list(golden.input_hashes(tmp_path)) == ["data.csv"]


BEFORE = """
import os
import tensorflow as tf
v = tf.Variable(1.0, name="v")
step = tf.assign_add(v, 1.0)
tf.summary.scalar("value", v)
merged = tf.summary.merge_all()
saver = tf.train.Saver()
with tf.Session() as sess:
    writer = tf.summary.FileWriter(AWAY, sess.graph)
    print(writer.get_logdir() == AWAY, os.path.isdir(AWAY))
    sess.run(tf.global_variables_initializer())
    for i in range(3):
        sess.run(step)
        writer.add_summary(sess.run(merged), i)
    print(saver.save(sess, os.path.join(AWAY, "model")) == os.path.join(AWAY, "model"))
"""

AFTER = """
import os
import tensorflow as tf
v = tf.Variable(1.0, name="v")
writer = tf.summary.create_file_writer(AWAY)
for i in range(3):
    v.assign_add(1.0)
    with writer.as_default(step=i):
        tf.summary.scalar("value", v)
tf.train.Checkpoint(v=v).write(os.path.join(AWAY, "model"))
manager = tf.train.CheckpointManager(tf.train.Checkpoint(v=v), AWAY, max_to_keep=1)
print(manager.save(), manager.save())
"""


@pytest.mark.tf
@pytest.mark.slow
@pytest.mark.parametrize(("side", "text"), [("before", BEFORE), ("after", AFTER)])
def test_event_files_and_checkpoints_outside_are_seen(start: Start, tmp_path: Path, side: str, text: str) -> None:
    trace = start(side, text)
    assert trace.exit == 0, trace.stderr
    assert [(s.tag, s.step, s.numbers) for s in trace.summaries] == [("value", i, (i + 2.0,)) for i in range(3)]
    saved = [f for f in trace.files if f.path.startswith(FOLDER) and f.path.endswith(".index")]
    assert all(f.values for f in saved)
    assert "tfevents" not in " ".join(p.name for p in (tmp_path / "away").iterdir())
    assert (tmp_path / "away" / "model.index").is_file() == any(f.path.endswith("/model.index") for f in saved)
    if side == "before":
        assert trace.stdout == "True True\nTrue\n"
    else:
        assert [f.path.rsplit("/", 1)[1] for f in saved if "ckpt" in f.path] == ["ckpt-2.index"]


RESTORING = """
import tensorflow as tf

def build():
    v = tf.get_variable("v", [], initializer=tf.constant_initializer(3.0))
    return v, tf.assign_add(v, 1.0)

with tf.Graph().as_default(), tf.Session() as sess:
    v, step = build()
    sess.run(tf.global_variables_initializer())
    sess.run(step)
    tf.train.Saver().save(sess, "./model")
with tf.Graph().as_default(), tf.Session() as sess:
    v, step = build()
    tf.train.Saver().restore(sess, "./model")
    for i in range(3):
        print(sess.run(step))
"""


@pytest.mark.tf
@pytest.mark.slow
def test_what_a_checkpoint_gives_is_the_start(start: Start) -> None:
    trace = start("before", RESTORING)
    assert trace.stdout == "5.0\n6.0\n7.0\n", trace.stderr
    made, restored = trace.variables
    assert (made.restored, restored.restored) == (False, True)
    with np.load(folder_of(trace) / "values.npz") as values:
        begun = [float(values[v.initial.key]) for v in trace.variables if v.initial is not None and v.initial.key]
    assert begun == [3.0, 4.0]
