"""Converted programs print the same on one device, on two mirrored ones and as two workers; TensorFlow 1.15 too."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from strategies.running import HERE, assert_same, converted, finish, start, workers
from strategies.test_reductions import RESULTS, program

from tfmigrate.model import Status, Strategy

PROGRAMS = ["softmax_regression", "schedule_and_global_step", "clipped_layers", "recurrent_networks", "saving"]

pytestmark = [pytest.mark.tf, pytest.mark.slow]


def ready(name: str, strategy: Strategy, folder: Path) -> Path:
    folder.mkdir()
    result = converted((HERE / "programs" / f"{name}.py").read_text(encoding="utf-8"), strategy, folder)
    assert result.status is Status.NATIVE, result.findings
    return folder


@pytest.fixture(scope="module")
def plain(tf2_python: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What each program prints on one device."""
    found = {}
    for name in PROGRAMS:
        folder = ready(name, Strategy.DEFAULT, tmp_path_factory.mktemp(name) / "plain")
        code, out, err = finish(start(tf2_python, folder, "plain", [str(folder)]))
        assert code == 0, err[-3000:]
        assert len(out.splitlines()) >= 1
        found[name] = out
    return found


@pytest.mark.parametrize("name", PROGRAMS)
def test_two_devices_print_what_one_does(name: str, tf2_python: Path, plain: dict[str, str], tmp_path: Path) -> None:
    folder = ready(name, Strategy.MIRRORED, tmp_path / "mirrored")
    code, out, err = finish(start(tf2_python, folder, "mirrored", [str(folder)]))
    assert code == 0, err[-3000:]
    assert_same(plain[name], out)


@pytest.mark.workers
@pytest.mark.parametrize("name", PROGRAMS)
def test_two_workers_print_what_one_process_does(
    name: str, tf2_python: Path, plain: dict[str, str], tmp_path: Path
) -> None:
    folder = ready(name, Strategy.MULTIWORKER, tmp_path / "multiworker")
    results = workers(tf2_python, folder, [str(folder)])
    for code, out, err in results:
        assert code == 0, err[-3000:]
        assert_same(plain[name], out)
    if name == "saving":  # only the chief wrote, and kept two checkpoints
        assert "files 2 1" in results[0][2]


@pytest.mark.tf1
@pytest.mark.parametrize("name", PROGRAMS)
def test_one_device_prints_what_tensorflow_1_does(
    name: str, tf1_python: Path, plain: dict[str, str], tmp_path: Path
) -> None:
    command = [str(tf1_python), str(HERE / "programs" / f"{name}.py"), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=dict(os.environ))
    assert done.returncode == 0, done.stderr[-3000:]
    assert_same(done.stdout, plain[name])


def test_a_batch_that_cannot_be_split_is_an_error(tf2_python: Path, tmp_path: Path) -> None:
    text = (HERE / "programs" / "softmax_regression.py").read_text(encoding="utf-8")
    converted(text.replace("rng.randint(0, 256, 32)", "rng.randint(0, 256, 31)"), Strategy.MIRRORED, tmp_path)
    code, _, err = finish(start(tf2_python, tmp_path, "mirrored", []))
    assert code == 1
    assert "a batch of 31 cannot be split evenly among 2 replicas: take a multiple of 2" in err


def test_every_reduction_gives_the_numbers_of_one_device(tf2_python: Path, tmp_path: Path) -> None:
    """All results of test_reductions, fetched in one training step with real numbers."""
    text = numbers_of([expression for expression, _ in RESULTS])
    outputs = []
    for kind, strategy in (("plain", Strategy.DEFAULT), ("mirrored", Strategy.MIRRORED)):
        folder = tmp_path / kind
        folder.mkdir()
        result = converted(text, strategy, folder)
        assert result.status is Status.NATIVE, result.findings
        code, out, err = finish(start(tf2_python, folder, kind, []))
        assert code == 0, err[-3000:]
        outputs.append(out)
    assert len(outputs[0].splitlines()) == 3 * len(RESULTS)
    assert_same(*outputs)


def numbers_of(expressions: list[str]) -> str:
    """A program that trains three steps, and prints what each expression gives."""
    names = [f"r{i}" for i in range(len(expressions))]
    text = program("result_", more="\n".join(f"{n} = {e}" for n, e in zip(names, expressions, strict=True)))
    text = text[: text.index("    _, result")]
    feeds = "{x: rng.rand(8, 4), y: rng.rand(8, 3), ids: rng.randint(0, 3, 8), whole: np.ones([8, 4])}"
    listed = ", ".join(names)
    return text.replace("import tensorflow as tf\n", "import tensorflow as tf\nrng = np.random.RandomState(7)\n") + (
        f"    for i in range(3):\n        _, values = sess.run([train_op, [{listed}]], {feeds})\n"
        "        for value in values:\n"
        '            print(value.shape, " ".join("%.5f" % v for v in np.ravel(value)))\n'
    )
