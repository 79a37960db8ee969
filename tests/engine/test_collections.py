"""Collections of the graph as lists: who fills them, who reads them, and what is refused."""

from __future__ import annotations

import pytest
from engine.test_programs import converted

from tfmigrate.model import Status

HEAD = "import tensorflow as tf\nx = tf.placeholder(tf.float32, [])\nw = tf.Variable(2.0, name='w')\n"
RUN = "with tf.Session() as sess:\n    sess.run(tf.global_variables_initializer())\n"
TOTAL = "total = tf.add_n(tf.get_collection('own'))\n"
PRINT = RUN + "    print(sess.run(total, {x: 1.0}))\n"


def test_an_own_collection_is_a_list_of_the_step() -> None:
    found = converted(HEAD + "tf.add_to_collection('own', x * w)\ntf.add_to_collection('own', w)\n" + TOTAL + PRINT)
    assert found.status is Status.NATIVE
    assert "own.append(1.0 * w)" in found.text
    assert "tf.add_n(own)" in found.text


def test_the_list_bears_the_name_that_its_one_read_binds() -> None:
    found = converted(
        HEAD + "tf.add_to_collection('own', x * w)\nparts = tf.get_collection('own')\ntotal = tf.add_n(parts)\n" + PRINT
    )
    assert found.status is Status.NATIVE
    assert "parts.append(1.0 * w)" in found.text
    assert "own" not in found.text


def test_a_regularizer_of_a_variable_is_computed_in_the_step() -> None:
    found = converted(
        HEAD
        + "decay = tf.contrib.layers.l2_regularizer(0.1)\npenalty = decay(w)\ntotal = x + penalty\n"
        + "train = tf.train.GradientDescentOptimizer(0.1).minimize(total)\n"
        + RUN
        + "    sess.run(train, {x: 1.0})\n"
    )
    assert found.status is Status.NATIVE
    assert "penalty = decay(w)" in found.text.split("GradientTape", 1)[1]


def test_losses_of_tf_losses_are_in_the_collection_of_losses() -> None:
    found = converted(
        HEAD
        + "first = tf.losses.mean_squared_error(x, w)\nsecond = 2.0 * tf.losses.absolute_difference(x, w)\n"
        + "total = tf.add_n(tf.get_collection('losses'))\n"
        + PRINT
    )
    assert found.status is Status.NATIVE
    assert ".append(first)" in found.text
    assert ".append(loss_value)" in found.text


def test_what_nothing_reads_is_left_out() -> None:
    found = converted(
        HEAD + "def note(v, on=True):\n    if on: tf.add_to_collection('own', v)\n    return v\n"
        "total = note(x * w)\n" + PRINT
    )
    assert found.status is Status.NATIVE
    assert "own" not in found.text


def test_branches_that_an_argument_decides_are_taken_when_a_helper_is_put_in_its_callers_place() -> None:
    found = converted(
        HEAD + "def part(v, decay=None):\n    if decay is None:\n        tf.add_to_collection('own', v)\n"
        "    else:\n        tf.add_to_collection('own', v * decay)\n    return v\n"
        "a = part(x * w)\nb = part(w, 0.5)\n" + TOTAL + PRINT
    )
    assert found.status is Status.NATIVE
    assert "is None" not in found.text
    assert "w * 0.5" in found.text


def test_two_graphs_have_two_collections() -> None:
    graph = (
        "with tf.Graph().as_default():\n    x = tf.placeholder(tf.float32, [])\n    w = tf.Variable({0})\n"
        "    tf.add_to_collection('own', x * w)\n    total = tf.add_n(tf.get_collection('own'))\n"
        "    with tf.Session() as sess:\n        sess.run(tf.global_variables_initializer())\n"
        "        print(sess.run(total, {{x: 1.0}}))\n"
    )
    found = converted("import tensorflow as tf\n" + graph.format("1.0") + graph.format("2.0"))
    if found.status is Status.NATIVE:
        assert len({line.split(".")[0].strip() for line in found.text.splitlines() if ".append(" in line}) == 2


@pytest.mark.parametrize(
    "filled",
    [
        "for i in range(2):\n    tf.add_to_collection('own', x * w)\n    part = tf.add_n(tf.get_collection('own'))\n",
        "tf.add_to_collection('own', x * w)\nt = tf.add_n(tf.get_collection('own', scope='s'))\n",
        "k = str(len(open('f').read()))\ntf.add_to_collection(k, x * w)\n",
        "tf.get_collection_ref(tf.GraphKeys.TRAINABLE_VARIABLES).append(x)\n",
    ],
)
def test_collections_that_are_no_plain_lists_are_refused(filled: str) -> None:
    found = converted(HEAD + filled + "tf.add_to_collection('own', w)\n" + TOTAL + PRINT)
    assert "TFM124" in found.errors


def test_a_scope_filters_as_a_regular_expression_from_the_beginning() -> None:
    found = converted(
        "import tensorflow as tf\na = tf.Variable(1.0, name='net/a')\nb = tf.Variable(2.0, name='my/net/b')\n"
        "c = tf.Variable(3.0, name='nut/c')\nchosen = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope='n.t/')\n"
        + RUN
        + "    print(sess.run(chosen))\n"
    )
    assert found.status is Status.NATIVE
    assert "[a, c]" in found.text
