"""The symbol tables: aliases, signatures, old names, and the time they take to load."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tfmigrate import symbols
from tfmigrate.symbols.earlier import EARLIER
from tfmigrate.symbols.generate import HERE, generate


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("log", "log"),
        ("math.log", "log"),
        ("compat.v1.math.log", "log"),
        ("random.normal", "random_normal"),
        ("contrib.slim.conv2d", "contrib.layers.conv2d"),
        ("contrib.layers.convolution2d", "contrib.layers.conv2d"),
        ("contrib.rnn.BasicLSTMCell", "nn.rnn_cell.BasicLSTMCell"),
        ("mul", "multiply"),
        ("nn.relu", "nn.relu"),
        ("no.such.symbol", "no.such.symbol"),
    ],
)
def test_canonical_is_the_shortest_name_of_1_15(name: str, short: str) -> None:
    assert symbols.canonical(name) == short


def test_legacy_knows_parameters_in_order_with_defaults() -> None:
    dropout = symbols.legacy("nn.dropout")
    assert dropout is not None
    assert [p.name for p in dropout.parameters] == ["x", "keep_prob", "noise_shape", "seed", "name", "rate"]
    assert dropout.parameters[0].default is None
    assert dropout.parameters[1].default == "None"
    adam = symbols.legacy("train.AdamOptimizer")
    assert adam is not None
    assert adam.kind == "class"
    assert adam.parameters[0].default == "0.001"


def test_target_has_no_old_names_and_has_keras() -> None:
    assert symbols.target("log") is None
    assert symbols.target("compat.v1.log") is None
    assert symbols.target("math.log") is not None
    dense = symbols.target("keras.layers.Dense")
    assert dense is not None
    assert dense.positional[0].name == "units"
    assert dense.keywords == "kwargs"
    raw = symbols.target("raw_ops.ResizeBilinear")
    assert raw is not None
    assert raw.parameter("half_pixel_centers") is not None


def test_static_methods_and_constants_are_listed() -> None:
    tensors = symbols.legacy("data.Dataset.from_tensor_slices")
    assert tensors is not None
    assert tensors.kind == "method"
    key = symbols.legacy("GraphKeys.UPDATE_OPS")
    assert key is not None
    assert key.kind == "constant"
    dtype = symbols.target("float32")
    assert dtype is not None
    assert dtype.kind == "dtype"


def test_aliases_start_with_the_shortest() -> None:
    assert symbols.aliases("math.log") == ("log", "math.log")


@pytest.mark.parametrize("old", sorted(EARLIER))
def test_earlier_names_lead_to_1_15_and_are_not_in_it(old: str) -> None:
    found = symbols.legacy(old)
    assert found is not None
    assert found.name == EARLIER[old]
    assert old not in dict(symbols.all_legacy())


def test_tables_load_without_tensorflow() -> None:
    code = (
        "import sys; from tfmigrate import symbols;"
        "symbols.legacy('nn.relu'); symbols.target('nn.relu');"
        "print('tensorflow' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False"]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("python.ops.array_ops.concat", "concat"),
        ("python.ops.rnn_cell.BasicLSTMCell", "nn.rnn_cell.BasicLSTMCell"),
        ("python.platform.flags.FLAGS.steps", "flags.FLAGS.steps"),
        ("python.framework.dtypes.float32", "float32"),
        ("contrib.layers.python.layers.initializers.xavier_initializer", "contrib.layers.xavier_initializer"),
        ("python.ops.math_ops.reduce_sum", "python.ops.math_ops.reduce_sum"),  # TensorFlow 2's, not tf.reduce_sum
        ("python.client.timeline.Timeline", "python.client.timeline.Timeline"),
        ("python.ops.array_ops", "python.ops.array_ops"),
        ("nn.relu", "nn.relu"),
    ],
)
def test_internal_modules_give_public_names_of_the_same_object(name: str, shown: str) -> None:
    assert symbols.public(name) == shown


@pytest.mark.tf1
def test_internal_names_are_those_of_the_real_1_15(tf1_python: Path, tmp_path: Path) -> None:
    table = tmp_path / "internal.tsv"
    generate(str(tf1_python), table, "describe_internal.py")
    assert table.read_text(encoding="utf-8") == (HERE / "internal.tsv").read_text(encoding="utf-8")
