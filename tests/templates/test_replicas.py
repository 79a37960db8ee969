"""One device, two virtual devices and two worker processes give the same training; the TPU form is built, not run."""

from __future__ import annotations

import ast
import json
import os
import re
import socket
import subprocess
from pathlib import Path

import pytest

from tfmigrate.model import Strategy
from tfmigrate.rewrite import templates

PROGRAM = Path(__file__).parent / "programs" / "replicas_training.py"


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the generated files that the program imports."""
    folder = tmp_path_factory.mktemp("generated")
    for name in ("fused_optimizers", "legacy_checkpoints", "replicas"):
        (folder / f"{name}.py").write_text(templates.render(name), encoding="utf-8")
    return folder


def start(python: Path, generated: Path, out: Path, kind: str, cluster: str = "") -> subprocess.Popen[str]:
    environment = os.environ | ({"TF_CONFIG": cluster} if cluster else {})
    command = [str(python), str(PROGRAM), str(generated), str(out), kind]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


def finish(child: subprocess.Popen[str]) -> tuple[list[str], str]:
    """The lines of standard output, and the errors that the program told of."""
    try:
        out, err = child.communicate(timeout=300)
    finally:
        child.kill()
    assert child.returncode == 0, err[-3000:]
    return out.splitlines(), "\n".join(line for line in err.splitlines() if line.startswith("error"))


@pytest.fixture(scope="module")
def single(tf2_python: Path, generated: Path, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The output on one device."""
    lines, errors = finish(start(tf2_python, generated, tmp_path_factory.mktemp("single"), "default"))
    assert "arguments of [30, 32] rows" in errors
    return lines


def assert_same(single: list[str], other: list[str]) -> None:
    """The same words, and numbers within the last digits printed."""
    number = re.compile(r"-?\d+\.\d+")
    assert [number.sub("#", line) for line in single] == [number.sub("#", line) for line in other]
    for one, two in zip(number.findall("\n".join(single)), number.findall("\n".join(other)), strict=True):
        assert float(one) == pytest.approx(float(two), rel=1e-4, abs=3e-5)


@pytest.mark.slow
@pytest.mark.tf
def test_two_devices_train_as_one(tf2_python: Path, generated: Path, single: list[str], tmp_path: Path) -> None:
    lines, errors = finish(start(tf2_python, generated, tmp_path, "mirrored"))
    assert len(lines) == 12
    assert_same(single, lines)
    assert "a batch of 31 cannot be split evenly among 2 replicas: take a multiple of 2" in errors


@pytest.mark.slow
@pytest.mark.tf
@pytest.mark.workers
def test_two_workers_train_as_one(tf2_python: Path, generated: Path, single: list[str], tmp_path: Path) -> None:
    listeners = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
    workers = [f"127.0.0.1:{listener.getsockname()[1]}" for listener in listeners]
    for listener in listeners:
        listener.close()
    children = []
    for index in range(2):
        cluster = {"cluster": {"worker": workers}, "task": {"type": "worker", "index": index}}
        children.append(start(tf2_python, generated, tmp_path, "multiworker", json.dumps(cluster)))
    (chief, errors), (worker, _) = [finish(child) for child in children]
    assert_same(single, chief)
    assert_same(single[:-1], worker)  # only the chief's files are in the folder
    assert "a batch of 31 cannot be split evenly among 2 replicas" in errors


@pytest.mark.parametrize("strategy", list(Strategy))
def test_strategy_lines_are_python(strategy: Strategy) -> None:
    lines = templates.strategy_lines(strategy)
    module = ast.parse("\n".join(lines))
    names = [
        target.id
        for node in module.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    ]
    assert names[-1:] == ([] if strategy is Strategy.NONE else ["strategy"])


@pytest.mark.tf
def test_the_tpu_form_connects_and_initializes_before_the_strategy(tf2_python: Path) -> None:
    """There is no TPU here: its calls are recorded, with TensorFlow's own signatures checked."""
    script = """
from unittest import mock
import tensorflow as tf
calls = mock.Mock()
patches = [
    mock.patch.object(tf.distribute.cluster_resolver, "TPUClusterResolver", autospec=True, side_effect=calls.resolver),
    mock.patch.object(tf.config, "experimental_connect_to_cluster", autospec=True, side_effect=calls.connect),
    mock.patch.object(tf.tpu.experimental, "initialize_tpu_system", autospec=True, side_effect=calls.initialize),
    mock.patch.object(tf.distribute, "TPUStrategy", autospec=True, side_effect=calls.strategy),
]
for patch in patches:
    patch.start()
LINES
print([call[0] for call in calls.mock_calls])
assert all(call.args == (resolver,) for call in calls.mock_calls[1:])
"""
    text = script.replace("LINES", "\n".join(templates.strategy_lines(Strategy.TPU)))
    done = subprocess.run([str(tf2_python), "-c", text], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.strip() == "['resolver', 'connect', 'initialize', 'strategy']"
