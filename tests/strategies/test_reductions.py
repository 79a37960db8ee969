"""What each result of a training step needs to be put together again, and what is refused rather than guessed."""

from __future__ import annotations

import pytest
from strategies.running import converted

from tfmigrate.model import Status, Strategy

PROGRAM = """\
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 4])
y = tf.placeholder(tf.float32, [None, 3])
ids = tf.placeholder(tf.int32, [None])
whole = tf.placeholder(tf.float32, [8, 4])
anything = tf.placeholder(tf.float32)
W = tf.Variable(tf.fill([4, 3], 0.3))
b = tf.Variable(tf.fill([3], 0.1))
table = tf.Variable(tf.fill([7, 3], 0.2))
count = tf.Variable(0.0, trainable=False)
logits = tf.matmul(x, W) + b
losses = tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=logits)
loss = {loss}
{more}
train_op = tf.train.{optimizer}.minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    _, result = sess.run([train_op, {fetch}], {{x: np.ones([8, 4]), y: np.ones([8, 3]), ids: np.ones([8]),
                                               whole: np.ones([8, 4]), anything: np.ones([8, 4])}})
"""

MEAN, SUM = "tf.distribute.ReduceOp.MEAN", "tf.distribute.ReduceOp.SUM"
ROWS, SAME = "strategy.gather(", "strategy.experimental_local_results("


RESULTS = [
    ("tf.reduce_mean(losses)", MEAN),
    ("tf.reduce_mean(losses) + 0.01 * tf.nn.l2_loss(W)", MEAN),
    ("tf.reduce_mean(losses) * 100.0 / 3.0", MEAN),
    ("-tf.reduce_mean(tf.reduce_sum(y * tf.log(tf.nn.softmax(logits)), axis=1))", MEAN),
    ("-tf.reduce_mean(tf.reduce_sum(y * tf.log(tf.nn.softmax(logits)), reduction_indices=[1]))", MEAN),
    ("tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), tf.argmax(y, 1)), tf.float32))", MEAN),
    ("tf.reduce_mean(x, axis=0)", MEAN),
    ("tf.losses.mean_squared_error(y, logits)", MEAN),
    ("tf.reduce_sum(losses) / tf.cast(tf.shape(x)[0], tf.float32)", MEAN),
    ("tf.reduce_mean(tf.square(tf.reshape(logits, [-1, 3]) - y))", MEAN),
    ("tf.reduce_sum(losses)", SUM),
    ("tf.reduce_sum(losses) / 8.0", SUM),
    ("tf.nn.l2_loss(logits - y)", SUM),
    ("tf.shape(x)[0]", SUM),
    ("tf.reduce_sum(tf.cast(tf.nn.in_top_k(logits, ids, 1), tf.int32))", SUM),
    ("losses", ROWS),
    ("tf.nn.softmax(logits)", ROWS),
    ("tf.argmax(logits, axis=1)", ROWS),
    ("logits[:, 0]", ROWS),
    ("tf.concat([x, y], 1)", ROWS),
    ("tf.expand_dims(ids, -1)", ROWS),
    ("tf.nn.embedding_lookup(table, ids) + logits", ROWS),
    ("tf.one_hot(ids, 3) * y", ROWS),
    ("tf.reduce_max(logits, axis=1)", ROWS),
    ("tf.reduce_sum(tf.square(W))", SAME),
    ("tf.shape(W)[0]", SAME),
    ("tf.reduce_mean(tf.matmul(whole, W))", SAME),
]


def program(
    fetch: str = "loss", loss: str = "tf.reduce_mean(losses)", more: str = "", optimizer: str = "AdamOptimizer(0.1)"
) -> str:
    return PROGRAM.format(fetch=fetch, loss=loss, more=more, optimizer=optimizer)


@pytest.mark.parametrize(("expression", "reduction"), RESULTS)
def test_results(expression: str, reduction: str) -> None:
    result = converted(program("result_", more=f"result_ = {expression}"), Strategy.MIRRORED)
    assert result.status is Status.NATIVE, result.findings
    text = (result.output or "").split("def distributed_train_step")[1].split("def train_step")[0]
    assert reduction in text
    assert sum(other in text for other in (MEAN, SUM, ROWS, SAME)) == 1


@pytest.mark.parametrize(
    "expression",
    [
        "tf.sqrt(tf.reduce_mean(losses))",
        "tf.reduce_max(losses)",
        "tf.reduce_mean(losses) * tf.reduce_mean(logits)",
        "tf.reduce_sum(losses) + tf.nn.l2_loss(W)",
        "tf.matmul(x, y, transpose_a=True)",
        "tf.nn.softmax(losses)",
        "logits[0]",
        "logits[1:]",
        "tf.reduce_mean(tf.expand_dims(losses, 1) - losses)",
        "tf.reduce_mean(losses - tf.squeeze(logits[:, :1]))",
        "tf.reshape(x, [8, 2, 2])",
        "tf.transpose(x)",
        "tf.concat([x, x], 0)",
        "tf.gather(x, [0, 1])",
        "tf.reduce_mean(losses + tf.random_normal([8]))",
        "tf.reduce_mean(anything)",
        "tf.nn.moments(x, [0])[0]",
        "tf.where(logits > 0.5)",
        "tf.shape(x)",
        "tf.map_fn(lambda row: row * 2.0, x)",
        "tf.losses.mean_squared_error(y, logits, weights=y)",
        "tf.unique(ids)[0]",
        "tf.reduce_sum(tf.nn.dropout(W, 0.5))",
        "tf.count_nonzero(tf.reduce_mean(x, axis=0))",
    ],
)
def test_what_is_neither_a_mean_nor_a_sum_nor_rows_is_refused(expression: str) -> None:
    text = program("result_", more=f"result_ = {expression}")
    assert converted(text, Strategy.DEFAULT).status is Status.NATIVE
    result = converted(text, Strategy.MIRRORED)
    assert {f.code for f in result.findings} == {"TFM152"}
    assert result.status is Status.REFUSED
    assert result.output is None


@pytest.mark.parametrize(
    ("loss", "divided"),
    [
        ("tf.reduce_mean(losses)", True),
        ("tf.reduce_mean(losses) + 0.01 * tf.nn.l2_loss(W)", True),
        ("tf.reduce_mean(tf.matmul(whole, W))", True),
        ("tf.reduce_sum(losses)", False),
        ("losses", False),
    ],
)
def test_only_means_are_divided_before_gradients_are_summed(loss: str, divided: bool) -> None:
    output = converted(program("losses", loss), Strategy.MIRRORED).output
    assert output is not None
    assert ("scaled_loss = loss / strategy.num_replicas_in_sync" in output) is divided
    assert ("tape.gradient(scaled_loss, trainable_variables)" in output) is divided


def test_a_loss_that_is_no_mean_is_refused_where_that_begins() -> None:
    text = program(loss="tf.sqrt(tf.reduce_mean(losses))")
    result = converted(text, Strategy.MIRRORED)
    assert {(f.code, f.place.line) for f in result.findings} == {("TFM152", 15)}
    assert converted(text, Strategy.DEFAULT).status is Status.NATIVE


@pytest.mark.parametrize(
    ("statement", "aggregation"),
    [
        ("total = count.assign_add(1.0)", "ONLY_FIRST_REPLICA"),
        ("total = tf.assign(count, 0.9 * count + 0.1 * loss)", "MEAN"),
    ],
)
def test_assignments_have_an_aggregation(statement: str, aggregation: str) -> None:
    output = converted(program("total", more=statement), Strategy.MIRRORED).output
    assert output is not None
    assert f"count = tf.Variable(0.0, trainable=False, aggregation=tf.VariableAggregation.{aggregation})" in output


@pytest.mark.parametrize(
    "statement",
    [
        "total = tf.assign_add(count, tf.reduce_max(losses))",
        "total = tf.assign_add(count, tf.reduce_sum(losses))",
        "total = tf.scatter_add(table, ids, y)",
    ],
)
def test_assignments_that_differ_between_replicas_are_refused(statement: str) -> None:
    result = converted(program("total", more=statement), Strategy.MIRRORED)
    assert "TFM153" in {f.code for f in result.findings}
    assert result.status is Status.REFUSED


@pytest.mark.parametrize("expression", ["tf.py_func(abs, [x], tf.float32)", "tf.Print(loss, [loss])"])
def test_what_would_happen_on_each_replica_is_refused(expression: str) -> None:
    result = converted(program("seen", more=f"seen = {expression}"), Strategy.MIRRORED)
    assert {"TFM152", "TFM153"} & {f.code for f in result.findings}
    assert result.status is Status.REFUSED


def test_batch_normalization_and_iterators_are_refused() -> None:
    normalized = "tf.reduce_mean(tf.layers.batch_normalization(x, training=True))"
    assert converted(program(loss=normalized), Strategy.MIRRORED).status is Status.REFUSED
    drawn = "tf.data.Dataset.from_tensor_slices(np.ones([8, 3], 'float32')).batch(4).make_one_shot_iterator()"
    text = program(loss="tf.reduce_mean(tf.square(drawn.get_next() - b))").replace(
        "loss = ", f"drawn = {drawn}\nloss = ", 1
    )
    assert converted(text, Strategy.DEFAULT).status is Status.NATIVE
    result = converted(text, Strategy.MIRRORED)
    assert {f.code for f in result.findings} == {"TFM152"}
    assert "a batch of its own" in result.findings[0].message
