"""Helpers that make Keras layers, scopes that are reused, and lists of variables by name."""

from __future__ import annotations

from engine.test_programs import converted

from tfmigrate.model import Status

HEAD = (
    "import tensorflow as tf\nx = tf.placeholder(tf.float32, [None, 2])\n"
    "def net(v):\n    with tf.variable_scope('net'):\n        h = tf.layers.dense(v, 3)\n        return tf.nn.relu(h)\n"
    "loss = tf.reduce_sum(net(x))\n"
)
RUN = "with tf.Session() as sess:\n    sess.run(tf.global_variables_initializer())\n"
FEED = "{x: [[1., 2.]]}"


def test_a_helper_whose_layers_are_trained_stands_in_its_callers_place() -> None:
    found = converted(
        HEAD
        + "train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)\n"
        + RUN
        + f"    sess.run(train, {FEED})\n"
    )
    assert found.status is Status.NATIVE
    assert "[dense.kernel, dense.bias]" in found.text


def test_a_helper_whose_layers_nobody_names_stays_a_module() -> None:
    found = converted(HEAD + RUN + f"    print(sess.run(loss, {FEED}))\n")
    assert found.status is not Status.FAILED
    assert found.status is Status.REFUSED or "class Net(tf.Module)" in found.text


def test_a_list_of_a_layers_variables_is_made_in_the_step_after_the_layer_is_called() -> None:
    found = converted(
        HEAD + "mine = [v for v in tf.trainable_variables() if 'net' in v.name]\n"
        "train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, var_list=mine)\n"
        + RUN
        + f"    sess.run(train, {FEED})\n"
    )
    assert found.status is Status.NATIVE
    step = found.text.split("GradientTape", 1)[1]
    assert (
        step.index("loss =") < step.index("mine = [dense.kernel, dense.bias]") < step.index("tape.gradient(loss, mine)")
    )


def test_a_list_of_a_layers_variables_that_the_host_needs_is_refused() -> None:
    found = converted(
        HEAD + "mine = tf.trainable_variables()\nprint(len(mine))\n" + RUN + f"    print(sess.run(loss, {FEED}))\n"
    )
    assert found.status is Status.REFUSED


def test_variables_that_a_reused_scope_gives_are_the_same() -> None:
    found = converted(
        "import tensorflow as tf\nx = tf.placeholder(tf.float32, [None, 2])\n"
        "def net(v, again=False):\n    with tf.variable_scope('net') as scope:\n        if again:\n"
        "            scope.reuse_variables()\n        w = tf.get_variable('w', [2, 1])\n    return tf.matmul(v, w)\n"
        "a = net(x)\nb = net(2.0 * x, True)\n" + RUN + f"    print(sess.run([a, b], {FEED}))\n"
    )
    assert found.status is Status.NATIVE
    assert found.text.count("tf.Variable(") == 1


def test_a_filter_whose_condition_only_the_run_can_tell_stays() -> None:
    found = converted(
        "import sys\nimport tensorflow as tf\nw = tf.Variable(1.0, name='a')\nv = tf.Variable(2.0, name='b')\n"
        "mine = [k for k in tf.trainable_variables() if k.name[0] in sys.argv[0]]\n" + RUN + "    print(sess.run(w))\n"
    )
    assert "for k in [w, v]" in found.text or found.status is Status.REFUSED
