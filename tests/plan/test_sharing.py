"""What step functions share: which statements become a function, what it is called, and what keeps them apart."""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path

from tfmigrate.model import Options, SourceFile, SourceTree, Status
from tfmigrate.pipeline import convert

HEAD = """
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 3])
y = tf.placeholder(tf.float32, [None, 2])
keep_prob = tf.placeholder(tf.float32)
W = tf.Variable(tf.zeros([3, 2]))
b = tf.Variable(tf.zeros([2]))
"""
FOOT = """
X, Y = np.ones((4, 3)), np.ones((4, 2))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
"""


def functions(body: str, runs: str) -> dict[str, str]:
    """The functions of the converted program, by name."""
    source = HEAD + textwrap.dedent(body) + FOOT + textwrap.indent(textwrap.dedent(runs), "    ")
    tree = SourceTree(Path(), (SourceFile("program.py", source),), single=True)
    result = convert(tree, Options()).files[0]
    assert result.status is Status.NATIVE, result.findings
    assert result.output is not None
    return {n.name: ast.unparse(n) for n in ast.parse(result.output).body if isinstance(n, ast.FunctionDef)}


TRAINED = """
logits = tf.matmul(x, W) + b
loss = tf.reduce_mean(tf.square(logits - y))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), tf.argmax(y, 1)), tf.float32))
"""


def test_the_network_of_two_steps_is_forward() -> None:
    found = functions(TRAINED, "sess.run(train, {x: X, y: Y})\nprint(sess.run(accuracy, {x: X, y: Y}))\n")
    assert found["forward"] == "def forward(x):\n    return tf.matmul(x, W) + b"
    assert "with tf.GradientTape() as tape:\n        logits = forward(x)\n" in found["train_step"]
    assert "    logits = forward(x)\n    return tf.reduce_mean(" in found["compute_accuracy"]


def test_all_that_both_compute_is_the_loss() -> None:
    found = functions(TRAINED, "sess.run(train, {x: X, y: Y})\nprint(sess.run(loss, {x: X, y: Y}))\n")
    assert found["loss_fn"].count("\n") == 2
    assert "loss = loss_fn(x, y)" in found["train_step"]
    assert found["compute_loss"].endswith("return loss_fn(x, y)")


def test_a_constant_of_a_step_is_given_in_the_call() -> None:
    found = functions(
        """
        hidden = tf.nn.dropout(tf.nn.relu(tf.matmul(x, W)), keep_prob)
        output = hidden + b
        loss = tf.reduce_mean(tf.square(output - y))
        train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
        """,
        "sess.run(train, {x: X, y: Y, keep_prob: 0.5})\nprint(sess.run(output, {x: X, keep_prob: 1.0}))\n",
    )
    assert found["forward"].startswith("def forward(x, keep_prob):")
    assert "output = forward(x, keep_prob=0.5)" in found["train_step"]
    assert found["compute_output"].endswith("return forward(x, keep_prob=1.0)")
    assert "keep_prob =" not in "".join(found.values())


def test_what_only_one_step_reads_is_dropped_by_the_others() -> None:
    found = functions(
        """
        hidden = tf.nn.relu(tf.matmul(x, W))
        scaled = hidden * 2.0
        output = tf.nn.tanh(scaled + b)
        shown = tf.reduce_max(hidden)
        """,
        "print(sess.run([output, shown], {x: X}))\nprint(sess.run(output, {x: X}))\n",
    )
    assert "return (hidden, output)" in found["forward"]
    assert "hidden, output = forward(x)" in found["compute_output_and_shown"]
    assert "_, output = forward(x)" in found["compute_output"]


def test_an_update_is_never_shared() -> None:
    found = functions(
        """
        total = tf.Variable(0.0, trainable=False)
        added = tf.assign_add(total, tf.reduce_sum(x))
        mean = added / 2.0
        """,
        "print(sess.run(mean, {x: X}))\nprint(sess.run([mean, added], {x: X}))\n",
    )
    assert all("assign_add" in text for text in found.values())
    assert len(found) == 2


def test_elements_of_a_dataset_are_taken_by_each_step() -> None:
    found = functions(
        """
        dataset = tf.data.Dataset.from_tensor_slices(np.ones((6, 3), np.float32)).batch(2)
        batch = dataset.make_one_shot_iterator().get_next()
        hidden = tf.matmul(batch, W) + b
        output = tf.nn.softmax(hidden)
        loss = tf.reduce_mean(output)
        """,
        "print(sess.run(output))\nprint(sess.run(loss))\n",
    )
    assert found["forward"].startswith("def forward(batch):")
    assert "get_next" not in found["forward"]
    assert "next(" not in found["forward"]
    assert "output = forward(batch)" in found["compute_loss"]


def test_a_rebound_name_keeps_each_reader_at_its_value() -> None:
    found = functions(
        """
        h = tf.matmul(x, W)
        first = tf.reduce_sum(h)
        h = tf.nn.relu(h + b)
        out = h * 3.0
        """,
        "print(sess.run([first, out], {x: X}))\nprint(sess.run(out, {x: X}))\n",
    )
    step = ast.parse(found["compute_first_and_out"]).body[0]
    assert isinstance(step, ast.FunctionDef)
    lines = [ast.unparse(s) for s in step.body]
    first = next(i for i, line in enumerate(lines) if line.startswith("first ="))
    assert any("tf.matmul" in line or ("forward" in line and "h =" in line) for line in lines[:first])
    assert not any("relu" in line for line in lines[:first])


def test_random_ops_keep_their_order() -> None:
    found = functions(
        """
        noise = tf.random_normal([2])
        out = tf.matmul(x, W) + b
        dropped = tf.nn.dropout(out, 0.5)
        doubled = dropped * 2.0
        both = doubled + noise
        """,
        "print(sess.run(both, {x: X}))\nprint(sess.run(doubled, {x: X}))\n",
    )
    written = found["compute_both"]
    if "dropout" in written:
        assert written.index("random.normal") < written.index("dropout")
    else:
        assert written.index("random.normal") < min(
            written.index(name + "(") for name, text in found.items() if "dropout" in text and name + "(" in written
        )


def test_a_made_up_name_avoids_those_of_the_program() -> None:
    found = functions(
        TRAINED.replace("logits", "forward"), "sess.run(train, {x: X, y: Y})\nprint(sess.run(accuracy, {x: X, y: Y}))\n"
    )
    assert "forward = forward_1(x)" in found["train_step"]


def test_a_single_call_of_a_user_function_is_not_wrapped() -> None:
    found = functions(
        """
        def net(inputs):
            return tf.matmul(inputs, W) + b

        output = net(x)
        loss = tf.reduce_mean(tf.square(output - y))
        """,
        "print(sess.run(output, {x: X}))\nprint(sess.run(loss, {x: X, y: Y}))\n",
    )
    assert set(found) == {"net", "compute_output", "compute_loss"}
