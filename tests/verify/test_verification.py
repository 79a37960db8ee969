"""Whole verifications: real programs, both runtimes, the verdicts that people will read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from verify.synthetic import program, training

from tfmigrate.errors import InputError
from tfmigrate.model import Status
from tfmigrate.verify import schema, verification
from tfmigrate.verify.legacy import learns_nothing
from tfmigrate.verify.results import Tier, Verdict

BEFORE = """
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(0)
xs = rng.rand(64, 3).astype("float32")
ys = (xs @ [[1.0], [-2.0], [0.5]] + 0.3).astype("float32")
x = tf.placeholder(tf.float32, [None, 3])
y = tf.placeholder(tf.float32, [None, 1])
W = tf.Variable(tf.random_normal([3, 1], stddev=0.3), name="W")
b = tf.Variable(tf.zeros([1]), name="b")
loss = tf.reduce_mean(tf.square(tf.nn.dropout(tf.matmul(x, W), 0.8) + b - y))
train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(12):
        _, value = sess.run([train_op, loss], {x: xs, y: ys})
        print("step %d loss %.5f" % (step, value))
"""

AFTER = """
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(0)
xs = rng.rand(64, 3).astype("float32")
ys = (xs @ [[1.0], [-2.0], [0.5]] + 0.3).astype("float32")
W = tf.Variable(tf.random.normal([3, 1], stddev=0.3), name="W")
b = tf.Variable(tf.zeros([1]), name="b")


@tf.function(input_signature=[tf.TensorSpec([None, 3]), tf.TensorSpec([None, 1])])
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.nn.dropout(tf.matmul(x, W), rate=0.2) + b - y))
    for variable, gradient in zip([W, b], tape.gradient(loss, [W, b])):
        variable.assign_sub(0.1 * gradient)
    return loss


for step in range(12):
    value = train_step(xs, ys).numpy()
    print("step %d loss %.5f" % (step, value))
"""


def pair_of(folder: Path, before: str = BEFORE, after: str = AFTER) -> tuple[Path, Path]:
    for name, text in (("before", before), ("after", after)):
        (folder / name).mkdir()
        (folder / name / "main.py").write_text(text)
    return folder / "before", folder / "after"


def test_a_program_that_was_not_converted_is_not_run(tmp_path: Path) -> None:
    found = verification.verify_pair(*pair_of(tmp_path), "main.py", conversion=program(status=Status.REFUSED))
    assert found.verdict is Verdict.UNVERIFIED
    assert "not converted" in found.reason


def test_unknown_oracle_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="auto, tf1, compat or both"):
        verification.verify_pair(*pair_of(tmp_path), "main.py", oracle="tf3")


def test_the_command_repeats_the_verification() -> None:
    command = verification.command_of(Path("old dir"), Path("new"), "a/b.py", "tf1", 60.0, 20, ["--epochs", "1"], None)
    expected = "tfmigrate verify 'old dir' new --entry a/b.py --before tf1 --time-limit 60 --max-steps 20 -- --epochs 1"
    assert command == expected


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory, tf2_python: Path) -> Path:
    """The legacy run, recorded once by a whole verification of the right pair, whose report stands beside it."""
    folder = tmp_path_factory.mktemp("kept")
    golden = folder / "golden.zip"
    pair = pair_of(folder)
    report = verification.verify_pair(*pair, "main.py", oracle="compat", rounds=1, record=golden, python=tf2_python)
    (folder / "report.json").write_text(schema.write([report]))
    return golden


@pytest.mark.tf
@pytest.mark.slow
def test_a_right_pair_is_verified_with_its_step_times(kept: Path) -> None:
    (found,) = schema.read((kept.parent / "report.json").read_text())
    assert found.verdict is Verdict.VERIFIED, found.reason
    assert all(c.ok for c in found.comparisons)
    assert {c.kind for c in found.comparisons} >= {"value", "variable", "output"}
    assert found.speedup is not None
    assert found.before.steps == found.after.steps == 12
    assert found.oracles[0].floor_max is not None
    assert found.series[0].before[0] == pytest.approx(found.series[0].after[0], rel=1e-5)


@pytest.mark.tf
@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("rng", "rng"),  # nothing changed
        ("0.1 * gradient", "0.11 * gradient"),
        ("rate=0.2", "rate=0.3"),
        ("tf.reduce_mean(", "1.01 * tf.reduce_mean("),
        ("return loss", "return W"),
    ],
)
def test_a_golden_trace_tells_a_changed_constant(kept: Path, tmp_path: Path, old: str, new: str) -> None:
    assert old in AFTER
    _, after = pair_of(tmp_path, after=AFTER.replace(old, new))
    found = verification.verify_pair(None, after, "main.py", golden=kept)
    assert found.oracles[0].name == "golden"
    if old == new:
        assert found.verdict is Verdict.VERIFIED, found.reason
        assert found.tiers.numeric is Tier.PASS
    else:
        assert found.verdict is Verdict.DIFFERS
        assert found.first_difference


@pytest.mark.tf1
@pytest.mark.slow
def test_both_oracles_judge_where_both_are_asked_for(tmp_path: Path) -> None:
    found = verification.verify_pair(*pair_of(tmp_path), "main.py", oracle="both", timing=False)
    assert found.verdict is Verdict.VERIFIED, found.reason
    assert [(o.name, o.judged) for o in found.oracles][:2] == [("tf1", True), ("compat", True)]
    assert found.before.runtime.startswith("tf1 1.15")
    assert found.oracles[1].floor_max is not None


@pytest.mark.tf
@pytest.mark.slow
def test_missing_data_and_crashes_end_in_a_verdict(tmp_path: Path) -> None:
    missing = pair_of(tmp_path, before="open('nowhere.csv')\n")
    found = verification.verify_pair(*missing, "main.py", oracle="compat")
    assert found.verdict is Verdict.UNVERIFIED
    assert "nowhere.csv" in found.reason
    assert any("tfmigrate verify" in a for a in found.advice)
    (missing[0] / "main.py").write_text(BEFORE)
    (missing[1] / "main.py").write_text("raise TypeError('wrong')\n")
    found = verification.verify_pair(*missing, "main.py", oracle="compat", timing=False)
    assert found.verdict is Verdict.DIFFERS
    assert "TypeError: wrong" in found.reason


def test_a_run_that_trains_and_changes_nothing_is_no_measure() -> None:
    moved = training("before").trace
    assert not learns_nothing(moved)
    still = replace(moved, variables=tuple(replace(v, final=v.initial) for v in moved.variables))
    assert learns_nothing(still)
    assert not learns_nothing(replace(still, events=tuple(replace(e, effects=()) for e in still.events)))


@pytest.mark.tf
@pytest.mark.slow
@pytest.mark.parametrize(("share", "verdict"), [(3, Verdict.VERIFIED), (3.5, Verdict.DIFFERS)])
def test_a_program_of_python_2_is_run_as_python_3(
    tmp_path: Path, tf2_python: Path, share: float, verdict: Verdict
) -> None:
    last = '        print("step %d loss %.5f" % (step, value))'
    old = BEFORE.replace(last, '        print "loss %.5f of" % value, shares()').replace(
        "import numpy as np\n", "import numpy as np\nfrom parts import shares\n"
    )
    new = AFTER.replace("step %d loss %.5f", "loss %.5f of %s").replace("(step, value)", f"(value, {share})")
    before, after = pair_of(tmp_path, old, new)
    library = "def shares():\n    n = 7\n    return n / 2\n\nif not shares():\n    print 'none'\n"
    (before / "parts.py").write_text(library)
    found = verification.verify_pair(before, after, "main.py", oracle="compat", timing=False, python=tf2_python)
    assert found.verdict is verdict, found.reason
    assert (before / "main.py").read_text() == old
    assert (before / "parts.py").read_text() == library
