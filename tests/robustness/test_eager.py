"""Programs that are eager already: only their symbols change, and only where it is certain that they are eager."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfmigrate import pipeline
from tfmigrate.model import FileResult, Options, SourceFile, SourceTree, Status

HEAD = "import tensorflow as tf\n"
EAGER = HEAD + "tf.enable_eager_execution()\ntfe = tf.contrib.eager\n"


def convert(text: str) -> FileResult:
    return pipeline.convert(SourceTree(Path("/nowhere"), (SourceFile("m.py", text),)), Options()).files[0]


def errors(text: str) -> set[str]:
    return {finding.code for finding in convert(text).findings if finding.severity.value == "error"}


def test_an_eager_tensor_may_go_anywhere() -> None:
    text = EAGER + "import math\nv = tfe.Variable(2.0)\nprint(math.sqrt(v * 2.0), float(v), str(v))\n"
    file = convert(text)
    assert file.status is Status.NATIVE, file.findings
    assert file.output == (HEAD + "import math\nv = tf.Variable(2.0)\nprint(math.sqrt(v * 2.0), float(v), str(v))\n")


@pytest.mark.parametrize(
    "switch",
    [
        "import sys\nif len(sys.argv) > 1:\n    tf.enable_eager_execution()\n",
        "try:\n    tf.enable_eager_execution()\nexcept AttributeError:\n    pass\n",
        "def start(eager):\n    if eager:\n        tf.enable_eager_execution()\nimport sys\nstart(len(sys.argv))\n",
    ],
)
def test_a_switch_under_a_condition_is_refused(switch: str) -> None:
    assert "TFM168" in errors(HEAD + switch + "v = tf.Variable(2.0)\nprint(v * 2.0)\n")


def test_a_switch_behind_the_guard_of_a_script_is_certain() -> None:
    text = HEAD + 'if __name__ == "__main__":\n    tf.enable_eager_execution()\n    print(tf.square(2.0))\n'
    assert convert(text).status is Status.NATIVE


def test_a_session_in_an_eager_program_is_refused() -> None:
    text = EAGER + (
        "with tf.Graph().as_default():\n"
        "    x = tf.placeholder(tf.float32)\n"
        "    print(tf.Session().run(x * 2.0, {x: 1.0}))\n"
    )
    assert "TFM168" in errors(text)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("opt.apply_gradients([(tf.ones([]), v)], global_step=tf.train.get_or_create_global_step())", "TFM128"),
        ("opt.minimize(lambda: v * v)", "TFM128"),
        ("w = tfe.Variable(1.0, True, None, True, None, 'w', tf.float32)", "TFM202"),
        ("class Net(tfe.Network): pass", "TFM102"),
        ("saver = tfe.Saver([v])", "TFM217"),
    ],
)
def test_what_changes_its_meaning_is_refused(line: str, code: str) -> None:
    assert code in errors(EAGER + "v = tfe.Variable(2.0)\nopt = tf.train.GradientDescentOptimizer(0.1)\n" + line + "\n")
