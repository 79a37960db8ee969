"""Texts of Python 2 become Python 3 that does the same, line for line, or are refused with what stands in the way."""

from __future__ import annotations

import ast
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tfmigrate.model import SourceFile
from tfmigrate.source.parse import parsed


def brought(text: str) -> str:
    found = parsed(SourceFile("a.py", text))
    assert found.problem is None, found.problem
    assert found.python2 == text
    assert found.note is not None
    assert found.note.code == "TFM009"
    assert found.text is not None
    ast.parse(found.text)
    assert found.text.count("\n") == text.count("\n")
    return found.text


def refused(text: str) -> tuple[int, str]:
    problem = parsed(SourceFile("a.py", text)).problem
    assert problem is not None
    assert problem.code == "TFM004"
    return problem.place.line, problem.message


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("print 'a', 1\n", "print('a', 1)\n"),
        ("print ('a', 1)\nprint 2\n", "print(('a', 1))\nprint(2)\n"),  # a pair, as Python 2 prints it
        ("for i in range(3):\n\tprint i,\n", "for i in range(3):\n\tprint(i, end=' ')\n"),
        ("print 'no end'", "print('no end')"),
        ("print 'x'\r\ny = 1\r\n", "print('x')\r\ny = 1\r\n"),
        ("for i in xrange(3):\n    pass\n", "for i in range(3):\n    pass\n"),
        ("name = raw_input()\n", "name = input()\n"),
        ("import cPickle\nprint 1\n", "import pickle\nprint(1)\n"),
        ("d = {}\nprint d.has_key(1), d.keys()\n", "d = {}\nprint(1 in d, list(d.keys()))\n"),
        ("try:\n  x\nexcept E, e:\n  y\n", "try:\n  x\nexcept E as e:\n  y\n"),
        ("raise E, 'x'\n", "raise E('x')\n"),
        ("os.chmod(f, 0755)\nx = 10L\n", "os.chmod(f, 0o755)\nx = 10\n"),
        ("if a <> b: pass\n", "if a != b: pass\n"),
        ("if x:\n        y = 1\n\tz = 2\n", "if x:\n        y = 1\n        z = 2\n"),
        ("if x:\n        y = '''\n\ta'''\n\tprint y\n", "if x:\n        y = '''\n\ta'''\n        print(y)\n"),
    ],
)
def test_what_only_python_2_has_is_written_as_python_3(old: str, new: str) -> None:
    assert brought(old) == new


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("print 7/2\n", "print(7//2)\n"),
        ("print 7 / 2, 7.0 / 2\n", "print(7 // 2, 7.0 / 2)\n"),
        ("n = len(x)\nprint n / 2 / 2.0\n", "n = len(x)\nprint(n // 2 / 2.0)\n"),
        ("n = 9\nn /= 2\nprint n\n", "n = 9\nn //= 2\nprint(n)\n"),
        ("for i in xrange(9):\n    y = i / 2\n    z = y / 3\n", "for i in range(9):\n    y = i // 2\n    z = y // 3\n"),
        ("def f(n):\n    print n / 2.\n", "def f(n):\n    print(n / 2.)\n"),
        ("def f(a, b):\n    print int(a / b)\n", "def f(a, b):\n    print(int(a / b))\n"),
        ("for i in xrange(a / b):\n    pass\n", "for i in range(a // b):\n    pass\n"),
        ("print x[: n / 2]\n", "print(x[: n // 2])\n"),
        ("print y.shape[0] / 2\n", "print(y.shape[0] // 2)\n"),
        ("flags.DEFINE_integer('batch', 5, '')\nprint FLAGS.batch / 2\n",
         "flags.DEFINE_integer('batch', 5, '')\nprint(FLAGS.batch // 2)\n"),
        ("x = tf.placeholder(tf.float32)\nloss = tf.reduce_sum(tf.square(x)) / n\nprint loss\n",
         "x = tf.placeholder(tf.float32)\nloss = tf.reduce_sum(tf.square(x)) / n\nprint(loss)\n"),
        ("w = tf.Variable(tf.zeros([2]))\nloss = tf.reduce_sum(w)\n_, c = sess.run([op, loss])\nprint c / n\n",
         "w = tf.Variable(tf.zeros([2]))\nloss = tf.reduce_sum(w)\n_, c = sess.run([op, loss])\nprint(c / n)\n"),
        ("from __future__ import division\nprint 7 / 2\n", "from __future__ import division\nprint(7 / 2)\n"),
        ("print np.mean(x) / n\n", "print(np.mean(x) / n)\n"),
    ],
)  # fmt: skip
def test_quotients_are_as_python_2_takes_them(old: str, new: str) -> None:
    assert brought(old) == new


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("def f(a, b):\n    print a / b\n", 2),
        ("n = 1\nn = 1.5\nprint n / 2\n", 3),
        ("n = 2 ** k\nprint n / 2\n", 2),
        ("x = tf.placeholder(tf.int32)\ny = x / 2\nprint y\n", 2),
        ("x = tf.placeholder(kind)\ny = x / 2\nprint y\n", 2),
        ("print np.argmax(np.zeros(3)) / 2\n", 1),
        ("x = np.zeros(3, kind)\nprint x / 2\n", 2),
        ("values = [1, 2.5]\nprint values[0] / 2\n", 2),
        (
            "class A:\n    def f(self):\n        self.n = 1\n    def g(self, a):\n        a.n = 2.\nprint A().n / 2\n",
            6,
        ),
        ("print d[a / b]\n", 1),  # a key may be a float
        ("print math.ceil(a / b)\n", 1),
    ],
)
def test_a_division_of_unknown_kinds_is_named(text: str, line: int) -> None:
    found, message = refused(text)
    assert (found, "whether integers are divided" in message) == (line, True)


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("a = [i for i in x]\nprint i\n", 2, "reads i"),
        ("while a:\n    print i\n    a = [i for i in x]\n", 2, "reads i"),
        ("i = 5\na = [i for i in x]\ni += 1\nprint i\n", 3, "reads i"),
        ("def f(a, (b, c)): pass\nprint 1\n", 1, "a line of its own"),
        ("print reduce(f, x)\n", 1, "from functools import reduce"),
    ],
)
def test_what_has_no_line_for_line_form_is_named(text: str, line: int, word: str) -> None:
    found, message = refused(text)
    assert (found, word in message) == (line, True), message


@pytest.mark.parametrize(
    "text",
    [
        "a = [i for i in x]\nfor i in a:\n    print i\n",
        "a = list(i for i in x)\ni = 1\nprint i\n",
        "def f():\n    return [i for i in x]\ndef g(i):\n    print i\n",
        "a = [i for i in x]\na = [i + 1 for i in a]\nprint a\n",
        "i = 1\nprint i\na = {i for i in x}\nprint i\n",
    ],
)
def test_a_variable_that_nothing_reads_may_leak(text: str) -> None:
    brought(text)


@pytest.mark.parametrize(
    "text",
    [
        "try:\n    xrange\nexcept NameError:\n    xrange = range\nfor i in xrange(3): pass\n",
        "from six.moves import xrange\nfor i in xrange(3): pass\n",
        "from builtins import *\nfor i in xrange(3): pass\n",
        "def f(file):\n    return file\n",
        "print('a / b', 7 / 2)\n",
    ],
)
def test_python_3_is_left_alone(text: str) -> None:
    found = parsed(SourceFile("a.py", text))
    assert (found.text, found.python2, found.note, found.problem) == (text, None, None, None)


NAMES = st.sampled_from("abc")
NUMBERS = st.one_of(st.integers(1, 9).map(str), st.sampled_from(["0.5", "2.0", "7.5"]))
EXPRESSIONS = st.recursive(
    st.one_of(NUMBERS, NAMES),
    lambda inner: st.tuples(inner, st.sampled_from("+-*/"), inner).map(lambda p: f"({p[0]} {p[1]} {p[2]})"),
    max_leaves=4,
)
STATEMENTS = st.one_of(
    st.tuples(NAMES, st.sampled_from(["=", "+=", "/=", "*="]), EXPRESSIONS).map(" ".join),
    st.tuples(NAMES, EXPRESSIONS).map(lambda p: f"for {p[0]} in range(3): b = {p[1]}"),
)


class _Python2(ast.NodeTransformer):
    """Has every division done by `quotient`, as Python 2 does it."""

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div):
            return node
        return ast.Call(ast.Name("quotient", ast.Load()), [node.left, node.right], [])

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div) or not isinstance(node.target, ast.Name):
            return node
        call = ast.Call(ast.Name("quotient", ast.Load()), [ast.Name(node.target.id, ast.Load()), node.value], [])
        return ast.Assign([node.target], call)


def quotient(a: float, b: float) -> float:
    return a // b if isinstance(a, int) and isinstance(b, int) else a / b


def values(code: Any) -> dict[str, Any] | str:
    names: dict[str, Any] = {"quotient": quotient}
    try:
        exec(code, names)
    except (ZeroDivisionError, OverflowError) as error:
        return type(error).__name__
    return {name: (type(names[name]), names[name]) for name in "abc"}


@settings(max_examples=300, deadline=None)
@given(st.lists(NUMBERS, min_size=3, max_size=3), st.lists(STATEMENTS, min_size=1, max_size=5))
def test_any_arithmetic_comes_out_as_in_python_2(first: list[str], statements: list[str]) -> None:
    lines = [f"{name} = {value}" for name, value in zip("abc", first, strict=True)] + statements
    found = parsed(SourceFile("a.py", "\n".join([*lines, "print 'x'", ""])))
    if found.problem is not None:
        assert "whether integers are divided" in found.problem.message
        return
    assert found.text is not None
    old = ast.fix_missing_locations(_Python2().visit(ast.parse("\n".join(lines))))
    expected, actual = values(compile(old, "old", "exec")), values(found.text.replace("print('x')", ""))
    if isinstance(expected, dict) and isinstance(actual, dict):
        for name in "abc":
            assert expected[name][0] is actual[name][0]
            assert expected[name][1] == actual[name][1] or math.isnan(expected[name][1])
    else:
        assert expected == actual
