"""From results to the view: what comes first, what is grouped, what is said in words."""

from __future__ import annotations

from dataclasses import replace

from report import extreme_data, sample_data

from tfmigrate.model import Conversion, FileResult, Options, Program, SourceFile, SourceTree, Status
from tfmigrate.report import program_card, shape
from tfmigrate.report.view import Hunk
from tfmigrate.verify.results import Interval, ScriptReport, Verdict


def _report(entry: str, verdict: Verdict = Verdict.VERIFIED, speedup: Interval | None = None) -> ScriptReport:
    return ScriptReport(entry, verdict, "", speedup=speedup)


def test_what_needs_attention_comes_first() -> None:
    view = shape.view(sample_data.conversion(), sample_data.reports())
    verdicts = [r.verdict.key if r.verdict else "" for r in view.rows]
    assert verdicts == ["differs", "unverified", *["verified"] * 7, ""]
    assert [r.anchor for r in view.rows] == [c.anchor for c in view.programs]


def test_the_lead_counts_what_is_there() -> None:
    both = shape.view(sample_data.conversion(), sample_data.reports()).lead
    assert both == ("Of 9 programs, 7 are verified, 1 differs, 1 is unverified. 9 of 10 TensorFlow 1 files converted.")
    assert shape.view(None, (_report("a"), _report("b"))).lead == "All 2 programs are verified."
    assert shape.view(None, (_report("a", Verdict.DIFFERS),)).lead == "The program differs."
    assert shape.view(None, ()).lead == "Nothing was converted or verified."
    assert shape.view(extreme_data.all_refused(3), ()).lead == "0 of 3 TensorFlow 1 files converted."


def test_every_report_and_every_program_has_one_row() -> None:
    conversion = sample_data.conversion(3)
    view = shape.view(conversion, (*sample_data.reports(2), _report("by_hand.py")))
    assert sorted(r.entry for r in view.rows) == sorted([*(p.entry for p in conversion.programs), "by_hand.py"])
    assert {r.entry for r in view.rows if r.verdict is None} == {conversion.programs[2].entry}


def test_reasons_are_ranked_by_the_files_they_alone_hold_back() -> None:
    groups = shape.view(extreme_data.all_refused(40), ()).refusals
    assert [(g.code, g.files, g.frees) for g in groups] == [("TFM999", 40, 26), ("TFM888", 14, 0)]


def test_a_speed_is_called_by_its_interval() -> None:
    def words(low: float, median: float, high: float) -> tuple[str, str]:
        return program_card.speed_words(_report("a", speedup=Interval(median, low, high)))

    assert words(0.9, 1.2, 1.4) == ("no difference", "")
    assert words(2.0, 2.5, 3.0) == ("2.50 times faster", "good")
    assert words(0.4, 0.5, 0.6) == ("2.00 times slower", "bad")


def test_the_median_speedup_tells_of_programs_that_got_slower() -> None:
    slow, fast = Interval(0.5, 0.4, 0.6), Interval(8.0, 7.0, 9.0)
    stat = shape.view(
        None, (_report("a", speedup=slow), _report("b", speedup=fast), _report("c", speedup=fast))
    ).speedup
    assert stat is not None
    assert stat.after == "8.00×"
    assert stat.remark == "0.50× to 8.00× over 3 programs; 1 slower"


def test_a_shared_file_is_shown_once_and_linked_from_the_others() -> None:
    files = ("main_a.py", "main_b.py", "model.py")
    tree = SourceTree(sample_data.conversion(1).tree.root, tuple(SourceFile(f, "x = 1\n") for f in files))
    results = tuple(FileResult(f, Status.NATIVE, "x = 2\n", "a") for f in files)
    programs = tuple(Program(f, f, (f, "model.py"), Status.NATIVE) for f in files[:2])
    view = shape.view(Conversion(tree, Options(), results, programs), ())
    first, second = ({f.path: f for f in card.files} for card in view.programs)
    assert first["model.py"].parts
    assert not second["model.py"].parts
    assert second["model.py"].shown_in == view.programs[0].anchor


def test_every_finding_of_a_changed_file_stands_in_its_diff() -> None:
    conversion, reports = extreme_data.named("a.py")
    view = shape.view(conversion, reports)
    hunks = [p for c in view.programs for f in c.files for p in f.parts if isinstance(p, Hunk)]
    placed = [f for h in hunks for n in h.notes for f in n.findings]
    assert len(placed) == len(conversion.files[0].findings)
    assert {f.anchor for f in placed} == view.placed


def test_what_would_settle_the_unverified_is_told_once() -> None:
    one = replace(_report("a", Verdict.UNVERIFIED), advice=("tfmigrate verify a b", "Put the data there."))
    view = shape.view(None, (one, replace(one, entry="b")))
    assert [(a.text, a.command) for a in view.next_steps] == [
        ("tfmigrate verify a b", True),
        ("Put the data there.", False),
    ]
