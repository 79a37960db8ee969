"""Recurrent cells and networks: names, what is made once, what is made in the step, and what is refused."""

from __future__ import annotations

import pytest
from engine.test_programs import converted

from tfmigrate.model import Status

HEAD = (
    "import tensorflow as tf\nx = tf.placeholder(tf.float32, [None, 5, 3])\n"
    "keep = tf.placeholder(tf.float32, [])\nn = tf.placeholder(tf.int32, [None])\nC = tf.nn.rnn_cell\n"
)
RUN = (
    "loss = tf.reduce_sum(outputs[:, -1])\n"
    "train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)\n"
    "with tf.Session() as sess:\n    sess.run(tf.global_variables_initializer())\n"
    "    print(sess.run([loss, train], {x: [[[1., 2., 3.]] * 5], keep: 0.5, n: [3]})[0])\n"
)
CELL = "cell = C.BasicLSTMCell(4)\n"
DYNAMIC = "outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)\n"


def native(text: str) -> str:
    found = converted(text)
    assert found.status is Status.NATIVE, found.findings
    return found.text


def test_a_cell_is_made_once_and_its_weights_before_any_step() -> None:
    text = native(HEAD + CELL + DYNAMIC + RUN)
    assert "    cell = BasicLSTMCell(4)\n    cell.build(x_spec.shape)\n" in text
    assert "outputs, state = dynamic_rnn(cell, x)\n" in text
    assert "from legacy_rnn import BasicLSTMCell, dynamic_rnn\n" in text


def test_a_cell_inside_the_call_gets_a_name_of_its_own() -> None:
    text = native(HEAD + "outputs, state = tf.nn.dynamic_rnn(C.GRUCell(4), x, dtype=tf.float32)\n" + RUN)
    assert "    gru_cell = GRUCell(4)\n" in text
    assert "dynamic_rnn(gru_cell, x)" in text


def test_a_stack_is_listed_as_a_whole_since_the_number_of_layers_is_the_users_to_change() -> None:
    stack = "layers = 3\ncell = C.MultiRNNCell([C.GRUCell(4) for _ in range(layers)])\n"
    text = native(HEAD + stack + DYNAMIC + RUN)
    assert "[*cell.trainable_variables]" in text
    assert "MultiRNNCell([GRUCell(4) for _ in range(layers)])" in text


def test_a_stack_made_in_a_loop_is_trained_too() -> None:
    stack = "layers = 3\ncells = []\nfor i in range(layers):\n    cells.append(C.GRUCell(4))\n"
    stack += "cell = C.MultiRNNCell(cells)\n"
    assert "[*cell.trainable_variables]" in native(HEAD + stack + DYNAMIC + RUN)


def test_a_probability_of_the_step_is_wrapped_around_the_cell_in_the_step() -> None:
    text = native(HEAD + CELL + "cell = C.DropoutWrapper(cell, output_keep_prob=keep)\n" + DYNAMIC + RUN)
    assert "    basic_lstm_cell = BasicLSTMCell(4)\n" in text
    assert "cell = DropoutWrapper(basic_lstm_cell, output_keep_prob=0.5)" in text
    assert "[basic_lstm_cell.kernel, basic_lstm_cell.bias]" in text


def test_a_fixed_probability_is_wrapped_once() -> None:
    text = native(HEAD + CELL + "cell = C.DropoutWrapper(cell, 0.5)\n" + DYNAMIC + RUN)
    assert "    cell = BasicLSTMCell(4)\n    cell = DropoutWrapper(cell, input_keep_prob=0.5)\n" in text


def test_names_within_a_helper_are_reached_through_its_module() -> None:
    helper = (
        "def network(v):\n    cell = tf.contrib.rnn.BasicRNNCell(4)\n    wrapped = C.DropoutWrapper(cell, 0.5)\n"
        "    outputs, state = tf.nn.dynamic_rnn(wrapped, v, dtype=tf.float32)\n    return outputs\n"
        "outputs = network(x)\n"
    )
    text = native(HEAD + helper + RUN)
    assert "class Network(tf.Module):" in text
    assert "    network = Network()\n" in text
    assert "*network.wrapped.trainable_variables" in text


def test_a_name_that_is_bound_again_in_a_helpers_step_is_another_one_there() -> None:
    helper = (
        "def network(v, kept):\n    cell = C.BasicRNNCell(4)\n    cell = C.DropoutWrapper(cell, kept)\n"
        "    outputs, state = tf.nn.dynamic_rnn(cell, v, dtype=tf.float32)\n    return outputs\n"
        "outputs = network(x, keep)\n"
    )
    text = native(HEAD + helper + RUN)
    assert "self.basic_rnn_cell = BasicRNNCell(4)" in text
    assert "cell = DropoutWrapper(self.basic_rnn_cell, input_keep_prob=kept)" in text
    assert "network.basic_rnn_cell.kernel" in text


@pytest.mark.parametrize(
    ("network", "names"),
    [
        (DYNAMIC, ["rnn/basic_lstm_cell/kernel", "rnn/basic_lstm_cell/bias"]),
        (
            "outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32, scope='mine')\n",
            ["mine/basic_lstm_cell/kernel"],
        ),
        (
            "with tf.variable_scope('a'):\n    (outputs, _), _ = tf.nn.bidirectional_dynamic_rnn("
            "cell, C.GRUCell(4, name='g'), x, dtype=tf.float32)\n",
            ["a/bidirectional_rnn/fw/basic_lstm_cell/kernel", "a/bidirectional_rnn/bw/g/candidate/bias"],
        ),
        (
            "cell = C.MultiRNNCell([cell, C.LSTMCell(4, num_proj=2)])\n"
            "outputs, state = tf.nn.dynamic_rnn(cell, x, n, dtype=tf.float32)\n",
            ["rnn/multi_rnn_cell/cell_0/basic_lstm_cell/bias", "rnn/multi_rnn_cell/cell_1/lstm_cell/projection/kernel"],
        ),
        (
            "o, s = cell(x[:, 0], cell.zero_state(1, tf.float32))\noutputs = tf.expand_dims(o, 1)\n",
            ["basic_lstm_cell/kernel"],
        ),
    ],
)
def test_variables_have_the_names_of_tensorflow_1(network: str, names: list[str]) -> None:
    saved = RUN + "    tf.train.Saver().restore(sess, 'model')\n"
    text = native(HEAD + CELL + network + saved)
    for name in names:
        assert f'"{name}": ' in text


def test_states_are_taken_apart_and_put_together() -> None:
    text = native(
        HEAD
        + CELL
        + "_, state = tf.nn.dynamic_rnn(cell, x, n, dtype=tf.float32)\nfirst = C.LSTMStateTuple(state.c, state[1])\n"
        + "outputs, (c, h) = tf.nn.dynamic_rnn(cell, x, initial_state=first)\noutputs += tf.expand_dims(h, 1)\n"
        + RUN
    )
    assert "_, state = dynamic_rnn(cell, x, sequence_length=n)" in text
    assert "outputs, (c, h) = dynamic_rnn(cell, x, initial_state=first)" in text


@pytest.mark.parametrize(
    "lines",
    [
        "cell = C.BasicLSTMCell(4, state_is_tuple=False)\n" + DYNAMIC,
        "cell = tf.contrib.rnn.LayerNormBasicLSTMCell(4)\n" + DYNAMIC,
        "cell = C.DropoutWrapper(C.GRUCell(4), 0.5, variational_recurrent=True, dtype=tf.float32)\n" + DYNAMIC,
        CELL + "with tf.variable_scope('s', initializer=tf.ones_initializer()):\n    " + DYNAMIC,
        "cell = C.MultiRNNCell([C.DropoutWrapper(C.GRUCell(4), keep) for _ in range(2)])\n" + DYNAMIC,
        "def net():\n    return tf.nn.dynamic_rnn(C.GRUCell(4), x, dtype=tf.float32)\n"
        "with tf.variable_scope('s'):\n    a, _ = net()\n"
        "with tf.variable_scope('s', reuse=True):\n    outputs, _ = net()\n",
    ],
)
def test_what_is_not_followed_is_refused(lines: str) -> None:
    found = converted(HEAD + lines + RUN)
    assert found.status is Status.REFUSED
    assert found.errors & {"TFM133", "TFM208", "TFM213", "TFM103", "TFM148"}


def test_the_initializer_of_a_scope_is_the_cells() -> None:
    text = native(
        HEAD
        + "start = tf.random_uniform_initializer(-0.1, 0.1)\nwith tf.variable_scope('s', initializer=start):\n    "
        + CELL
        + "    own = C.GRUCell(4, kernel_initializer=tf.ones_initializer())\n    "
        + DYNAMIC
        + "    outputs, _ = tf.nn.dynamic_rnn(own, outputs, dtype=tf.float32)\n"
        + RUN
    )
    assert "cell = BasicLSTMCell(4, kernel_initializer=start)" in text
    assert text.count("kernel_initializer=") == 2


def test_a_custom_cell_is_refused() -> None:
    found = converted(HEAD + "class Mine(C.RNNCell):\n    pass\ncell = Mine()\n" + DYNAMIC + RUN)
    assert found.status is Status.REFUSED
    assert "TFM102" in found.errors
