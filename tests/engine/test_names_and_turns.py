"""Names that mean one thing after another, and summaries that a loop makes for each of its turns."""

from __future__ import annotations

import pytest
from engine.test_programs import converted

from tfmigrate.model import Status

HEAD = (
    "import tensorflow as tf\nx = tf.placeholder(tf.float32, [None, 3])\n"
    "a = tf.Variable(tf.ones([3, 2]), name='a')\nb = tf.Variable(tf.zeros([2]), name='b')\n"
    "loss = tf.reduce_mean(tf.square(tf.matmul(x, a) + b - 1.0))\n"
    "opt = tf.train.GradientDescentOptimizer(0.1)\n"
)
RUN = (
    "merged = tf.summary.merge_all()\nwith tf.Session() as sess:\n    sess.run(tf.global_variables_initializer())\n"
    "    writer = tf.summary.FileWriter('logs')\n"
    "    values, _ = sess.run([merged, train], {x: [[1.0, 1.0, 1.0]]})\n    writer.add_summary(values, 0)\n"
)
PAIRS = (
    "pairs = list(zip(tf.gradients(loss, tf.trainable_variables()), tf.trainable_variables()))\n"
    "train = opt.apply_gradients(pairs)\n"
)


def test_a_summary_of_each_turn_is_of_the_thing_of_that_turn() -> None:
    found = converted(
        HEAD
        + "train = opt.minimize(loss)\nfor v in tf.trainable_variables():\n    tf.summary.histogram(v.name, v)\n"
        + RUN
    )
    assert found.status is Status.NATIVE
    assert '"a_0": tf.identity(a), "b_0": tf.identity(b)' in found.text  # the tag as TensorFlow 1 writes it
    assert "for v in" not in found.text


def test_a_summary_of_each_gradient_is_taken_from_the_list() -> None:
    loop = "for grad, v in pairs:\n    tf.summary.histogram(v.name + '/gradient', grad)\n"
    found = converted(HEAD + PAIRS + loop + RUN)
    assert found.status is Status.NATIVE
    assert '"a_0/gradient": pairs[0][0], "b_0/gradient": pairs[1][0]' in found.text


@pytest.mark.parametrize(
    "loop",
    [
        "import random\nfor i in range(random.randint(1, 3)):\n    tf.summary.scalar('s', loss * i)\n",
        "[tf.summary.scalar('s', v) for v in [loss, loss * 2.0]]\n",
        "for v in tf.trainable_variables():\n    size = tf.reduce_sum(v)\n    tf.summary.scalar(v.op.name, size)\n",
    ],
)
def test_a_summary_of_what_only_a_turn_knows_is_refused(loop: str) -> None:
    found = converted(HEAD + "train = opt.minimize(loss)\n" + loop + RUN)
    assert found.status is Status.REFUSED
    assert "TFM125" in found.codes


def _layers(first: str, between: str = "", after: str = "") -> str:
    return (
        "import tensorflow as tf\ndef made(shape):\n    return tf.Variable(tf.ones(shape))\n"
        "x = tf.placeholder(tf.float32, [None, 2])\n"
        f"{first}h = tf.nn.relu(tf.matmul(x, w))\n{between}w = made([3, 1])\n"
        f"y = tf.matmul(h, w)\n{after}"
        "with tf.Session() as sess:\n    sess.run(tf.global_variables_initializer())\n"
        "    print(sess.run(y, {x: [[1.0, 2.0]]}))\n"
    )


def test_a_name_of_two_variables_becomes_two_names() -> None:
    found = converted(_layers("w = made([2, 3])\n"))
    assert found.status is Status.NATIVE
    assert "tf.matmul(x, w)" in found.text
    assert "tf.matmul(h, w_2)" in found.text


def test_the_new_name_avoids_those_of_the_program() -> None:
    found = converted(_layers("w_2 = 1\nw = made([2, 3])\n"))
    assert "tf.matmul(h, w_3)" in found.text


@pytest.mark.parametrize(
    "text",
    [
        _layers("w = made([2, 3])\n", "def shown():\n    return w\n", "print(shown().shape)\n"),
        _layers("w = made([2, 3])\n", "", "print(sorted(globals()))\n"),
        _layers("w = made([2, 3])\nfor i in [1]:\n    print(i)\n", "import os as w\n"),
    ],
)
def test_a_name_that_others_read_is_left_alone(text: str) -> None:
    found = converted(text)
    assert "w_2" not in found.text


MODEL = (
    "import tensorflow as tf\ntf.enable_eager_execution()\nclass Net(tf.keras.Model):\n    def __init__(self):\n"
    "        super().__init__()\n        self.fc = tf.keras.layers.Dense(10)\n    def call(self, inputs):\n"
    "        return self.fc(inputs)\nmodel = Net()\n"
)


def test_the_images_of_the_mnist_reader_are_known_to_be_float32() -> None:
    found = converted(
        MODEL
        + "data = tf.contrib.learn.datasets.load_dataset('mnist')\nprint(model(data.test.images[:5]).numpy().shape)\n"
    )
    assert found.status is Status.NATIVE
    assert 'data = read_data_sets("MNIST-data")' in found.text
    assert "from input_data import read_data_sets" in found.text


@pytest.mark.parametrize("read", ["data.test.labels[:5]", "data.test.next_batch(5)[0]"])
def test_what_else_the_reader_gives_has_no_known_type(read: str) -> None:
    found = converted(
        MODEL + f"data = tf.contrib.learn.datasets.load_dataset('mnist')\nprint(model({read}).numpy().shape)\n"
    )
    assert found.errors == {"TFM136"}


def test_another_data_set_is_refused() -> None:
    found = converted("import tensorflow as tf\ndata = tf.contrib.learn.datasets.load_dataset('iris')\nprint(data)\n")
    assert "TFM119" in found.codes
