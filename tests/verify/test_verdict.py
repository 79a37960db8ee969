"""From evidence to a verdict: "verified" is never hollow, "differs" names where, "unverified" says why and what to
do.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from verify.synthetic import TRAIN, event, program, trace, training

from tfmigrate.model import Place, Program, RunSite, SiteKind
from tfmigrate.verify.judge import gather
from tfmigrate.verify.recorded import Recorded
from tfmigrate.verify.results import Tier, Verdict
from tfmigrate.verify.verdict import Ruling, crashed, last_line, rule, rule_on_runs

COMMAND = "tfmigrate verify old new --entry main.py"


def judge(before: Recorded, after: Recorded, conversion: Program | None = None) -> Ruling:
    return rule(gather(before, after, program() if conversion is None else conversion))


def test_equal_runs_are_verified_and_the_evidence_is_counted() -> None:
    found = judge(training("before"), training("after"))
    assert found.verdict is Verdict.VERIFIED
    assert (found.tiers.interface, found.tiers.numeric, found.tiers.behaviour) == (Tier.PASS, Tier.PASS, Tier.PASS)
    assert "24 runs of 2 sites" in found.reason
    assert "1 variable" in found.reason


def test_what_was_not_reached_is_said_beside_what_was_compared() -> None:
    more = RunSite(Place("main.py", 70, 1), SiteKind.SAVE)
    found = judge(training("before"), training("after"), program(sites=(*program().sites, more)))
    assert found.verdict is Verdict.VERIFIED
    assert found.reason.endswith("; not reached in this run: 1 site")


def test_a_pair_migrated_by_hand_is_verified_too() -> None:
    before, after = training("before"), training("after")
    assert rule(gather(before, after, None)).verdict is Verdict.VERIFIED


@pytest.mark.parametrize("rate", [1.1, 0.9, 1.005, 0.0])
def test_a_wrong_learning_rate_is_found_in_the_change_of_the_weights(rate: float) -> None:
    found = judge(training("before"), training("after", rate=rate))
    assert found.verdict is Verdict.DIFFERS
    assert found.tiers.numeric is Tier.PASS
    assert found.tiers.behaviour is Tier.FAIL
    assert "W" in found.first_difference


def test_a_wrong_loss_names_step_and_site() -> None:
    found = judge(training("before"), training("after", scale=lambda k: 1.0 if k < 3 else 1.2))
    assert found.verdict is Verdict.DIFFERS
    assert found.tiers.numeric is Tier.FAIL
    assert f"loss of train_step at main.py:{TRAIN} differs from run 4 on" in found.first_difference


def test_the_earliest_difference_is_the_one_named() -> None:
    before, after = training("before"), training("after", scale=lambda k: 1.0 if k < 12 else 1.2)
    events = tuple(
        replace(e, values=(replace(e.values[0], key="other"),)) if e.name == "compute_accuracy" and e.index > 5 else e
        for e in after.trace.events
    )
    changed = Recorded(replace(after.trace, events=events), {**after.arrays, "other": np.float32(0.9)})
    assert "accuracy" in judge(before, changed).first_difference


def test_a_missing_call_fails_the_interface() -> None:
    found = judge(training("before"), training("after", evaluate_every=10))
    assert found.verdict is Verdict.DIFFERS
    assert found.tiers.interface is Tier.FAIL
    assert found.reason.startswith("interface: the run site")


def test_an_unpaired_variable_fails_the_interface() -> None:
    after = training("after")
    found = judge(training("before"), Recorded(replace(after.trace, variables=()), after.arrays))
    assert found.verdict is Verdict.DIFFERS
    assert "W" in found.reason


def test_different_output_alone_is_a_difference() -> None:
    found = judge(training("before"), training("after", stdout="step 0 loss 2.00000\n"))
    assert found.verdict is Verdict.DIFFERS
    assert "standard output" in found.reason


def test_output_is_always_among_the_comparisons() -> None:
    evidence = gather(training("before", stdout=""), training("after", stdout=""), program())
    assert [c.name for c in evidence.comparisons].count("standard output") == 1


def test_a_program_without_sites_is_judged_by_its_output() -> None:
    bare = program(sites=(), variables=())
    assert judge(Recorded(trace([], stdout="6\n")), Recorded(trace([], stdout="6\n")), bare).verdict is Verdict.VERIFIED
    assert judge(Recorded(trace([], stdout="6\n")), Recorded(trace([], stdout="7\n")), bare).verdict is Verdict.DIFFERS


def test_silence_is_not_verified() -> None:
    found = judge(Recorded(trace([])), Recorded(trace([])), program(sites=(), variables=()))
    assert found.verdict is Verdict.UNVERIFIED
    assert "too little evidence" in found.reason


def test_sites_never_reached_are_not_verified() -> None:
    found = judge(Recorded(trace([], stdout="x\n")), Recorded(trace([], stdout="x\n")))
    assert found.verdict is Verdict.UNVERIFIED
    assert "reached" in found.reason


def test_nan_throughout_is_not_verified() -> None:
    def nan(step: int) -> float:
        return float("nan")

    found = judge(training("before", scale=nan), training("after", scale=nan))
    assert found.verdict is Verdict.UNVERIFIED
    assert "train_step" in found.reason


def test_a_cut_before_the_second_run_is_not_verified() -> None:
    cut = {"stopped_at": {f"main.py:{TRAIN}": 1}, "reason": "time limit of steps"}
    found = judge(training("before", 1, **cut), training("after", 1))
    assert found.verdict is Verdict.UNVERIFIED
    assert "twice" in found.reason
    assert any("--max-steps" in a for a in found.advice)


def test_a_step_that_returns_nothing_is_judged_by_its_variable() -> None:
    site = RunSite(Place("main.py", TRAIN, 1), SiteKind.CALL, "train_step", (), (), True)
    base_before, base_after = training("before", stdout=""), training("after", stdout="")

    def silent(recorded: Recorded) -> Recorded:
        events = tuple(replace(e, values=()) for e in recorded.trace.events if e.line not in (14, 33))
        return Recorded(replace(recorded.trace, events=events), recorded.arrays)

    conversion = program(sites=(site,))
    assert judge(silent(base_before), silent(base_after), conversion).verdict is Verdict.VERIFIED
    assert (
        judge(silent(base_before), silent(training("after", stdout="", rate=1.01)), conversion).verdict
        is Verdict.DIFFERS
    )


TRACEBACK = 'Traceback (most recent call last):\n  File "main.py", line 3, in <module>\n'


@pytest.mark.parametrize(
    "line",
    [
        "FileNotFoundError: [Errno 2] No such file or directory: 'data/train.csv'",
        "OSError: OFFLINE http://example.org/data.gz",
        "ModuleNotFoundError: No module named 'sklearn'",
        "tensorflow.python.framework.errors_impl.NotFoundError: data.tfrecords; No such file or directory",
    ],
)
def test_missing_data_is_unverified_with_the_command_to_run(line: str) -> None:
    failed = trace([], exit=1, stderr=TRACEBACK + line + "\n")
    found = rule_on_runs(failed, None, COMMAND)
    assert found is not None
    assert found.verdict is Verdict.UNVERIFIED
    assert line in found.reason
    assert any(COMMAND in a for a in found.advice)


def test_a_crash_before_is_unverified() -> None:
    found = rule_on_runs(trace([], exit=1, stderr=TRACEBACK + "ValueError: bad\n"), None, COMMAND)
    assert found is not None
    assert found.verdict is Verdict.UNVERIFIED
    assert "ValueError: bad" in found.reason


def test_a_crash_after_is_a_difference_with_its_last_line() -> None:
    after = trace([event(0, 30, "train_step")], exit=1, stderr=TRACEBACK + "TypeError: wrong\nbye\n")
    found = rule_on_runs(trace([]), after, COMMAND)
    assert found is not None
    assert found.verdict is Verdict.DIFFERS
    assert "TypeError: wrong" in found.reason


def test_a_package_missing_after_is_no_fault_of_the_conversion() -> None:
    after = trace([], exit=1, stderr=TRACEBACK + "ModuleNotFoundError: No module named 'gym'\n")
    found = rule_on_runs(trace([]), after, COMMAND)
    assert found is not None
    assert found.verdict is Verdict.UNVERIFIED
    own = trace([], exit=1, stderr=TRACEBACK + "ModuleNotFoundError: No module named 'tensorflow.contrib'\n")
    ruling = rule_on_runs(trace([]), own, COMMAND)
    assert ruling is not None
    assert ruling.verdict is Verdict.DIFFERS


def test_limits_are_unverified() -> None:
    hung = trace([event(0, TRAIN)], exit=-9, reason="time limit of 300 s", seconds=300.0)
    found = rule_on_runs(hung, None, COMMAND)
    assert found is not None
    assert found.verdict is Verdict.UNVERIFIED
    assert "--time-limit" in found.advice[0]
    large = trace([], exit=-9, reason="memory limit of 8192 MB")
    ruling = rule_on_runs(trace([]), large, COMMAND)
    assert ruling is not None
    assert "memory limit" in ruling.reason


def test_a_stop_at_the_step_limit_is_an_end() -> None:
    assert rule_on_runs(trace([], reason="step limit"), trace([], reason="step limit"), COMMAND) is None


def test_exit_codes_must_agree() -> None:
    assert rule_on_runs(trace([], exit=3), trace([], exit=3), COMMAND) is None
    found = rule_on_runs(trace([], exit=3), trace([]), COMMAND)
    assert found is not None
    assert found.verdict is Verdict.DIFFERS
    assert not crashed(trace([], exit=3))
    assert crashed(trace([], exit=-11))


def test_last_line() -> None:
    assert last_line("") == "no message"
    assert last_line("warning\nValueError: x\nclosing\n") == "ValueError: x"
    assert last_line("a\nb\n") == "b"
    assert len(last_line("E" * 1000)) == 240
