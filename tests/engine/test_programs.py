"""What small Session programs become: the forms that carry meaning, and what is refused rather than guessed."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from pathlib import Path

import pytest

from tfmigrate.model import Finding, Options, Severity, SourceFile, SourceTree, Status
from tfmigrate.pipeline import convert


@dataclass(frozen=True)
class Converted:
    """What became of the program's entry."""

    status: Status
    text: str
    findings: tuple[Finding, ...]

    @property
    def errors(self) -> set[str]:
        """The codes of what kept it from being native."""
        return {f.code for f in self.findings if f.severity is Severity.ERROR}

    @property
    def codes(self) -> set[str]:
        """All codes."""
        return {f.code for f in self.findings}


def converted(program: str, **others: str) -> Converted:
    """Convert `main.py` with this text, and other modules beside it."""
    texts = {"main.py": program, **{name + ".py": text for name, text in others.items()}}
    files = tuple(SourceFile(path, textwrap.dedent(text)) for path, text in sorted(texts.items()))
    result = convert(SourceTree(Path("."), files), Options())
    entry = next(f for f in result.files if f.path == "main.py")
    return Converted(entry.status, entry.output or "", tuple(f for file in result.files for f in file.findings))


HEAD = "import tensorflow as tf\nx = tf.placeholder(tf.float32, [None, 2])\n"
RUN = "with tf.Session() as sess:\n    sess.run(tf.global_variables_initializer())\n"


def test_fetches_and_feeds_become_a_call() -> None:
    found = converted(
        HEAD + "w = tf.Variable([[1.0], [2.0]])\ny = tf.matmul(x, w)\n" + RUN + "    v = sess.run(y, {x: [[1., 2.]]})\n"
    )
    assert found.status is Status.NATIVE
    assert "def compute_y(x):" in found.text
    assert "v = compute_y([[1., 2.]]).numpy()" in found.text
    assert "Session" not in found.text
    assert "placeholder" not in found.text


def test_loss_is_computed_before_the_update_and_only_values_are_unpacked() -> None:
    found = converted(
        HEAD + "w = tf.Variable([[1.0], [2.0]])\nloss = tf.reduce_sum(tf.matmul(x, w))\n"
        "train = tf.train.AdamOptimizer(0.1).minimize(loss)\n"
        + RUN
        + "    for i in range(3):\n        _, l = sess.run([train, loss], {x: [[1., 2.]]})\n"
    )
    assert "l = train_step([[1., 2.]]).numpy()" in found.text
    assert found.text.index("loss =") < found.text.index("apply_gradients")
    assert "optimizer.build(trainable_variables)" in found.text


def test_an_expression_over_a_variable_is_taken_before_its_update() -> None:
    found = converted(
        "import tensorflow as tf\nv = tf.Variable(1.0)\nold = v + 0.0\n"
        "with tf.control_dependencies([old]):\n    new = tf.assign_add(v, 5.0)\n"
        + RUN
        + "    print(sess.run([old, new]))\n"
    )
    assert found.status is Status.NATIVE
    assert found.text.index("v + 0.0") < found.text.index("assign_add")


def test_variables_of_one_helper_keep_their_own_names() -> None:
    found = converted(
        "def make(shape):\n    return tf.Variable(tf.zeros(shape))\n".join(["import tensorflow as tf\n", ""])
        + "x = tf.placeholder(tf.float32, [None, 2])\na = make([2, 3])\nb = make([3, 1])\n"
        "loss = tf.reduce_sum(tf.matmul(tf.matmul(x, a), b))\n"
        "train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)\n"
        + RUN
        + "    sess.run(train, {x: [[1., 2.]]})\n"
    )
    assert "a = make([2, 3])" in found.text
    assert "b = make([3, 1])" in found.text
    assert "[a, b]" in found.text


def test_the_elements_of_a_comprehension_are_told_apart() -> None:
    found = converted(
        "import tensorflow as tf\nvs = [tf.Variable(float(i)) for i in range(3)]\n"
        + RUN
        + "    print(sess.run(vs))\n    print(sum(sess.run(v) for v in vs))\n"
    )
    assert "[vs[0].numpy(), vs[1].numpy(), vs[2].numpy()]" in found.text
    assert "sum(v.numpy() for v in vs)" in found.text


def test_a_name_bound_again_does_not_change_what_a_step_reads() -> None:
    found = converted(
        HEAD
        + "w = tf.Variable([[1.0], [2.0]])\nh = tf.matmul(x, w)\nw = tf.Variable([[3.0]])\ny = tf.matmul(h, w)\n"
        + RUN
        + "    print(sess.run(y, {x: [[1., 2.]]}))\n"
    )
    assert found.status is Status.NATIVE
    first, second = (line.split(" = ")[0].strip() for line in found.text.splitlines() if "tf.Variable(" in line)
    assert first != second
    assert f"tf.matmul(x, {first})" in found.text


def test_a_host_constant_bound_again_before_the_trace_becomes_two() -> None:
    found = converted(
        HEAD + "k = 2.0\na = x * k\nk = 3.0\nb = a * k\n" + RUN + "    print(sess.run(b, {x: [[1., 2.]]}))\n"
    )
    assert found.status is Status.NATIVE
    assert "x * k\n" in found.text
    assert "a * k_2\n" in found.text


def test_a_host_constant_bound_again_that_another_function_reads_is_refused() -> None:
    found = converted(
        HEAD
        + "k = 2.0\na = x * k\nk = 3.0\nb = a * k\ndef shown():\n    return k\n"
        + RUN
        + "    print(shown(), sess.run(b, {x: [[1., 2.]]}))\n"
    )
    assert found.errors == {"TFM123"}


def test_an_op_made_in_the_loop_leaves_it() -> None:
    found = converted(
        HEAD + RUN + "    for i in range(9):\n        print(sess.run(tf.reduce_sum(x * 2.0), {x: [[1., 2.]]}))\n"
    )
    assert found.status is Status.NATIVE
    assert found.text.index("def ") < found.text.index("for i in range(9)")
    assert "TFM309" in found.codes


def test_a_host_value_that_changes_in_the_loop_is_a_parameter() -> None:
    found = converted(
        "import numpy as np\n"
        + HEAD
        + RUN
        + "    for i in range(9):\n        weight = np.float32(i)\n        y = x * weight\n"
        "        print(sess.run(y, {x: [[1., 2.]]}))\n"
    )
    assert found.status is Status.NATIVE
    assert "(x, weight)" in found.text


def test_a_saver_in_the_loop_is_made_once_and_keeps_all() -> None:
    found = converted(
        "import tensorflow as tf\nw = tf.Variable(1.0)\n"
        + RUN
        + "    for i in range(9):\n        tf.train.Saver().save(sess, 'm/model', global_step=i)\n"
    )
    assert found.status is Status.NATIVE
    assert found.text.index("tf.train.Checkpoint(") < found.text.index("for i in range(9)")
    assert "TFM301" in found.codes


def test_a_literal_feed_is_a_constant_of_its_function() -> None:
    found = converted(
        HEAD
        + "keep = tf.placeholder(tf.float32)\ny = tf.nn.dropout(x, keep)\n"
        + RUN
        + "    a = sess.run(y, {x: [[1., 2.]], keep: 0.5})\n    b = sess.run(y, {x: [[1., 2.]], keep: 1.0})\n"
    )
    assert found.status is Status.NATIVE
    assert found.text.count("@tf.function") == 2
    assert "keep_spec" not in found.text


def test_a_fed_tensor_that_is_no_placeholder_cuts_the_slice() -> None:
    found = converted(HEAD + "h = tf.tanh(x)\ny = h * 2.0\n" + RUN + "    print(sess.run(y, {h: [[1., 2.]]}))\n")
    assert found.status is Status.NATIVE
    assert "tanh" not in found.text
    assert "(h)" in found.text


def test_the_schedule_reads_the_step_that_the_script_counts() -> None:
    found = converted(
        HEAD + "w = tf.Variable([[1.0], [2.0]])\nstep = tf.Variable(0, trainable=False)\n"
        "rate = tf.train.exponential_decay(0.1, step, 10, 0.9)\n"
        "loss = tf.reduce_sum(tf.matmul(x, w))\n"
        "train = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=step)\n"
        + RUN
        + "    sess.run(train, {x: [[1., 2.]]})\n"
    )
    text = found.text
    assert text.index("learning_rate.assign(rate)") < text.index("apply_gradients") < text.index("step.assign_add(1)")


def test_helpers_that_build_for_their_caller_are_inlined() -> None:
    helper = (
        "import tensorflow as tf\ndef train(loss, rate):\n"
        "    optimizer = tf.train.AdamOptimizer(rate)\n    return optimizer.minimize(loss)\n"
    )
    found = converted(
        "import tensorflow as tf\nimport helper\nx = tf.placeholder(tf.float32, [None, 2])\n"
        "w = tf.Variable([[1.0], [2.0]])\n"
        "loss = tf.reduce_sum(tf.matmul(x, w))\nop = helper.train(loss, 0.1)\n"
        + RUN
        + "    sess.run(op, {x: [[1., 2.]]})\n",
        helper=helper,
    )
    assert found.status is Status.NATIVE
    assert "optimizer = Adam(0.1)" in found.text


def test_a_helper_with_variables_becomes_a_module() -> None:
    found = converted(
        HEAD + "def layer(inputs, size):\n    weights = tf.Variable(tf.ones([2, size]))\n"
        "    return tf.matmul(inputs, weights)\n"
        "y = layer(x, 3)\n" + RUN + "    print(sess.run(y, {x: [[1., 2.]]}))\n"
    )
    assert found.status is Status.NATIVE
    assert "class Layer(tf.Module):" in found.text
    assert "def __call__(self, inputs):" in found.text


def test_a_second_conversion_changes_nothing() -> None:
    first = converted(HEAD + "y = x * 2.0\n" + RUN + "    print(sess.run(y, {x: [[1., 2.]]}))\n")
    assert converted(first.text).status is Status.UNCHANGED


def test_a_user_s_module_is_never_overwritten() -> None:
    found = converted(
        HEAD + "import fused_optimizers\nw = tf.Variable([[1.0], [2.0]])\n"
        "train = tf.train.AdamOptimizer().minimize(tf.reduce_sum(tf.matmul(x, w)))\n"
        + RUN
        + "    sess.run(train, {x: [[1., 2.]]})\n",
        fused_optimizers="A = 1\n",
    )
    assert "from fused_optimizers_of_tf1 import Adam" in found.text


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ("queue = tf.FIFOQueue(10, tf.float32)\n", "TFM118"),
        ("e = tf.estimator.Estimator(None)\n", "TFM119"),
        ("g = tf.GraphDef()\n", "TFM117"),
        ("exec('y = x')\n", "TFM191"),
        ("cell = tf.contrib.rnn.LayerNormBasicLSTMCell(3)\n", "TFM133"),
        ("v = tf.get_variable('v', [1], custom_getter=len)\n", "TFM141"),
    ],
)
def test_what_is_not_followed_is_refused(lines: str, code: str) -> None:
    assert code in converted(HEAD + lines).errors


def test_a_tensor_given_to_unknown_code_is_refused() -> None:
    assert converted("import elsewhere\n" + HEAD + "y = elsewhere.build(x * 2.0)\n").errors == {"TFM110"}


def test_random_ops_of_several_sessions_are_refused() -> None:
    program = (
        "import tensorflow as tf\nr = tf.random_uniform([3], seed=1)\ndef draw():\n"
        "    with tf.Session() as s:\n        return s.run(r)\n"
    )
    assert (
        "TFM151"
        in converted(
            program + "with tf.Session() as t:\n    print(t.run(r))\nwith tf.Session() as u:\n"
            "    print(u.run(r))\nprint(draw())\n"
        ).errors
    )


def test_programs_of_tensorflow_2_are_left_alone() -> None:
    assert (
        converted(
            "import tensorflow as tf\n@tf.function\ndef f(x):\n    return tf.nn.dropout(x, rate=0.5)\n"
            "print(f(tf.ones([2])))\n"
        ).status
        is Status.UNCHANGED
    )


@pytest.mark.parametrize(
    "line",
    [
        "w = tf.Variable(*arguments)",
        "w = tf.Variable(1.0, **arguments)",
        "w = tf.get_variable('w', **arguments)",
        "w = tf.gradients(*arguments)",
    ],
)
def test_a_call_that_unpacks_its_arguments_is_refused(line: str) -> None:
    found = converted(
        "import tensorflow as tf\nfrom config import arguments\n" + line + "\n" + RUN + "    sess.run(w)\n"
    )
    assert found.status is Status.REFUSED


def test_a_group_of_unpacked_ops_runs_them_all() -> None:
    found = converted(
        "import tensorflow as tf\na, b = tf.Variable(1.0), tf.Variable(2.0)\n"
        "ops = [a.assign_add(1.0), b.assign_add(1.0)]\n" + RUN + "    sess.run(tf.group(*ops))\n"
    )
    assert found.status is Status.NATIVE
    assert "a.assign_add(1.0)" in found.text
    assert "b.assign_add(1.0)" in found.text


LAYER = "import tensorflow as tf\nx = tf.placeholder(tf.float32, [None, 4])\nh = tf.layers.dense(x, 3, name='fc')\n"
NORM = "norm = tf.add_n([tf.nn.l2_loss(v) for v in tf.trainable_variables()])\n"


def test_a_step_that_reads_a_layers_variables_is_traced_after_one_that_calls_it() -> None:
    found = converted(
        LAYER + NORM + RUN + "    print(sess.run(norm))\n    print(sess.run(h, {x: [[1., 2., 3., 4.]]}))\n"
    )
    assert found.status is Status.NATIVE
    assert found.text.index("compute_h = compute_h.get_conc") < found.text.index("compute_norm = compute_norm.get_conc")


@pytest.mark.parametrize("fetch", ["norm", "tf.trainable_variables()", "tf.global_variables()[0]"])
def test_variables_of_a_layer_that_nothing_calls_are_refused(fetch: str) -> None:
    found = converted(LAYER + NORM + RUN + f"    print(sess.run({fetch}))\n")
    assert found.errors == {"TFM169"}


@pytest.mark.parametrize("shown", ["y.get_shape().as_list()", "x.shape", "'y', y.name"])
def test_a_printed_look_at_a_tensor_is_told_of(shown: str) -> None:
    found = converted(
        HEAD + "y = tf.square(x)\n" + f"print({shown})\n" + RUN + "    print(sess.run(y, {x: [[1., 2.]]}))\n"
    )
    assert found.status is Status.NATIVE
    assert "TFM406" in found.codes


def test_a_look_at_a_tensor_that_the_host_keeps_is_refused() -> None:
    found = converted(
        HEAD
        + "y = tf.square(x)\nseen = []\nseen.append(y.name)\nprint(seen)\n"
        + RUN
        + "    sess.run(y, {x: [[1., 2.]]})\n"
    )
    assert "TFM111" in found.errors


def test_a_variable_is_evaluated_in_the_session_that_is_given() -> None:
    found = converted(
        HEAD + "w = tf.Variable(2.0)\ny = x * w\n" + RUN + "    print(w.eval(sess), y.eval({x: [[1., 2.]]}, sess))\n"
    )
    assert found.status is Status.NATIVE
    assert "print(w.numpy(), compute_y([[1., 2.]]).numpy())" in found.text


OPS = """
import tensorflow as tf


def linear(x, size, scope):
    with tf.variable_scope(scope):
        w = tf.get_variable("w", [2, size])
        return tf.matmul(x, w)
"""


@pytest.mark.parametrize(
    ("imported", "called", "made"),
    [
        ("from ops import linear", "linear", "Linear(3, "),
        ("from ops import linear as dense", "dense", "dense(3, "),
        ("import ops", "ops.linear", "ops.Linear(3, "),
        ("from ops import *", "linear", "Linear(3, "),
    ],
)
def test_a_function_that_becomes_a_class_is_imported_by_its_new_name(imported: str, called: str, made: str) -> None:
    graph = f"{imported}\n" + HEAD + f"y = {called}(x, 3, 'a')\nz = {called}(x, 4, 'b')\n"
    found = converted(graph + RUN + "    print(sess.run([y, z], {x: [[1., 2.]]}))\n", ops=OPS)
    assert found.status is Status.NATIVE
    assert made in found.text
    assert imported.replace("linear", "Linear") in found.text


def test_a_variable_made_inside_an_expression_of_a_helper_is_refused() -> None:
    ops = "import tensorflow as tf\ndef linear(x, n, s):\n    with tf.variable_scope(s):\n"
    ops += "        return tf.matmul(x, tf.get_variable('w', [2, n]))\n"
    graph = "import ops\n" + HEAD + "y = ops.linear(x, 3, 'a')\nz = ops.linear(x, 4, 'b')\n"
    found = converted(graph + RUN + "    print(sess.run([y, z], {x: [[1., 2.]]}))\n", ops=ops)
    assert found.errors == {"TFM103"}


def test_names_of_layers_are_kept_apart_from_names_within_steps() -> None:
    found = converted(
        "import tensorflow as tf\nx = tf.placeholder(tf.float32, [None, 2])\n"
        "with tf.variable_scope('g'):\n    hidden_1 = tf.layers.dense(x, 3, name='hidden')\n"
        "with tf.variable_scope('d'):\n    y = tf.layers.dense(hidden_1, 1, name='hidden')\n"
        "names = tf.trainable_variables()\n"
        "train = tf.train.AdamOptimizer().minimize(y, var_list=[v for v in names if v.name.startswith('d/')])\n"
        + RUN
        + "    sess.run(train, {x: [[1., 2.]]})\n"
    )
    assert found.status is Status.NATIVE
    assert "hidden_1 = g_hidden(x)" in found.text
    assert "y = d_hidden(hidden_1)" in found.text
    assert "names" not in found.text


def test_a_summary_beside_a_train_op_is_of_the_values_before_the_update() -> None:
    graph = (
        HEAD + "w = tf.Variable([[1.0], [2.0]])\nloss = tf.reduce_sum(tf.square(tf.matmul(x, w)))\n"
        "tf.summary.histogram('weights', w)\ntf.summary.scalar('total', tf.reduce_sum(w))\n"
        "merged = tf.summary.merge_all()\ntrain = tf.train.GradientDescentOptimizer(0.1).minimize(loss)\n"
        "writer = tf.summary.FileWriter('logs')\n"
    )
    runs = "    s, _ = sess.run([merged, train], {x: [[1., 2.]]})\n    writer.add_summary(s, 0)\n"
    found = converted(graph + RUN + runs)
    assert found.status is Status.NATIVE
    kept = 'summaries = {"weights": tf.identity(w), "total": tf.reduce_sum(w)}'
    assert found.text.index(kept) < found.text.index("apply_gradients")
    assert "return summaries" in found.text
    assert "TFM408" in found.codes
