"""A rename keeps the call's own formatting; refusals and references keep their reasons."""

from __future__ import annotations

import pytest

from tfmigrate.rules import engine
from tfmigrate.rules.base import Context, Refused, Rewritten
from tfmigrate.rules.examples import parse_call, shown
from tfmigrate.rules.expressions import code, complement, fill, parse


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "tf.reduce_sum(\n    x,  # rows\n    reduction_indices=[1],\n    keep_dims = True,\n)",
            "tf.reduce_sum(\n    x,  # rows\n    axis=[1],\n    keepdims = True,\n)",
        ),
        ("tf.nn.dropout( h , 0.5 )", "tf.nn.dropout( h , rate=0.5 )"),
        ("tf.nn.dropout(h,\n              keep_prob)", "tf.nn.dropout(h,\n              rate=1 - keep_prob)"),
        ("tf.nn.dropout(h, keep_prob=a if b else c)", "tf.nn.dropout(h, rate=1 - (a if b else c))"),
        ("tf.nn.dropout(h, 0.5, None, 7)", "tf.nn.dropout(h, rate=0.5, noise_shape=None, seed=7)"),
        ("tf.log(x)", "tf.math.log(x)"),
        ("tf.matmul(a, b)  ", "tf.matmul(a, b)"),
        ("tf.math.log(x)", "tf.math.log(x)"),
        ("tf.random.normal([2])", "tf.random.normal([2])"),
        ("tf.add(*pair)", "tf.add(*pair)"),
        ("tf.nn.conv2d(x, w, [1, 1, 1, 1], 'SAME', True)", "tf.nn.conv2d(x, w, [1, 1, 1, 1], 'SAME')"),
        ("tf.random.set_seed(1)", "tf.random.set_seed(1)"),
        ("tf.compat.v1.log(x)", "tf.math.log(x)"),
        ("tf.compat.v2.squeeze(x, axis=1)", "tf.squeeze(x, axis=1)"),
    ],
)
def test_call(before: str, after: str) -> None:
    symbol, node = parse_call(before.strip())
    assert shown(engine.apply(symbol, node, Context())) == after


def test_module_goes_by_the_name_it_has_there() -> None:
    symbol, node = parse_call("T.nn.softmax_cross_entropy_with_logits(labels=y, logits=z)", "T")
    result = engine.apply(symbol, node, Context(tf="T"))
    assert shown(result) == "T.nn.softmax_cross_entropy_with_logits(labels=T.stop_gradient(y), logits=z)"


def test_labels_known_to_be_frozen_need_no_stop() -> None:
    symbol, node = parse_call("tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=z)")
    result = engine.apply(symbol, node, Context(frozen=frozenset({"y"})))
    assert shown(result) == "tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=z)"


def test_plain_keras_optimizers() -> None:
    symbol, node = parse_call("tf.train.AdamOptimizer(1e-3)")
    result = engine.apply(symbol, node, Context(fused=False))
    assert shown(result) == "tf.keras.optimizers.Adam(1e-3, epsilon=1e-8)"


@pytest.mark.parametrize(
    ("symbol", "after"),
    [
        ("float32", "tf.float32"),
        ("nn.relu", "tf.nn.relu"),
        ("log", "tf.math.log"),
        ("multiply", "tf.multiply"),
        ("zeros_initializer", "tf.zeros_initializer"),
        ("__version__", "tf.__version__"),
        ("image.ResizeMethod.BILINEAR", "tf.image.ResizeMethod.BILINEAR"),
        ("losses.Reduction.NONE", '"none"'),
    ],
)
def test_reference(symbol: str, after: str) -> None:
    result = engine.reference(symbol, Context())
    assert isinstance(result, Rewritten)
    assert code(result.expression) == after


@pytest.mark.parametrize(
    "symbol", ["nn.dropout", "truncated_normal_initializer", "while_loop", "metrics.mean", "Session"]
)
def test_reference_refused(symbol: str) -> None:
    assert isinstance(engine.reference(symbol, Context()), Refused)


@pytest.mark.parametrize(
    ("kept", "dropped"), [("0.9", "0.1"), ("1.0", "0.0"), ("1", "0"), ("0.5", "0.5"), (".75", "0.25"), ("p", "1 - p")]
)
def test_complement_of_a_literal_is_folded_without_rounding(kept: str, dropped: str) -> None:
    assert code(complement(parse(kept))) == dropped


def test_fill_adds_parentheses_only_where_needed() -> None:
    filled = fill("A * B + f(A, k=B)", A=parse("x + 1"), B=parse("y"))
    assert code(filled) == "(x + 1) * y + f(x + 1, k=y)"
