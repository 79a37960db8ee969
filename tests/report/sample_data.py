"""Realistic conversions and verification results for the reports' tests, made from a seed."""

from __future__ import annotations

import math
import random
from pathlib import Path

from report import sample_sources as texts

from tfmigrate.model import (
    Conversion,
    FileResult,
    Finding,
    Options,
    Place,
    Program,
    RunSite,
    Severity,
    SignatureChange,
    SiteKind,
    SourceFile,
    SourceTree,
    Status,
    Support,
    VariablePair,
)
from tfmigrate.verify.results import (
    Comparison,
    Growth,
    Interval,
    Oracle,
    ScriptReport,
    Series,
    Side,
    SitePair,
    SiteTiming,
    Tier,
    Tiers,
    VariableMatch,
    Verdict,
)

STEPS = 60
KINDS = ("slow", "flat", "flat", "slow", "slower", "flat", "differs", "unverified", "equal", "refused")
NAMES = (
    "trainers/saver_in_loop.py",
    "regression/linear.py",
    "regression/softmax.py",
    "trainers/rebuilt_model.py",
    "control/policy_gradient.py",
    "vision/autoencoder.py",
    "text/word_vectors.py",
    "vision/mnist_cnn.py",
    "clustering/kmeans.py",
    "input/csv_queue.py",
)


def line_of(text: str, part: str) -> int:
    """The number of the first line that holds `part`."""
    return next(i for i, line in enumerate(text.splitlines(), 1) if part in line)


def timing(
    rng: random.Random, start: float, slope: float, ops: float, ops_slope: float, steps: int = STEPS
) -> SiteTiming:
    """One side's step times: a start-up, then a line with noise to the upper side, as clocks have it."""
    series = [start + slope * i + abs(rng.gauss(0, 0.06 * (start + slope * i))) for i in range(steps)]
    series[0] = start * 9 + 60
    middle = sorted(series)[steps // 2]
    growth = Growth(
        slope, ops_slope, slope * 0.93 if slope else -0.003, slope * 1.06 if slope else 0.004, ops_slope, ops_slope
    )
    return SiteTiming(
        steps=steps,
        first_ms=series[0],
        iteration_ms=Interval(middle, middle * 0.96, middle * 1.05),
        call_ms=Interval(middle * 0.7, middle * 0.66, middle * 0.74),
        growth=growth,
        iteration_series=tuple(series),
        call_series=tuple(v * 0.7 for v in series),
        ops_series=tuple(ops + ops_slope * i for i in range(steps)),
        steps_of_points=tuple(range(1, steps + 1)),
    )


def report(entry: str, kind: str, rng: random.Random, steps: int = STEPS) -> ScriptReport:
    """A script's report of that kind: slow, flat, slower, equal, differs or unverified."""
    if kind == "unverified":
        return ScriptReport(
            entry,
            Verdict.UNVERIFIED,
            "The legacy program stopped before its first step: data/mnist.npz is not there.",
            before=Side("tf1 1.15.5", 1, python="3.7.17", reason="FileNotFoundError: data/mnist.npz", seconds=2.1),
            unreached=("vision/mnist_cnn.py:41", "vision/mnist_cnn.py:47"),
            advice=(f"tfmigrate verify legacy legacy_tf2 --entry {entry}",),
            command=f"tfmigrate verify legacy legacy_tf2 --entry {entry} --before tf1",
        )
    start, slope, ops, grow, after = {
        "slow": (24.0, 7.4, 310, 236, 3.1),
        "flat": (1.9, 0, 142, 0, 0.62),
        "slower": (0.71, 0, 88, 0, 1.02),
        "equal": (4.4, 0, 120, 0, 4.35),
        "differs": (3.3, 0, 205, 0, 1.2),
    }[kind]
    before_t, after_t = timing(rng, start, slope, ops, grow, steps), timing(rng, after, 0, ops * 0.6, 0, steps)
    assert before_t.iteration_ms is not None
    assert after_t.iteration_ms is not None
    middle = before_t.iteration_ms.median / after_t.iteration_ms.median
    off = kind == "differs"
    site = f"{entry}:46" if kind == "slow" else f"{entry}:20"
    losses = [2.3 * math.exp(-i / 18) + 0.08 + 0.03 * rng.random() for i in range(steps)]
    drift = [v * (1 + (0.004 * max(0, i - 5) if off else 2e-8 * i)) for i, v in enumerate(losses)]
    comparisons = [
        Comparison("runs of each site", "", None, 2, 0, 0, 0, 0, True, "interface", "count"),
        Comparison(
            "loss",
            site,
            7 if off else None,
            steps,
            0.21 if off else 3.6e-7,
            0.09 if off else 2.4e-7,
            1e-5,
            1e-6,
            not off,
            floor=1.2e-7,
            note="beyond the tolerance from run 7 on" if off else "",
        ),
        Comparison("accuracy", site, None, steps, 0, 0, 1e-5, 1e-6, True, floor=0.0),
        Comparison("net/w1", "", None, 1280, 2.1e-6, 4.0e-6, 2e-5, 1e-6, True, "behaviour", "variable", 3e-7),
        Comparison(
            "net/w2",
            "",
            steps if off else None,
            320,
            0.034 if off else 1.1e-6,
            0.02 if off else 2.2e-6,
            2e-5,
            1e-6,
            not off,
            "behaviour",
            "variable",
            3e-7,
        ),
        Comparison("standard output", "", None, 31, 1e-4, 1e-5, 1e-4, 1e-4, True, "behaviour", "output"),
    ]
    return ScriptReport(
        entry=entry,
        verdict=Verdict.DIFFERS if off else Verdict.VERIFIED,
        reason="loss leaves its tolerance at run 7 of the training site."
        if off
        else "Every run site was reached; all comparisons lie within tolerance.",
        tiers=Tiers(Tier.PASS, Tier.FAIL if off else Tier.PASS, Tier.FAIL if off else Tier.PASS),
        comparisons=tuple(comparisons),
        before=Side(
            "tf1 1.15.5",
            0,
            steps,
            before_t.iteration_ms,
            before_t.call_ms,
            before_t.growth,
            0,
            9,
            "3.7.17",
            None,
            14.2,
            612_000_000 if kind == "slow" else 318_000_000,
            before_t.first_ms,
            f"TF_CPP_MIN_LOG_LEVEL=3 python3.7 {entry}",
        ),
        after=Side(
            "tf2 2.21.0",
            0,
            steps,
            after_t.iteration_ms,
            after_t.call_ms,
            after_t.growth,
            1,
            9,
            "3.11.9",
            None,
            6.3,
            402_000_000,
            after_t.first_ms,
            f"TF_CPP_MIN_LOG_LEVEL=3 python3.11 {entry}",
        ),
        speedup=Interval(middle, middle * 0.9, middle * 1.12) if kind != "equal" else Interval(1.01, 0.96, 1.06),
        last_tenth=Interval(middle * 1.9, middle * 1.6, middle * 2.1) if kind == "slow" else None,
        first_difference=f"loss, run 7, {site}: 1.71043 before, 1.71741 after" if off else "",
        evidence=f"{steps} runs paired at 2 sites; 2 fetches, 3 variables, 31 lines of output compared.",
        sites=(
            SitePair(
                site,
                "train_step",
                "call",
                True,
                f"{entry}:61",
                steps,
                steps,
                before_t,
                after_t,
                Interval(middle, middle * 0.9, middle * 1.12),
                None,
            ),
            SitePair(f"{entry}:52", "compute_accuracy", "call", True, f"{entry}:66", 6, 6),
        ),
        variables=(
            VariableMatch("net/w1", "network.w1", "plan", True),
            VariableMatch("net/b1", "network.b1", "plan", True),
            VariableMatch("net/w2", "network.w2", "plan", True),
        ),
        series=(Series("loss", site, tuple(range(1, steps + 1)), tuple(losses), tuple(drift)),),
        oracles=(Oracle("tf1", "tf1 1.15.5", True), Oracle("compat", "compat 2.21.0", False, 1.2e-7, 3.1e-7)),
        command=f"tfmigrate verify legacy legacy_tf2 --entry {entry} --before both",
        seconds=41.0,
        advice=("Feed tensors made once before the loop: each call converts the same arrays again.",)
        if kind == "slower"
        else (),
    )


def conversion(n: int = 10) -> Conversion:
    """A tree of `n` programs, a shared module and two files without TensorFlow."""
    files, results, programs = [], [], []
    for index in range(n):
        kind, path = KINDS[index % len(KINDS)], name(index)
        if kind == "refused":
            files.append(SourceFile(path, texts.REFUSED))
            found = (
                Finding("TFM211", Severity.ERROR, Place(path, 4, 9), "string_input_producer: queues are not converted"),
                Finding("TFM208", Severity.ERROR, Place(path, 7, 7), "contrib.slim.fully_connected has no counterpart"),
            )
            results.append(FileResult(path, Status.REFUSED, None, path, found))
            programs.append(Program(path, path, (path,), Status.REFUSED))
            continue
        slow = kind == "slow"
        before, after = (texts.SLOW_BEFORE, texts.SLOW_AFTER) if slow else (texts.FLAT_BEFORE, texts.FLAT_AFTER)
        files.append(SourceFile(path, before))
        results.append(FileResult(path, Status.NATIVE, after, path, _growth(path, before) if slow else ()))
        programs.append(_program(path, before, slow))
    files.append(SourceFile("settings.py", "DATA = 'data'\n"))
    results.append(FileResult("settings.py", Status.UNCHANGED))
    tree = SourceTree(Path("legacy"), tuple(files), others=("README.md",))
    change = SignatureChange(Place(name(0), 24, 1), "def build(points, labels, keep_prob)", "class Network(tf.Module)")
    support = (Support("trainers/fused_optimizers.py", "class Adam: ...\n"),)
    return Conversion(tree, Options(), tuple(results), tuple(programs), support, (change,))


def reports(n: int = 10, steps: int = STEPS) -> tuple[ScriptReport, ...]:
    """The reports of `conversion(n)`: every program that was not refused."""
    rng = random.Random(11)
    kinds = [(name(i), KINDS[i % len(KINDS)]) for i in range(n)]
    return tuple(report(path, kind, rng, steps) for path, kind in kinds if kind != "refused")


def name(index: int) -> str:
    """The path of the program with that number."""
    path = NAMES[index % len(NAMES)]
    return path if index < len(NAMES) else path.replace(".py", f"_{index // len(NAMES) + 1}.py")


def _growth(path: str, text: str) -> tuple[Finding, ...]:
    def at(part: str, code: str, message: str) -> Finding:
        return Finding(code, Severity.WARNING, Place(path, line_of(text, part), 5), message)

    return (
        at("train_op =", "TFM302", "gradients and an optimizer's slots are built again in each of 300 iterations"),
        at("saver =", "TFM304", "a Saver is made in each iteration: 3 restore ops and a save op for every variable"),
    )


def _program(path: str, text: str, slow: bool) -> Program:
    start = "sess.run(tf.global"
    run = "_, loss_value" if slow else "_, value"
    sites = [
        RunSite(Place(path, line_of(text, start), 9), SiteKind.INITIALIZER),
        RunSite(
            Place(path, line_of(text, run), 9),
            SiteKind.CALL,
            "train_step",
            ("loss", "accuracy") if slow else ("loss",),
            ("points", "labels") if slow else ("x", "y"),
            True,
            63,
        ),
    ]
    if slow:
        sites.append(RunSite(Place(path, line_of(text, "saver.save"), 5), SiteKind.SAVE))
    pairs = (VariablePair("net/w1", "network.w1"), VariablePair("net/w2", "network.w2"))
    return Program(path, path, (path,), Status.NATIVE, tuple(sites), pairs, ("tensorboard",) if slow else ())
