"""Programs and their native counterparts, run on all sides: equal events, numbers at the first step, files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tfmigrate.verify import store
from tfmigrate.verify.runner import RunRequest, folder_of, run, stop_of
from tfmigrate.verify.trace import Event, Trace

PROGRAMS = Path(__file__).parent / "programs"
Runs = dict[str, Trace]


@pytest.fixture(scope="module")
def runs(tf1_python: Path, tf2_python: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Runs]:
    """The three runs of a pair, made once: "tf1", "compat", "after"."""
    made: dict[str, Runs] = {}

    def of(name: str) -> Runs:
        if name not in made:
            folder = tmp_path_factory.mktemp(name)
            trees = (PROGRAMS / name / "before", PROGRAMS / name / "after")
            old, new = ((tree, "train.py") if tree.is_dir() else (tree.parent, f"{tree.name}.py") for tree in trees)
            before = RunRequest(*old, "before", "tf1", Path(tf1_python), workdir=folder / "tf1")
            tf1 = run(before)
            compat = run(replace(before, oracle="compat", python=Path(tf2_python), workdir=folder / "compat"))
            after = run(
                RunRequest(
                    *new,
                    "after",
                    "tf2",
                    Path(tf2_python),
                    initial=folder_of(tf1),
                    stop_at=stop_of(tf1),
                    workdir=folder / "after",
                )
            )
            made[name] = {"tf1": tf1, "compat": compat, "after": after}
        return made[name]

    return of


def steps(trace: Trace) -> list[Event]:
    """The events that have a partner on the other side."""
    if trace.runtime.startswith("tf2"):
        return list(trace.events)
    reads = {f"{variable.name}:0" for variable in trace.variables} | {f"{v.name}/read:0" for v in trace.variables}
    kept = [e for e in trace.events if not {"initializer", "save", "restore"} & set(e.effects)]
    return [e for e in kept if not e.fetches or not set(e.fetches) <= reads]


def arrays(trace: Trace, event: Event) -> list[np.ndarray]:
    with np.load(folder_of(trace) / "values.npz") as archive:
        return [archive[value.key] for value in event.values if value.key is not None]


@pytest.mark.parametrize(("name", "drawn"), [("softmax", "out/kernel"), ("growing", "line/w")])
def test_the_converted_programs_own_start_is_kept_beside_the_one_put_in(
    runs: Callable[[str], Runs], name: str, drawn: str
) -> None:
    tf1, after = runs(name)["tf1"], runs(name)["after"]
    old, new = ({v.name: v for v in trace.variables if not v.slot} for trace in (tf1, after))
    both = [(old[name], new[name]) for name in old.keys() & new.keys()]
    assert drawn in {a.name for a, _ in both if a.drawn}
    with np.load(folder_of(tf1) / "values.npz") as kept, np.load(folder_of(after) / "values.npz") as own:
        for legacy, native in both:
            assert legacy.initial is not None
            assert native.own is not None
            np.testing.assert_allclose(own[native.own.key], kept[legacy.initial.key], rtol=1e-6)  # drawn ones too


pytestmark = [pytest.mark.tf, pytest.mark.tf1, pytest.mark.slow]


@pytest.mark.parametrize("name", ["softmax", "growing", "draws"])
@pytest.mark.parametrize("side", ["compat", "after"])
def test_sides_agree(runs: Callable[[str], Runs], name: str, side: str) -> None:
    tf1, other = runs(name)["tf1"], runs(name)[side]
    assert (tf1.exit, other.exit) == (0, 0), other.stderr
    old, new = steps(tf1), steps(other)
    if name == "draws":  # there the reads of a plain iterator stand on both sides
        assert tf1.stdout == other.stdout
    assert len(old) == len(new) > 2
    for before, after in zip(old, new, strict=True):
        expected = [a for a in arrays(tf1, before) if a.dtype.kind != "O"]
        found = arrays(other, after)
        assert len(expected) == len(found)
        for a, b in zip(expected, found, strict=True):
            np.testing.assert_allclose(a, b, rtol=2e-5, atol=2e-6)
    first, second = arrays(tf1, old[0]), arrays(other, new[0])
    for a, b in zip(first, second, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-7)


def test_draws_have_the_same_bits(runs: Callable[[str], Runs]) -> None:
    """All but the sampled losses, which are sums of many products."""
    found = runs("draws")
    for side in ("compat", "after"):
        for old, new in zip(steps(found["tf1"]), steps(found[side]), strict=True):
            losses = 2 if len(old.values) == 5 else 0
            pairs = list(zip(arrays(found["tf1"], old), arrays(found[side], new), strict=True))
            for a, b in pairs[: len(old.values) - losses]:
                np.testing.assert_array_equal(a, b)


def test_draws_differ_from_run_to_run(runs: Callable[[str], Runs]) -> None:
    trace = runs("draws")["after"]
    drawn = [arrays(trace, event)[0] for event in trace.events if event.name == "draw"]
    assert len(drawn) == 3
    assert len({array.tobytes() for array in drawn}) == 3


def test_initial_values_are_transplanted(runs: Callable[[str], Runs]) -> None:
    for name in ("softmax", "growing"):
        tf1, after = runs(name)["tf1"], runs(name)["after"]
        pairing = after.environment["pairing"]
        assert pairing["unmatched_before"] == []
        assert pairing["unmatched_after"] == []
        digests = {v.name: v.initial.digest for v in tf1.variables if v.initial}
        begun = {v.name: v.initial.digest for v in after.variables if v.initial}
        for legacy, new, _ in pairing["pairs"]:
            assert digests[legacy] == begun[new]


def test_variables_end_alike_and_slots_are_told(runs: Callable[[str], Runs]) -> None:
    tf1, after = runs("softmax")["tf1"], runs("softmax")["after"]
    assert {v.name for v in tf1.variables if not v.slot} == {"w1", "b1", "out/kernel", "out/bias"}
    assert {v.name for v in after.variables if not v.slot} == {"w1", "b1", "out/kernel", "out/bias"}
    old = {v.name: v.final for v in tf1.variables}
    for variable in after.variables:
        if not variable.slot:
            assert variable.final is not None
            assert variable.final.norm == pytest.approx(old[variable.name].norm, rel=1e-5)  # type: ignore[union-attr]


def test_stops_at_the_same_run(runs: Callable[[str], Runs]) -> None:
    found = runs("growing")
    assert found["tf1"].stopped_at == {"train.py:20": 50}
    assert found["after"].reason == found["tf1"].reason == "step limit"
    assert {trace.environment["counted"] for trace in found.values()} == {50}
    assert found["after"].stdout.count("\n") == found["tf1"].stdout.count("\n") == 5


def test_growth_is_seen_in_the_op_count(runs: Callable[[str], Runs]) -> None:
    old, new = (steps(runs("growing")[side]) for side in ("tf1", "after"))
    assert old[-1].ops - old[0].ops > 49 * 20
    assert new[-1].ops == new[0].ops > 0
    assert new[-1].traces == 1


def test_written_files_are_read_by_value(runs: Callable[[str], Runs]) -> None:
    tf1, after = runs("softmax")["tf1"], runs("softmax")["after"]
    saved = {f.path: f for f in tf1.files}["saved/model-29.index"]
    assert saved.kind == "checkpoint"
    assert {"w1", "b1", "out/kernel", "w1/Adam"} <= set(saved.values)
    assert [(s.tag, s.step, s.kind) for s in tf1.summaries] == [("loss", step, "scalar") for step in (0, 10, 20)]
    for old, new in zip(tf1.summaries, after.summaries, strict=True):
        assert (old.tag, old.step) == (new.tag, new.step)
        assert old.numbers == pytest.approx(new.numbers, rel=1e-5)
    for trace in (tf1, after):
        weights = next(f for f in trace.files if f.path == "weights.npy")
        with np.load(folder_of(trace) / "values.npz") as archive:
            assert archive[weights.values["array"].key].shape == (5, 8)


def test_lines_are_where_the_call_starts(runs: Callable[[str], Runs]) -> None:
    """Python 3.7 shows a frame at the last argument's line, later ones at the first."""
    lines = [{e.line for e in steps(runs("softmax")[side])} for side in ("tf1", "compat")]
    text = (PROGRAMS / "softmax" / "before.py").read_text().splitlines()
    expected = {n for n, line in enumerate(text, 1) if "sess.run(" in line and "w1" not in line and "init" not in line}
    assert lines == [expected, expected]


def test_a_trace_is_read_back(runs: Callable[[str], Runs]) -> None:
    for trace in runs("softmax").values():
        assert store.load(folder_of(trace)) == trace
