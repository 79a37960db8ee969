"""Checkpoints by value, summaries by tag and step, other files by content."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from verify.synthetic import Tape, trace, training, with_files

from tfmigrate.verify.recorded import Recorded
from tfmigrate.verify.tolerance import Allowance
from tfmigrate.verify.trace import SummaryValue, Value, VariableState, WrittenFile
from tfmigrate.verify.variables import MatchedVariable
from tfmigrate.verify.written import compare_checkpoints, compare_files, compare_summaries


def allowance(share: float) -> Allowance:
    return Allowance(1e-5, 1e-6, 0.0)


def scalar(tag: str, step: int, value: float) -> SummaryValue:
    return SummaryValue(tag, step, (value,), "scalar")


def curve(factor: float = 1.0, shift: int = 0, tag: str = "loss") -> list[SummaryValue]:
    return [scalar(tag, step + shift, factor / (1 + step)) for step in range(5)]


def test_equal_summaries() -> None:
    (found,) = compare_summaries(curve(), curve(), allowance)
    assert found.ok
    assert found.n == 5


@pytest.mark.parametrize("other", [curve(1.01), curve(shift=1), curve()[:4], curve(tag="cost"), []])
def test_other_value_step_number_or_tag(other: list[SummaryValue]) -> None:
    assert not all(c.ok for c in compare_summaries(curve(), other, allowance))


def histogram(low: float, high: float, number: float, total: float, squares: float) -> list[SummaryValue]:
    return [SummaryValue("w", 0, (low, high, number, total, squares), "histogram")]


def test_histograms_are_equal_to_a_bucket() -> None:
    old = histogram(-1.0, 1.0, 100, 3.0, 30.0)
    assert compare_summaries(old, histogram(-1.0, 1.0, 100, 4.0, 31.0), allowance)[0].ok
    assert not compare_summaries(old, histogram(-1.0, 1.2, 100, 3.0, 30.0), allowance)[0].ok
    assert not compare_summaries(old, histogram(-1.0, 1.0, 90, 3.0, 30.0), allowance)[0].ok
    assert not compare_summaries(old, histogram(-1.0, 1.0, 100, 50.0, 30.0), allowance)[0].ok


def checkpoint(tape: Tape, path: str, **tensors: Any) -> WrittenFile:
    values = {k.replace("__", "/"): tape.value(v) for k, v in tensors.items()}
    return WrittenFile(path, "checkpoint", "", 1, values)


def pairs(*names: str) -> list[MatchedVariable]:
    made = [VariableState(n, (3,), "float32", True, None, None) for n in names]
    return [MatchedVariable(v, v, "name") for v in made]


def stored(tape: Tape, *files: WrittenFile) -> Recorded:
    return with_files(Recorded(trace([]), tape.arrays), files)


W, B = np.float32([1, 2, 3]), np.float32([4, 5, 6])


def test_checkpoints_agree_by_name_path_or_value() -> None:
    old, new = Tape(), Tape()
    before = stored(old, checkpoint(old, "ckpt/model-5.index", W=W, b=B, W__Adam=0 * W, beta1_power=np.float32(0.9)))
    attributes = {
        "W/.ATTRIBUTES/VARIABLE_VALUE": W,
        "bias/.ATTRIBUTES/VARIABLE_VALUE": B,
        "optimizer/_velocities/0/.ATTRIBUTES/VARIABLE_VALUE": 2 * W,
        "save_counter/x": np.int64(1),
    }
    file = WrittenFile("ckpt/model-5.index", "checkpoint", "", 1, {k: new.value(v) for k, v in attributes.items()})
    (found,) = compare_checkpoints(before, stored(new, file), pairs("W", "b"), allowance, {"b": "bias"})
    assert found.ok
    assert found.n == 6
    (guessed,) = compare_checkpoints(before, stored(new, file), pairs("W", "b"), allowance, {})
    assert guessed.ok


def test_a_checkpoint_without_the_optimizer_is_told() -> None:
    old, new = Tape(), Tape()
    before = stored(old, checkpoint(old, "m.index", W=W, b=B, W__Adam=0 * W, W__Adam_1=0 * W, b__Adam=0 * B))
    after = checkpoint(new, "m.index", W=W, b=B, optimizer__m=0 * W, optimizer__iterations=np.int64(3))
    (found,) = compare_checkpoints(before, stored(new, after), pairs("W", "b"), allowance, {})
    assert not found.ok
    assert found.note == "holds no slot of b"


@pytest.mark.parametrize(
    ("path", "tensors", "words"),
    [
        ("ckpt/model-5.index", {"W": W}, "holds no b"),
        ("ckpt/model-5.index", {"W": W, "b": B + 1}, "b differs"),
        ("ckpt/model-6.index", {"W": W, "b": B}, "not written after"),
    ],
)
def test_checkpoint_differences(path: str, tensors: dict[str, Any], words: str) -> None:
    old, new = Tape(), Tape()
    before = stored(old, checkpoint(old, "ckpt/model-5.index", W=W, b=B))
    found = compare_checkpoints(before, stored(new, checkpoint(new, path, **tensors)), pairs("W", "b"), allowance, {})
    assert not found[0].ok
    assert words in found[0].note


def text(path: str, content: str) -> WrittenFile:
    return WrittenFile(path, "text", content, len(content), {"text": Value(None, (), "string", text=content)})


def test_text_files_are_compared_as_output() -> None:
    before = with_files(training("before"), [text("log.txt", "loss 0.12345\n"), text("gone.txt", "x")])
    results, _ = compare_files(before, with_files(training("after"), [text("log.txt", "loss 0.12346\n")]), allowance)
    assert [(c.name, c.ok) for c in results] == [("file log.txt", True), ("file gone.txt", False)]
    results, _ = compare_files(
        before, with_files(training("after"), [text("log.txt", "loss 0.2\n"), text("gone.txt", "x")]), allowance
    )
    assert [c.ok for c in results] == [False, True]


def test_arrays_are_compared_as_numbers() -> None:
    old, new = Tape(), Tape()
    a = WrittenFile("out.npy", "array", "1", 9, {"array": old.value(W)})
    b = WrittenFile("out.npy", "array", "2", 9, {"array": new.value(W * np.float32(1.000001))})
    c = WrittenFile("out.npy", "array", "3", 9, {"array": new.value(W * np.float32(1.001))})
    assert compare_files(stored(old, a), stored(new, b), allowance)[0][0].ok
    assert not compare_files(stored(old, a), stored(new, c), allowance)[0][0].ok


def test_unreadable_files_that_differ_are_a_note() -> None:
    a, b = WrittenFile("x.pkl", "other", "1", 9), WrittenFile("x.pkl", "other", "2", 8)
    results, notes = compare_files(stored(Tape(), a), stored(Tape(), b), allowance)
    assert results == []
    assert "x.pkl" in notes[0]
    results, _ = compare_files(stored(Tape(), a), stored(Tape(), a), allowance)
    assert results[0].ok
