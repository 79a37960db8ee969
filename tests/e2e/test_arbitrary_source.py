"""Arbitrary Python never crashes a conversion, and loses nothing."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tfmigrate import pipeline
from tfmigrate.model import Conversion, Options, SourceTree, Status
from tfmigrate.source.decode import decode
from tfmigrate.source.parse import parsed

# The limit that a conversion raises it to: Hypothesis warns where it moves in the middle of a test.
sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))

NAMES = st.sampled_from(["x", "y", "loss", "sess", "W", "tf", "train_step", "self", "i"])
LITERALS = st.sampled_from(
    ["0", "1.5", "None", "True", "'s'", "[1, 2]", "[None, 3]", "{x: 1}", "(1,)", "f'{x}'", "-1", "..."]
)
_CALLS = """
tf.placeholder tf.Variable tf.get_variable tf.constant tf.Session tf.InteractiveSession tf.train.Saver
tf.matmul tf.log tf.reduce_mean tf.train.GradientDescentOptimizer tf.train.AdamOptimizer
tf.global_variables_initializer tf.assign tf.summary.scalar tf.summary.merge_all tf.gradients
tf.layers.dense tf.contrib.layers.flatten tf.no.such.thing tf.variable_scope tf.control_dependencies tf.cond
tf.while_loop tf.data.Dataset.from_tensor_slices tf.float32 tf.group tf.nn.dropout
tf.nn.softmax_cross_entropy_with_logits tf.get_collection sess.run x.eval loss.run x.minimize W.assign len
range print open zip dict f x.save x.restore tf.reset_default_graph tf.Graph tf.train.exponential_decay
"""
CALLS = st.sampled_from(_CALLS.split())


def _expressions(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    argument = st.one_of(
        inner,
        inner.map(lambda e: f"feed_dict={{x: {e}}}"),
        inner.map(lambda e: f"shape={e}"),
        inner.map(lambda e: f"name={e}"),
        inner.map(lambda e: f"*{e}"),
        inner.map(lambda e: f"**{e}"),
    )
    # A positional argument may not follow a keyword: such lists are syntax errors, which are inputs too.
    return st.one_of(
        st.tuples(CALLS, st.lists(argument, max_size=3)).map(lambda c: f"{c[0]}({', '.join(c[1])})"),
        st.tuples(inner, st.sampled_from(["+", "*", "@", "==", "<", "and", "if x else"]), inner)
        .map(" ".join)
        .map("({})".format),
        st.tuples(inner, inner).map(lambda p: f"{p[0]}[{p[1]}]"),
        inner.map(lambda e: f"{e}.eval()"),
        inner.map(lambda e: f"[{e} for i in x]"),
        inner.map(lambda e: f"(lambda x: {e})"),
        st.lists(inner, max_size=3).map(lambda es: f"[{', '.join(es)}]"),
    )


EXPRESSIONS = st.recursive(st.one_of(NAMES, LITERALS), _expressions, max_leaves=6)


def _indented(body: list[str]) -> str:
    return "\n".join("    " + line for part in body for line in part.split("\n"))


def _blocks(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    body = st.lists(inner, min_size=1, max_size=3).map(_indented)
    heads = st.one_of(
        EXPRESSIONS.map(lambda e: f"if {e}:"),
        EXPRESSIONS.map(lambda e: f"for i in {e}:"),
        EXPRESSIONS.map(lambda e: f"while {e}:"),
        st.sampled_from(
            ["with tf.Session() as sess:", "with tf.variable_scope('s'):", "with tf.Graph().as_default():"]
        ),
        st.sampled_from(["def f(x, *y, **W):", "class x(object):", "def train_step(self, x=1):", "async def f():"]),
    )
    guarded = st.tuples(body, body).map(lambda b: f"try:\n{b[0]}\nexcept Exception as e:\n{b[1]}")
    return st.one_of(st.tuples(heads, body).map("\n".join), guarded)


STATEMENTS = st.recursive(
    st.one_of(
        EXPRESSIONS,
        st.tuples(NAMES, EXPRESSIONS).map(" = ".join),
        st.tuples(NAMES, NAMES, EXPRESSIONS).map(lambda t: f"{t[0]}, {t[1]} = {t[2]}"),
        st.tuples(NAMES, EXPRESSIONS).map(" += ".join),
        EXPRESSIONS.map(lambda e: f"return {e}"),
        EXPRESSIONS.map(lambda e: f"x[i] = {e}  # a comment"),
        st.sampled_from(
            [
                "pass",
                "break",
                "global x",
                "del x",
                "import os",
                "from tensorflow import *",
                "yield",
                "raise",
                "exec('x')",
            ]
        ),
        st.sampled_from(
            ["import tensorflow as T", "from tensorflow.contrib import slim", "x: int = 1", "assert x", "nonlocal y"]
        ),
    ),
    _blocks,
    max_leaves=8,
)
PROGRAMS = st.lists(STATEMENTS, min_size=1, max_size=8).map(lambda s: "import tensorflow as tf\n" + "\n".join(s) + "\n")


def convert(*texts: str) -> Conversion:
    files = tuple(parsed(decode(f"m{n}.py", text.encode("utf-8", "surrogatepass"))) for n, text in enumerate(texts))
    return pipeline.convert(SourceTree(Path("/nowhere"), files), Options())


def judge(conversion: Conversion) -> None:
    assert [r.path for r in conversion.files] == [f.path for f in conversion.tree.files]
    for result, file in zip(conversion.files, conversion.tree.files, strict=True):
        assert result.status is not Status.FAILED, (result.findings, file.text)
        if result.status is Status.NATIVE and result.output is not None:
            ast.parse(result.output)
        else:
            assert result.output in (None, file.text)
        if result.status is Status.REFUSED:
            assert result.findings, file.text
        for finding in result.findings:
            assert finding.place.line >= 1, finding
            assert finding.place.column >= 1, finding


@settings(max_examples=150)
@given(PROGRAMS)
def test_arbitrary_programs(text: str) -> None:
    judge(convert(text))


@settings(max_examples=40)
@given(PROGRAMS, PROGRAMS)
def test_arbitrary_programs_that_import_each_other(first: str, second: str) -> None:
    judge(convert("import m1\nfrom m1 import *\n" + first, "from m0 import f\n" + second))


@settings(max_examples=60)
@given(st.text(max_size=80))
def test_arbitrary_text(text: str) -> None:
    judge(convert("import tensorflow as tf\n" + text))


@settings(max_examples=40)
@given(PROGRAMS)
def test_check_never_crashes(text: str) -> None:
    tree = SourceTree(Path("/nowhere"), (parsed(decode("m.py", text.encode())),))
    assert all(finding.place.line >= 1 for finding in pipeline.check(tree))
