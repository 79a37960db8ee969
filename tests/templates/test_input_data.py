"""The generated MNIST reader against TensorFlow 1.15's own, and its manners where files are missing."""

from __future__ import annotations

import gzip
import struct
import subprocess
from pathlib import Path

import pytest

from tfmigrate.rewrite import templates

PROGRAM = Path(__file__).parent / "programs" / "mnist_batches.py"


@pytest.fixture
def generated(tmp_path: Path) -> Path:
    """A folder that holds input_data.py."""
    (tmp_path / "input_data.py").write_text(templates.render("input_data"), encoding="utf-8")
    return tmp_path


@pytest.mark.tf
@pytest.mark.tf1
def test_batches_equal_those_of_tensorflow_1(tf1_python: Path, tf2_python: Path, generated: Path) -> None:
    numpy = pytest.importorskip("numpy")
    for side, python in (("before", tf1_python), ("after", tf2_python)):
        command = [python, PROGRAM, generated, generated / "data", generated / f"{side}.npz"]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr[-3000:]
    before, after = numpy.load(generated / "before.npz"), numpy.load(generated / "after.npz")
    assert sorted(before.files) == sorted(after.files)
    assert len(before.files) > 200
    for name in before.files:
        assert before[name].dtype == after[name].dtype, name
        numpy.testing.assert_array_equal(before[name], after[name], err_msg=name)


@pytest.mark.tf
@pytest.mark.tf1
def test_files_that_do_not_belong_together_are_refused_as_by_tensorflow_1(
    tf1_python: Path, tf2_python: Path, generated: Path
) -> None:
    """A folder that holds the images of one MNIST and the labels of another."""
    (generated / "data").mkdir()
    for name, head, size in (
        ("train-images-idx3", (2051, 5, 28, 28), 5 * 784),
        ("train-labels-idx1", (2049, 7), 7),
        ("t10k-images-idx3", (2051, 2, 28, 28), 2 * 784),
        ("t10k-labels-idx1", (2049, 2), 2),
    ):
        with gzip.open(generated / "data" / f"{name}-ubyte.gz", "wb") as stream:
            stream.write(struct.pack(f">{len(head)}I", *head) + bytes(size))
    script = """
import tensorflow as tf
if tf.__version__.startswith("1."):
    from tensorflow.examples.tutorials.mnist import input_data
else:
    import input_data
try:
    input_data.read_data_sets("data", validation_size=1)
except Exception as error:
    print(type(error).__name__, error)
"""
    found = []
    for python in (tf1_python, tf2_python):
        done = subprocess.run(
            [str(python), "-c", script], cwd=generated, capture_output=True, text=True, timeout=300, check=True
        )
        found.append(done.stdout.splitlines()[-1])  # TensorFlow 1 tells of each file it reads
    assert found == ["AssertionError images.shape: (4, 28, 28, 1) labels.shape: (6,)"] * 2


@pytest.mark.tf
def test_missing_files_are_downloaded_or_named(tf2_python: Path, generated: Path) -> None:
    script = """
import os, urllib.request
import input_data
asked = []

def urlretrieve(url, path):
    asked.append(url)
    if len(asked) > 1:
        raise OSError("no network")
    open(path, "wb").close()

urllib.request.urlretrieve = urlretrieve
try:
    input_data._find("a.gz", "data/deep", "https://example.org/")
    input_data.read_data_sets("data", source_url="https://example.org/mnist/")
except OSError as error:
    print(asked, os.listdir("data/deep"))
    print(error)
"""
    done = subprocess.run(
        [str(tf2_python), "-c", script], cwd=generated, capture_output=True, text=True, timeout=300, check=True
    )
    asked, message = done.stdout.splitlines()
    name = "https://example.org/mnist/train-images-idx3-ubyte.gz"
    assert asked == f"['https://example.org/a.gz', '{name}'] ['a.gz']"
    assert message == f"data/train-images-idx3-ubyte.gz is missing, and {name} cannot be read: no network"
