"""tf.train.ExponentialMovingAverage: where the averages are made, when they move, and what is refused."""

from __future__ import annotations

import pytest
from engine.test_programs import converted

from tfmigrate.model import Status

HEAD = (
    "import tensorflow as tf\nw = tf.Variable(1.0, name='w')\nloss = tf.square(w)\n"
    "ema = tf.train.ExponentialMovingAverage(0.9)\n"
    "train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)\n"
)
RUN = "with tf.Session() as sess:\n    sess.run(tf.global_variables_initializer())\n"
AFTER = "with tf.control_dependencies([train]):\n    kept = ema.apply([w])\n"


def test_averages_are_made_once_and_moved_after_the_update() -> None:
    found = converted(HEAD + AFTER + RUN + "    sess.run(kept)\n    print(sess.run(ema.average(w)))\n")
    assert found.status is Status.NATIVE
    build, step = found.text.split("def ", 1)
    assert build.count("ema.apply([w])") == 1
    assert step.index("apply_gradients") < step.index("ema.apply([w])")
    assert "print(ema.average(w).numpy())" in found.text
    assert "TFM407" not in found.codes


def test_an_update_in_no_order_with_the_training_is_told() -> None:
    found = converted(HEAD + "kept = ema.apply([w])\nboth = tf.group(train, kept)\n" + RUN + "    sess.run(both)\n")
    assert found.status is Status.NATIVE
    assert "TFM407" in found.codes


def test_what_reads_an_average_does_not_move_it() -> None:
    found = converted(
        HEAD + AFTER + "y = 2.0 * ema.average(w)\n" + RUN + "    sess.run(kept)\n    print(sess.run(y))\n"
    )
    assert found.status is Status.NATIVE
    body = found.text.split("def compute_y", 1)[1].split("compute_y.get_concrete_function", 1)[0]
    assert "ema.average(w)" in body
    assert "apply" not in body


def test_a_restored_average_is_looked_up_under_its_own_name() -> None:
    found = converted(
        "import tensorflow as tf\nw = tf.Variable(1.0, name='w')\nema = tf.train.ExponentialMovingAverage(0.9)\n"
        "saver = tf.train.Saver(ema.variables_to_restore())\n"
        + RUN
        + "    saver.restore(sess, 'm/model')\n    print(sess.run(w))\n"
    )
    assert found.status is Status.NATIVE
    assert "tf.train.Checkpoint(w_ExponentialMovingAverage=w)" in found.text
    assert '{"w/ExponentialMovingAverage": w}' in found.text


@pytest.mark.parametrize(
    "kept",
    [
        "kept = ema.apply([loss])\n",
        "for i in range(2):\n    kept = ema.apply([w])\n",
        "kept = ema.apply([w])\nagain = ema.apply([w])\n",
        "d = tf.layers.dense(tf.zeros([1, 1]), 1)\nkept = ema.apply()\n",
        "x = tf.placeholder(tf.float32, [])\nema = tf.train.ExponentialMovingAverage(x)\nkept = ema.apply([w])\n",
        "kept = tf.train.ExponentialMovingAverage(0.5).apply([w])\n",
        "import sys\nif len(sys.argv) > 5:\n    kept = ema.apply([w])\nelse:\n    kept = train\n",
    ],
)
def test_averages_that_cannot_be_made_once_are_refused(kept: str) -> None:
    found = converted(HEAD + kept + RUN + "    sess.run(kept)\n")
    assert "TFM165" in found.errors
