"""Standard output: numbers as numbers, what cannot be equal left out, everything else to the letter."""

from __future__ import annotations

from dataclasses import replace

import pytest
from verify.synthetic import training

from tfmigrate.verify.output import compare_output, printed, read_lines
from tfmigrate.verify.results import Comparison
from tfmigrate.verify.tolerance import Allowance
from tfmigrate.verify.trace import Trace


def compare(
    old: str, new: str, repetitions: tuple[str, ...] = (), tied: tuple[tuple[float, float], ...] = ()
) -> Comparison:
    return compare_output(old, new, lambda share: Allowance(1e-5, 1e-6, 0.0), repetitions, tied).comparison


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("loss 0.12345", "loss 0.12346"),  # one unit of the last digit
        ("loss 12.3456789", "loss 12.3456801"),  # within the numeric tolerance
        ("loss nan", "loss nan"),
        ("time cost: 0.3141", "time cost: 2.5"),
        ("step 3 took 0.5 s", "step 3 took 1.25 s"),
        ("step 3 loss 0.5 (12.1 ms)", "step 3 loss 0.5 (99.9 ms)"),
        ("elapsed 0:00:12", "elapsed 0:01:44"),
        ("Epoch 1: 23.4 examples/sec; 0.5 sec/batch", "Epoch 1: 99.1 examples/sec; 0.1 sec/batch"),
        ("2019-03-01 10:11:12 loss 1.0", "2026-11-30 20:01:02 loss 1.0"),
        ("Mon Mar  4 10:00:00 2019 done", "Tue Nov 30 20:01:02 2026 done"),
        ("saved to /tmp/abc/ckpt/model-10", "saved to /var/x_y/model-10"),
        ("<object at 0x7f00aa>", "<object at 0x7f11bb>"),
        ("[0.5, 0.25]", "[np.float32(0.5), np.float32(0.25)]"),
        ("[ 0.5  0.25]", "[0.5 0.25]"),
        ("[1.0e-09 1.0]", "[3.0e-08 1.0]"),
        ("a\r  50%\r 100%", "a\r 100%"),
        ("\x1b[1mbold\x1b[0m 3", "bold 3"),
        ('Tensor("add:0", shape=(), dtype=float32)', "tf.Tensor(3.0, shape=(), dtype=float32)"),
        ("Extracting MNIST_data/train-images-idx3-ubyte.gz\nx", "x"),
        ("a\n\nb", "a\nb\n"),
    ],
)
def test_equal(old: str, new: str) -> None:
    found = compare(old, new)
    assert found.ok, found.note


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("loss 0.123", "loss 0.125", "line 1"),
        ("loss 0.12345678", "loss 0.12355678", "line 1"),
        ("step 10", "step 11", "line 1"),
        ("accuracy 1", "accuracy 0.9", "line 1"),
        ("a\nb\nc", "a\nc", "printed before only, line 2: 'b'"),
        ("a\nc", "a\nb\nc", "printed after only, line 2: 'b'"),
        ("loss nan", "loss 0.5", "line 1"),
        ("the model", "the modal", "line 1"),
        ("step 3 loss 0.5 time 0.1", "step 3 loss 0.6 time 0.9", "line 1"),
        ("x = -1.0", "x = 1.0", "line 1"),
        ("timestep 5 reward 3.0", "timestep 5 reward 4.0", "line 1"),
        ("", "hello", "printed after only"),
        ("saved /tmp/a/model-10", "saved /tmp/a/model-11", "line 1"),
    ],
)
def test_different(old: str, new: str, words: str) -> None:
    found = compare(old, new)
    assert not found.ok
    assert words in found.note


def test_first_differing_line_is_named() -> None:
    found = compare("a 1.0\nb 2.0\nc 3.0", "a 1.0\nb 2.5\nc 3.5")
    assert found.first_step == 2
    assert "2.5" in found.note


def test_numbers_that_differ_between_legacy_runs_are_left_out() -> None:
    old, new = "seed 123\nloss 0.5", "seed 987\nloss 0.5"
    assert not compare(old, new).ok
    assert compare(old, new, ("seed 555\nloss 0.5",)).ok
    assert not compare(old, "seed 987\nloss 0.6", ("seed 555\nloss 0.5",)).ok


def test_a_count_let_pass_as_a_value_is_let_pass_in_print() -> None:
    assert not compare("accuracy 0.910", "accuracy 0.920").ok
    assert compare("accuracy 0.910", "accuracy 0.920", tied=((0.91, 0.92),)).ok
    assert compare("accuracy 91.0 %", "accuracy 92.0 %", tied=((0.91, 0.92),)).ok
    assert not compare("accuracy 0.910", "accuracy 0.990", tied=((0.91, 0.92),)).ok


def test_nothing_printed_is_no_evidence() -> None:
    found = compare("", "\n")
    assert found.ok
    assert found.n == 0


def test_alignment_survives_a_line_more_in_the_middle() -> None:
    old = "\n".join(f"line {i} value {i}.5" for i in range(200))
    new = old.replace("line 100 value 100.5", "surprise\nline 100 value 100.5")
    found = compare(old, new)
    assert "printed after only" in found.note
    assert found.n > 390


def test_many_lines_are_compared_in_time() -> None:
    old = "\n".join(f"step {i} loss {1 / (i + 1):.6f}" for i in range(20_000))
    assert compare(old, old).n == 60_000
    assert not compare(old, old.replace("step 19999 loss 0.000050", "step 19999 loss 0.5")).ok


def test_digits_inside_names_are_text() -> None:
    assert read_lines("conv2d_1 w3 28x28")[0].skeleton == "conv2d_1 w3 #x28"


def test_a_coarse_digit_may_flip_once_among_many_numbers() -> None:
    old = "\n".join(f"share {0.01 * k:.2f}" for k in range(100))
    assert compare(old, old.replace("share 0.50", "share 0.51")).ok
    assert not compare(old, old.replace("share 0.1", "share 0.2")).ok


def run(stdout: str, **environment: str) -> Trace:
    return replace(training("before").trace, stdout=stdout, environment=environment)


def test_versions_of_what_a_run_ran_on_are_no_difference() -> None:
    old = run("TF 1.15.5\nuses 1.15.5.\n", tensorflow="1.15.5", numpy="1.18.5")
    new = run("TF 2.21.0\nuses 2.21.0.\n", tensorflow="2.21.0", numpy="2.1.3")
    assert compare(printed(old), printed(new)).ok


@pytest.mark.parametrize("text", ["TF 1.15.6", "v1.15.5.2", "loss 21.15.5"])
def test_other_numbers_are_kept(text: str) -> None:
    assert printed(run(text, tensorflow="1.15.5")) == text
    assert not compare(printed(run(text, tensorflow="1.15.5")), "TF 2.21.0").ok
