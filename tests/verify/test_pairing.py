"""Pairing of runs with calls: by the conversion's sites, and by value structure where there are none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from verify.synthetic import EVALUATE, TRAIN, Tape, event, program, trace, training

from tfmigrate.model import Place, RunSite, SiteKind
from tfmigrate.verify.grouping import called_name
from tfmigrate.verify.pairing import alone, pair, pair_with_itself, steps_at


def test_sites_pair_in_sequence() -> None:
    pairing = pair(training("before").trace, training("after").trace, program().sites)
    assert pairing.problems == ()
    assert pairing.paired == 24
    train = next(s for s in pairing.sites if s.key == f"main.py:{TRAIN}")
    assert (train.runs_before, train.runs_after, train.after_site) == (20, 20, "main.py:30")
    assert [b.index for b, a in zip(train.before, train.after, strict=True)] == sorted(b.index for b in train.before)


def test_initializer_is_no_step() -> None:
    pairing = pair(training("before").trace, training("after").trace, program().sites)
    assert 0 not in pairing.positions
    assert pair(training("before").trace, training("after").trace, None).paired == 24


def test_a_line_inside_the_statement_belongs_to_it() -> None:
    before = training("before").trace
    moved = replace(before, events=tuple(replace(e, line=e.line + 2) if e.line == TRAIN else e for e in before.events))
    pairing = pair(moved, training("after").trace, program().sites)
    assert pairing.problems == ()
    assert {s.key for s in pairing.sites if s.before} == {f"main.py:{TRAIN}", f"main.py:{EVALUATE}"}


def test_fewer_calls_are_a_problem_that_names_site_and_counts() -> None:
    after = training("after").trace
    short = replace(after, events=tuple(e for e in after.events if e.name != "compute_accuracy" or e.index < 8))
    pairing = pair(training("before").trace, short, program().sites)
    assert any("4 times before" in p and "2 times after" in p and f"main.py:{EVALUATE}" in p for p in pairing.problems)


def test_one_run_more_is_let_pass_only_at_the_cut_of_a_pair_migrated_by_hand() -> None:
    before, after = training("before").trace, training("after", 19).trace
    cut = replace(before, stopped_at={"main.py:10": 20}, reason="step limit")
    assert pair(before, after, None).problems
    assert pair(cut, after, None).problems == ()
    assert pair(cut, after, program().sites).problems  # both sides count the same calls there


@pytest.mark.parametrize(
    ("effect", "kind"),
    [
        ("read", SiteKind.READ),
        ("initializer", SiteKind.INITIALIZER),
        ("iterator", SiteKind.ITERATOR),
        ("save", SiteKind.SAVE),
        ("restore", SiteKind.RESTORE),
    ],
)
def test_runs_on_one_line_belong_to_the_site_that_does_what_they_did(effect: str, kind: SiteKind) -> None:
    sites = (*program().sites, RunSite(Place("main.py", TRAIN, 40), kind))
    before = training("before").trace
    more = event(90, TRAIN, effects=(effect,), fetches=("other",))
    found = steps_at(replace(before, events=(*before.events, more)), sites)
    assert len(found) == 24
    assert {(e.line, site.name) for e, site in found} == {(TRAIN, "train_step"), (EVALUATE, "compute_accuracy")}


def test_swapped_order_is_a_problem() -> None:
    after = training("after").trace
    events = list(after.events)
    events[0], events[1] = replace(events[1], index=0), replace(events[0], index=1)
    pairing = pair(training("before").trace, replace(after, events=tuple(events)), program().sites)
    assert any("another order" in p for p in pairing.problems)


def test_sites_that_share_a_function_pair_in_merged_order() -> None:
    tape = Tape()
    sites = tuple(RunSite(Place("main.py", line, 1), SiteKind.CALL, "step", ("loss",)) for line in (10, 12))
    before = trace([event(i, 10 if i % 2 else 12, values=[tape.value(float(i))]) for i in range(6)])
    after = trace([event(i, 40, "step", [tape.value(float(i))]) for i in range(6)])
    pairing = pair(before, after, sites)
    assert pairing.problems == ()
    assert all(b.index == a.index for s in pairing.sites for b, a in zip(s.before, s.after, strict=True))


def test_reads_have_no_call() -> None:
    tape = Tape()
    sites = (RunSite(Place("main.py", 20, 1), SiteKind.READ, "", ("W",)), *program().sites)
    before = training("before")
    events = (*before.trace.events, event(90, 20, values=[tape.value(1.0)], fetches=("W:0",)))
    pairing = pair(replace(before.trace, events=events), training("after").trace, sites)
    assert pairing.problems == ()
    assert pairing.paired == 24


def test_unknown_run_with_values_is_a_problem() -> None:
    tape = Tape()
    before = training("before").trace
    events = (event(0, 3, values=[tape.value(1.0)]), *(replace(e, index=e.index + 1) for e in before.events))
    pairing = pair(replace(before, events=events), training("after").trace, program().sites)
    assert any("main.py:3" in p for p in pairing.problems)


def test_unreached_sites_are_listed() -> None:
    extra = RunSite(Place("main.py", 70, 1), SiteKind.CALL, "predict", ("y",))
    save = RunSite(Place("main.py", 80, 1), SiteKind.SAVE)
    before, sites = training("before").trace, (*program().sites, extra, save)
    pairing = pair(before, training("after").trace, sites)
    assert pairing.unreached == ("main.py:70", "main.py:80")
    saved = replace(before, events=(*before.events, event(90, 80, effects=("save",), fetches=("save/control:0",))))
    assert pair(saved, training("after").trace, sites).unreached == ("main.py:70",)


def test_by_hand_groups_follow_value_structure() -> None:
    tape = Tape()
    before = trace(
        [
            event(i, 10, values=[tape.value([1.0, 2.0])]) if i % 2 else event(i, 12, values=[tape.value(3)])
            for i in range(8)
        ]
    )
    after = trace(
        [
            event(i, 50, "grow", [tape.value([1.0, 2.0])]) if i % 2 else event(i, 51, "count", [tape.value(3)])
            for i in range(8)
        ]
    )
    pairing = pair(before, after, None)
    assert {(s.key, s.name) for s in pairing.sites} == {("main.py:10", "grow"), ("main.py:12", "count")}
    assert pairing.paired == 8


def test_variable_reads_are_no_steps_by_hand() -> None:
    before = training("before")
    tape = Tape()
    events = (*before.trace.events, event(99, 60, values=[tape.value(1.0)], fetches=("W/read:0",)))
    assert pair(replace(before.trace, events=events), training("after").trace, None).paired == 24


def test_repeated_runs_pair_by_place() -> None:
    before = training("before").trace
    assert len(pair_with_itself(before, before)) == len(before.events)
    other = replace(before, events=tuple(replace(e, line=e.line + 1) for e in before.events))
    assert {k: v.index for k, v in pair_with_itself(before, other).items()} == {e.index: e.index for e in before.events}


def test_alone_gives_the_positions_of_the_pairing() -> None:
    before = training("before").trace
    assert alone(before, program().sites).positions == pair(before, training("after").trace, program().sites).positions


@pytest.mark.parametrize(
    ("given", "plain"),
    [
        ("__inference_train_step_123", "train_step"),
        ("_train_step", "train_step"),
        ("Model.train_step", "train_step"),
        ("f", "f"),
    ],
)
def test_called_name(given: str, plain: str) -> None:
    assert called_name(given) == plain


def test_a_read_on_a_steps_line_is_no_step() -> None:
    sites = [
        RunSite(Place("main.py", 7, 20), SiteKind.READ, fetches=("global_step",)),
        RunSite(Place("main.py", 7, 50), SiteKind.CALL, "compute_loss", fetches=("loss",)),
    ]
    tape, runs, calls = Tape(), [], []
    for step in range(3):
        read = [tape.value(np.int32(step))]
        value = [tape.value(np.float32(step))]
        runs.append(event(len(runs), 7, values=read, fetches=("global_step:0",), effects=("read",)))
        runs.append(event(len(runs), 7, values=value, fetches=("loss:0",)))
        calls.append(event(len(calls), 12, "compute_loss", value))
    found = pair(trace(runs), trace(calls), sites)
    assert found.problems == ()
    assert [run.fetches for run in found.sites[0].before] == [("loss:0",)] * 3
    assert found.sites[0].name == "compute_loss"
