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
        ("saved = tf.train.Checkpoint(opt=opt, v=v)", "TFM126"),
    ],
)
def test_what_changes_its_meaning_is_refused(line: str, code: str) -> None:
    assert code in errors(EAGER + "v = tfe.Variable(2.0)\nopt = tf.train.GradientDescentOptimizer(0.1)\n" + line + "\n")


MODEL = """import numpy as np
class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.out = tf.keras.layers.Dense(1)
    def call(self, x):
        return self.out(x)
net = Net()
"""


@pytest.mark.parametrize(
    "given",
    [
        "tf.constant([[1.0, 2.0]])",
        "tf.zeros([2, 2]) + 1.0",
        "np.ones((2, 2), dtype=np.float32)",
        "tf.constant(np.random.randn(2, 2), dtype=tf.float32)",
        "tf.reshape(tf.cast(np.arange(4), tf.float32), [2, 2])",
        "np.concatenate([np.zeros((1, 2)).astype(np.float32), np.ones((1, 2), dtype='float32')])",
        "tf.one_hot([0, 1], 2)",
    ],
)
def test_a_keras_model_converts_where_its_input_is_known_to_be_narrow(given: str) -> None:
    file = convert(EAGER + MODEL + f"print(net({given}), net.variables)\n")
    assert file.status is Status.NATIVE, file.findings


@pytest.mark.parametrize(
    "given",
    [
        "np.random.randn(2, 2)",
        "tf.constant(np.random.randn(2, 2))",
        "tf.constant(np.ones((2, 2), dtype=np.float32) * np.random.randn(2, 2))",
        "tf.constant(np.reshape([1.0, 2.0], (1, 2)))",
        "tf.constant([[1.0, 2.0]], dtype=tf.float64)",
        "tf.convert_to_tensor([[1.0, 2.0]], preferred_dtype=tf.float64)",
        "np.concatenate([np.zeros((1, 2)), np.ones((1, 2), dtype='float32')])",
        "tf.constant(np.array([[1, 2]], dtype=np.int32) / np.array([[1, 2]], dtype=np.int32))",
        "np.zeros((2, 2), dtype=np.float32)[0:1] if net else np.zeros((1, 2))",
    ],
)
def test_a_keras_model_is_refused_where_its_input_may_be_float64(given: str) -> None:
    assert "TFM136" in errors(EAGER + MODEL + f"print(net({given}))\n")


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("tf.keras.layers.Dense(1)", "tf.keras.layers.Dropout(0.5)", "TFM136"),
        ("tf.keras.layers.Dense(1)", "tf.keras.layers.Dense(1, activation='hard_sigmoid')", "TFM136"),
        ("tf.keras.layers.Dense(1)", "tf.keras.layers.Dense(1, kernel_initializer='normal')", "TFM136"),
        ("tf.keras.layers.Dense(1)", "tfe.Variable(1.0)", "TFM102"),
        ("self.out = tf.keras.layers.Dense(1)", "self.out = self.path = tf.keras.layers.Dense(1)", "TFM102"),
        ("def call(self, x)", "def call(self, x, training=None)", "TFM102"),
        ("net = Net()", "net = Net()\nnet.compile('sgd', 'mse')", "TFM102"),
        ("net = Net()", "net = Net()\ncheckpoint = tf.train.Checkpoint(net=net)", "TFM126"),
        ("net = Net()", "net = Net()\nimport math\nmath.floor(net)", "TFM102"),
        ("net = Net()", "net = Net()\nimport other\nother.use(net)", "TFM102"),
        ("tf.keras.Model", "tf.keras.layers.Layer", "TFM102"),
    ],
)
def test_what_keras_3_does_in_its_own_way_is_refused(old: str, new: str, code: str) -> None:
    text = EAGER + MODEL + "print(net(tf.constant([[1.0, 2.0]])))\n"
    assert code in errors(text.replace(old, new))


def test_keras_in_a_graph_stays_refused() -> None:
    text = HEAD + MODEL + "y = net(tf.zeros([1, 2]))\nprint(tf.Session().run(y))\n"
    assert {"TFM102", "TFM136"} <= errors(text)
