"""Both sides end at the same run, however few steps are asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from verify.synthetic import training

from tfmigrate import pipeline
from tfmigrate.model import Options, Program, Status
from tfmigrate.source.tree import read
from tfmigrate.verify import runner, verification
from tfmigrate.verify.harness.after import plain
from tfmigrate.verify.harness.settings import Settings
from tfmigrate.verify.harness.stopping import Stop, Stopper
from tfmigrate.verify.legacy import learns_nothing
from tfmigrate.verify.results import Verdict
from tfmigrate.verify.runner import RunRequest, stop_of
from tfmigrate.verify.trace import Trace

HEAD = """
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(0)
xs = rng.rand(64, 3).astype("float32")
ys = (xs.sum(axis=1, keepdims=True) + 0.3).astype("float32")
x = tf.placeholder(tf.float32, [None, 3])
y = tf.placeholder(tf.float32, [None, 1])
W = tf.Variable(tf.random_normal([3, 1], stddev=0.3), name="W")
b = tf.Variable(tf.zeros([1]), name="b")
prediction = tf.matmul(x, W) + b
loss = tf.reduce_mean(tf.square(prediction - y))
train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
scale = tf.constant(2.0) * 3.0
init = tf.global_variables_initializer()
feed = {x: xs, y: ys}
"""

# In each the sites run unequally often, so that a side with a limit of its own stops at another run than the other.
PROGRAMS = {
    "an inner loop longer than the limit, and sites that run once an epoch": """
with tf.Session() as sess:
    sess.run(init)
    for epoch in range(2):
        for i in range(8):
            sess.run(train_op, {x: xs[i::8], y: ys[i::8]})
            if i % 8 == 0:
                print("loss %.5f" % sess.run(loss, {x: xs[i::8], y: ys[i::8]}))
        print("epoch", epoch, "validation %.5f" % sess.run(loss, {x: xs, y: ys}))
    print("test", sess.run(prediction, {x: xs[:2]}))
""",
    "a branch that is taken too late and one that never is": """
with tf.Session() as sess:
    sess.run(init)
    for epoch in range(4):
        for i in range(3):
            _, value = sess.run([train_op, loss], {x: xs[i::3], y: ys[i::3]})
        if epoch == 3:
            print("late", sess.run(prediction, {x: xs[:2]}))
        if value > 1000:
            print("never", sess.run(loss, {x: xs, y: ys}))
        print(epoch, value)
""",
    "several runs on a line: an initializer, a variable, a constant, steps": """
with tf.Session() as sess:
    sess.run(init); sess.run(train_op, {x: xs, y: ys})
    for i in range(20):
        sess.run(train_op, {x: xs[:8], y: ys[:8]}); sess.run(b)
        print(sess.run(scale), sess.run(loss, {x: xs, y: ys}), sess.run(W).ravel(), sess.run(prediction, {x: xs[:2]}))
""",
    "two loops that train, and an initializer run again in the loop": """
with tf.Session() as sess:
    sess.run(init)
    for i in range(3):
        sess.run(train_op, {x: xs[:8], y: ys[:8]})
    for trial in range(3):
        sess.run(init)
        for i in range(4):
            sess.run(train_op, {x: xs, y: ys})
        print("%.5f" % sess.run(loss, {x: xs, y: ys}))
""",
}


def settings(**changes: object) -> Settings:
    names = dict.fromkeys(Settings._fields)
    return Settings(**{**names, "max_steps": 3, "stop_at": {}, "loop_sites": [], **changes})


def test_the_other_side_has_no_limit_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Stopper, "_end", lambda stopper: None)  # what a timer would do to this process after the stop
    stopper = Stopper(settings(stop_at={"runs": 7}), now=lambda: 0.0, finish=lambda: None)
    for _ in range(7):
        stopper.enter(("main.py", 5), True)  # more than max_steps at one place
    with pytest.raises(Stop):
        stopper.enter(("main.py", 5), True)


def test_a_run_that_was_stopped_says_where_the_other_stops() -> None:
    ended = replace(training("before").trace, environment={"counted": 24})
    cut = replace(ended, stopped_at={"main.py:10": 20}, reason="step limit")
    assert stop_of(cut) == {"runs": 24}
    assert stop_of(cut, 23) == {"runs": 23}


def test_a_run_that_ended_by_itself_leaves_the_other_ample_room() -> None:
    ended = replace(training("before").trace, environment={"counted": 24})
    assert stop_of(ended)["runs"] > 10 * 24
    assert stop_of(replace(ended, events=()), 0)["runs"] > 0  # a program that never ends is ended


@pytest.mark.parametrize(
    "name", ["train_step", "_train_step", "Model.train_step", "__inference_train_step_41", "__forward__train_step_3"]
)
def test_a_step_is_known_by_its_plain_name(name: str) -> None:
    assert plain(name) == "train_step"


def test_variables_begun_anew_say_nothing_of_learning() -> None:
    moved = training("before").trace
    still = replace(moved, variables=tuple(replace(v, final=v.initial) for v in moved.variables))
    assert learns_nothing(still)
    again = replace(still.events[0], index=90)
    assert not learns_nothing(replace(still, events=(*still.events, again)))


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[tuple[RunRequest, Trace]]:
    """All runs that are made, with what was asked."""
    made: list[tuple[RunRequest, Trace]] = []
    original: Callable[[RunRequest], Trace] = runner.run

    def run(request: RunRequest) -> Trace:
        made.append((request, original(request)))
        return made[-1][1]

    monkeypatch.setattr(runner, "run", run)
    return made


def converted(folder: Path, text: str) -> tuple[Path, Path, Program]:
    """The program's tree, its conversion's tree and what the conversion knows."""
    before, after = folder / "before", folder / "after"
    before.mkdir()
    after.mkdir()
    (before / "main.py").write_text(text)
    conversion = pipeline.convert(read(before), Options())
    for file in conversion.files:
        assert file.status is Status.NATIVE, file.findings
        assert file.output is not None
        (after / file.path).write_text(file.output)
    for support in conversion.support:
        (after / support.path).write_text(support.text)
    return before, after, conversion.programs[0]


@pytest.mark.tf
@pytest.mark.slow
@pytest.mark.parametrize("kind", PROGRAMS)
def test_a_right_conversion_is_verified_at_a_small_limit(
    kind: str, tmp_path: Path, tf2_python: Path, runs: list[tuple[RunRequest, Trace]]
) -> None:
    before, after, program = converted(tmp_path, HEAD + PROGRAMS[kind])
    found = verification.verify_pair(
        before, after, "main.py", oracle="compat", max_steps=5, timing=False, conversion=program, python=tf2_python
    )
    assert found.verdict is Verdict.VERIFIED, found.reason
    counted = [trace.environment["counted"] for _, trace in runs]
    assert len(runs) == 3  # the judging run, the noise floor, the converted program
    assert len(set(counted)) == 1
    assert counted[0] > 5
    assert len({bool(trace.stopped_at) for _, trace in runs}) == 1
