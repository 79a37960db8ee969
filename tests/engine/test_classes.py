"""Model classes: what their methods become, what is refused, and that the converted programs print the same numbers.

The programs stand in model_classes/, one folder for each way in which people write them; `printed.out` beside each is
what it printed on the real TensorFlow 1.15.5 (Python 3.7, NumPy 1.18).
"""

from __future__ import annotations

import math
import re
import subprocess
from pathlib import Path

import pytest
from engine.test_programs import Converted, converted

from tfmigrate.model import Options, SourceFile, SourceTree, Status
from tfmigrate.pipeline import convert

PROGRAMS = sorted((Path(__file__).parent / "model_classes").iterdir())
RUNNER = Path(__file__).parent / "run_programs.py"
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+)")


def differences(expected: str, found: str) -> list[str]:
    """What two outputs differ in: the text between the numbers, or numbers by more than 5e-4 of themselves."""
    texts = [NUMBER.sub("#", text).split() for text in (expected, found)]
    if "".join(texts[0]) != "".join(texts[1]):
        return [f"{expected!r} is not {found!r}"]
    pairs = zip(NUMBER.findall(expected), NUMBER.findall(found), strict=True)
    return [f"{a} is not {b}" for a, b in pairs if not math.isclose(float(a), float(b), rel_tol=5e-4, abs_tol=1e-6)]


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory, tf2_python: Path) -> Path:
    """A folder in which every program is converted, and was run."""
    root = tmp_path_factory.mktemp("classes")
    folders = []
    for program in PROGRAMS:
        files = tuple(SourceFile(path.name, path.read_text()) for path in sorted(program.glob("*.py")))
        result = convert(SourceTree(program, files), Options())
        if any(file.status not in (Status.NATIVE, Status.UNCHANGED) for file in result.files):
            continue  # told by the program's own test
        folder = root / program.name
        folder.mkdir()
        for file in result.files:
            (folder / file.path).write_text(file.output or (program / file.path).read_text())
        for support in result.support:
            (folder / support.path).write_text(support.text)
        folders.append(str(folder))
    command = [str(tf2_python), str(RUNNER), *folders]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=600, stdin=subprocess.DEVNULL)
    assert ran.returncode == 0, ran.stderr
    return root


@pytest.mark.tf
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name)
def test_converted_class_prints_the_same(program: Path, outputs: Path) -> None:
    folder = outputs / program.name
    assert folder.is_dir(), "the program is refused"
    assert not (folder / "stderr").exists(), (folder / "stderr").read_text()
    assert differences((program / "printed.out").read_text(), (folder / "stdout").read_text()) == []


HEAD = "import numpy as np\nimport tensorflow as tf\nW = np.ones((4, 2), np.float32)\n"
MODEL = HEAD + (
    "class Net:\n"
    "    def __init__(self):\n"
    "        self.x = tf.placeholder(tf.float32, [None, 4])\n"
    "        self.w = tf.Variable(W)\n"
    "        self.y = tf.matmul(self.x, self.w)\n"
    "        self.loss = tf.reduce_mean(tf.square(self.y))\n"
    "        self.train = tf.train.AdamOptimizer(0.1).minimize(self.loss)\n"
)
FIT = (
    "    def fit(self):\n"
    "        with tf.Session() as sess:\n"
    "            sess.run(tf.global_variables_initializer())\n"
    "            sess.run(self.train, {self.x: W.T[:1]})\n"
)
RUN = "with tf.Session() as sess:\n    sess.run(tf.global_variables_initializer())\n"


def method(found: Converted, name: str) -> str:
    """The text of one method."""
    assert found.status is Status.NATIVE, found.findings
    return found.text.split(f"    def {name}(self", 1)[1].split("\n    def ", 1)[0].split("\n\n\n", 1)[0]


def test_step_functions_are_attributes_of_their_object() -> None:
    found = converted(
        MODEL + "net = Net()\n" + RUN + "    l, _ = sess.run([net.loss, net.train], {net.x: [[1.] * 4]})\n"
    )
    assert "self.w = tf.Variable(W)" in method(found, "__init__")
    assert "self.train_step = train_step.get_concrete_function()" in method(found, "__init__")
    assert "l = net.train_step([[1.] * 4]).numpy()" in found.text


def test_an_initializer_that_runs_again_sets_back_variables_and_slots() -> None:
    found = converted(MODEL + FIT + "net = Net()\nnet.fit()\nnet.fit()\n")
    fit = method(found, "fit")
    assert fit.index("self.w.assign(W)") < fit.index("self.optimizer.reset()") < fit.index("self.train_step(")
    assert "self.optimizer = " in method(found, "__init__")


def test_an_initializer_that_runs_once_is_gone() -> None:
    found = converted(MODEL + FIT + "net = Net()\nnet.fit()\n")
    assert "assign" not in found.text
    assert "reset()" not in found.text


@pytest.mark.parametrize("value", ["np.random.rand(4, 2).astype(np.float32)", "START", "tf.constant(W * SCALE)"])
def test_an_initial_value_that_may_differ_later_is_kept(value: str) -> None:
    program = (
        f"{HEAD}START = W.copy()\nSCALE = 2.0\nv = tf.Variable({value})\ngrow = tf.assign_add(v, v)\n"
        "START[0] = 7.0\nSCALE = 3.0\n"
        "for i in range(2):\n    with tf.Session() as sess:\n"
        "        sess.run(tf.global_variables_initializer())\n        print(sess.run(grow))\n"
    )
    found = converted(program)
    assert found.status is Status.NATIVE
    assert "initial_v = v.numpy()" in found.text
    assert "v.assign(initial_v)" in found.text


def test_an_initial_value_of_local_names_is_kept_by_the_object() -> None:
    program = MODEL.replace("__init__(self)", "__init__(self, scale)").replace("Variable(W)", "Variable(W * scale)")
    found = converted(program + FIT + "net = Net(2.0)\nnet.fit()\nnet.fit()\n")
    assert "self.initial_w = self.w.numpy()" in method(found, "__init__")
    assert "self.w.assign(self.initial_w)" in method(found, "fit")


def test_a_saver_in_another_method_reaches_the_optimizer() -> None:
    save = (
        "    def save(self, sess):\n        saver = tf.train.Saver()\n        saver.save(sess, './model')\n"
        "net = Net()\n" + RUN + "    sess.run(net.train, {net.x: [[1.] * 4]})\n    net.save(sess)\n"
    )
    found = converted(MODEL + save)
    assert "self.optimizer = " in method(found, "__init__")
    assert "Checkpoint(w=self.w, optimizer=self.optimizer)" in method(found, "save")


def test_a_method_that_only_keeps_a_session_loses_it() -> None:
    program = MODEL.replace("def __init__(self)", "def build(self)").replace(
        "class Net:\n",
        "class Net:\n    def __init__(self, sess, rate):\n        self.sess = sess\n        self.rate = rate\n",
    )
    run = (
        "    def run(self):\n        self.sess.run(tf.global_variables_initializer())\n"
        "        return self.sess.run(self.loss, {self.x: W.T[:1]})\n"
        "with tf.Session() as sess:\n    net = Net(sess, 0.1)\n    net.build()\n    print(net.run())\n"
    )
    found = converted(program + run)
    assert found.status is Status.NATIVE
    assert "net = Net(0.1)" in found.text
    assert "sess" not in found.text


def test_a_method_that_computes_with_a_placeholder_stands_where_it_is_called() -> None:
    program = HEAD + (
        "class Net:\n"
        "    def __init__(self):\n"
        "        self.x = tf.placeholder(tf.float32, [None, 4])\n"
        "        self.t = tf.placeholder(tf.float32, [None, 2])\n"
        "        self.y = self.predict()\n"
        "        self.loss = self.compare(self.y)\n"
        "    def predict(self):\n"
        "        w = tf.Variable(W)\n"
        "        return tf.matmul(self.x, w)\n"
        "    def compare(self, y):\n"
        "        return tf.reduce_mean(tf.square(y - self.t))\n"
        "net = Net()\n"
    )
    found = converted(program + RUN + "    print(sess.run(net.loss, {net.x: W.T, net.t: W.T[:, :2]}))\n")
    assert found.status is Status.NATIVE
    assert "def compare" not in found.text
    assert "square(y - t)" in found.text


def test_an_object_is_named_only_where_its_name_is_seen() -> None:
    program = MODEL + MODEL.removeprefix(HEAD).replace("Net", "Other") + "net = Net()\nother = Other()\n"
    run = "    sess.run(net.train, {net.x: W.T[:1]})\n    sess.run(other.train, {other.x: W.T[:1]})\n"
    found = converted(program + RUN + run)
    assert found.status is Status.NATIVE
    other = found.text.split("class Other", 1)[1]
    assert "[net.w, self.w]" in other or "[net.w, w]" in other


def test_swapped_placeholders_are_swapped_in_the_step() -> None:
    program = HEAD + (
        "x = tf.placeholder(tf.float32, [None, 2])\nt = tf.placeholder(tf.float32, [None, 2])\n"
        "a, b = x, t\nx, t = t, x\ny = x - 2 * t\n"
        "with tf.Session() as sess:\n    print(sess.run(y, {a: W, b: W + 1.0}))\n"
    )
    found = converted(program)
    assert found.status is Status.NATIVE
    assert "x, t = t, x" in found.text.split("def compute_y(x, t)", 1)[1]


def test_a_name_bound_to_more_than_a_placeholder_keeps_what_it_was_bound_to() -> None:
    program = HEAD + (
        "x = tf.placeholder(tf.float32, [None, 4])\nfed = x\nx = x * 2.0\ny = tf.reduce_sum(x)\n"
        "with tf.Session() as sess:\n    print(sess.run(y, {fed: W.T}))\n"
    )
    found = converted(program)
    assert "x = x * 2.0" in found.text.split("def compute_y(x)", 1)[1]


REFUSED = {
    "sessions_by_turns": (
        MODEL + "net = Net()\na, b = tf.Session(), tf.Session()\na.run(tf.global_variables_initializer())\n"
        "b.run(tf.global_variables_initializer())\na.run(net.train, {net.x: W.T[:1]})\nprint(b.run(net.w))\n",
        "TFM166",
    ),
    "objects_with_sessions_of_their_own": (
        HEAD + "class Net:\n    def __init__(self, name):\n        self.v = tf.Variable(1.0, name=name)\n"
        "        self.up = tf.assign_add(self.v, 1.0)\n        self.sess = tf.Session()\n"
        "        self.sess.run(tf.global_variables_initializer())\n"
        "a = Net('a')\na.sess.run(a.up)\nb = Net('b')\nb.sess.run(b.up)\nprint(a.sess.run(a.v))\n",
        "TFM166",
    ),
    "variables_and_ops_in_one_loop": (
        HEAD + "x = tf.placeholder(tf.float32, [None, 2])\ny, kept = x, []\nsizes = [2, 2]\n"
        "for i in range(len(sizes)):\n    w = tf.Variable(W[:2])\n    kept.append(w)\n    y = tf.matmul(y, w)\n"
        + RUN
        + "    print(sess.run(y, {x: W}))\n",
        "TFM143",
    ),
    "array_changed_after_its_op": (
        HEAD + "x = tf.placeholder(tf.float32, [None, 2])\ny = tf.reduce_sum(x * W[0])\nmask = np.ones(2)\n"
        "z = y + tf.reduce_sum(x * mask)\nmask[0] = 9.0\nu = z + tf.reduce_sum(x * mask)\n"
        "with tf.Session() as sess:\n    print(sess.run(u, {x: W}))\n",
        "TFM123",
    ),
    "host_attribute_given_another_value": (
        HEAD + "class Net:\n    def __init__(self):\n        self.scale = 2.0\n"
        "        self.x = tf.placeholder(tf.float32, [None, 2])\n        self.y = tf.reduce_sum(self.x) * self.scale\n"
        "        self.scale = 5.0\n        self.z = self.y * self.scale\n"
        "net = Net()\nwith tf.Session() as sess:\n    print(sess.run(net.z, {net.x: W}))\n",
        "TFM123",
    ),
    "two_placeholders_of_one_name": (
        HEAD + "x = tf.placeholder(tf.float32, [None, 2])\na = x\nx = tf.placeholder(tf.float32, [None, 2])\n"
        "y = tf.reduce_sum(a) - 2.0 * tf.reduce_sum(x)\n"
        "with tf.Session() as sess:\n    print(sess.run(y, {a: W, x: W}))\n",
        "TFM123",
    ),
    "random_initial_value_out_of_reach": (
        HEAD + "class Net:\n    def __init__(self, n):\n        self.v = tf.get_variable('v', [n])\n"
        "        self.up = tf.assign_add(self.v, self.v)\n"
        "    def fit(self):\n        with tf.Session() as sess:\n"
        "            sess.run(tf.global_variables_initializer())\n            sess.run(self.up)\n"
        "net = Net(2)\nnet.fit()\nnet.fit()\n",
        "TFM149",
    ),
    "attribute_set_from_outside": (
        MODEL
        + "net = Net()\nnet.double = net.loss * 2.0\n"
        + RUN
        + "    print(sess.run(net.double, {net.x: W.T[:1]}))\n",
        "TFM101",
    ),
    "attributes_set_by_made_up_names": (
        HEAD + "class Net:\n    def __init__(self):\n        for i in range(2):\n"
        "            setattr(self, 'w%d' % i, tf.Variable(W))\n        self.y = self.w0 + self.w1\n"
        "net = Net()\n" + RUN + "    print(sess.run(net.y))\n",
        "TFM190",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_would_mean_something_else_is_refused(name: str) -> None:
    program, code = REFUSED[name]
    found = converted(program)
    assert found.status is Status.REFUSED
    assert code in found.errors, found.findings
