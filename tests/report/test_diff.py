"""Side-by-side diffs and what is said of their regions."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from report import sample_sources

from tfmigrate.model import Place, RunSite, SiteKind
from tfmigrate.report import diff, explanations, highlight
from tfmigrate.report.diff import Gap, Region, SideBySide


def _sides(result: SideBySide) -> tuple[list[str], list[str]]:
    """Both texts put together again from the diff's parts."""
    old: list[str] = []
    new: list[str] = []
    for part in result.parts:
        if isinstance(part, Gap):
            old += part.text.split("\n")
            new += part.text.split("\n")
            continue
        old += [highlight.text_of(r.before) for r in part.rows if r.old]
        new += [highlight.text_of(r.after) for r in part.rows if r.new]
    return old, new


def _lines(text: str) -> list[str]:
    parts = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", " ").split("\n")
    return parts[:-1] if parts[-1] == "" else parts


lines_of_code = st.lists(
    st.sampled_from(["x = 1", "y = 2", "", "    return x", "sess.run(train)", "'''", "# é"]), max_size=40
)


@given(lines_of_code, lines_of_code)
def test_no_line_is_lost_or_moved(before: list[str], after: list[str]) -> None:
    result = diff.compare("\n".join(before), "\n".join(after))
    assert _sides(result) == (_lines("\n".join(before)), _lines("\n".join(after)))
    numbers = [r.old for p in result.parts if isinstance(p, Region) for r in p.rows if r.old]
    assert numbers == sorted(numbers)


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_can_be_compared(before: str, after: str) -> None:
    diff.compare(before, after, marked=[1, 5])


def test_equal_texts_have_no_change() -> None:
    result = diff.compare(sample_sources.SLOW_BEFORE, sample_sources.SLOW_BEFORE)
    assert (result.changes, result.removed, result.added) == (0, 0, 0)


def test_a_statement_stands_opposite_its_new_form() -> None:
    before = "a = 1\nloss, _ = sess.run([loss_op, train_op], feed)\nb = 2\n"
    after = "a = 1\nnew = True\nother = False\nloss, _ = sess_run([loss_op, train_op], feed)\nb = 2\n"
    rows = [r for p in diff.compare(before, after).parts if isinstance(p, Region) for r in p.rows if not r.same]
    assert [(r.old, r.new) for r in rows] == [(0, 2), (0, 3), (2, 4)]
    assert [p.text for p in rows[2].after if p.changed] == ["sess_run"]


def test_a_new_indentation_alone_is_not_marked() -> None:
    rows = [r for p in diff.compare("    x = f(y)\n", "x = f(y)\n").parts if isinstance(p, Region) for r in p.rows]
    assert not [p for r in rows for p in (*r.before, *r.after) if p.changed]


def test_far_lines_are_folded_but_not_those_with_a_finding() -> None:
    before = "\n".join(f"line_{i} = {i}" for i in range(60))
    result = diff.compare(before, before.replace("line_30 = 30", "line_30 = 0"), marked=[5])
    gaps = [p for p in result.parts if isinstance(p, Gap)]
    shown = {r.old for p in result.parts if isinstance(p, Region) for r in p.rows}
    assert {4, 5, 6, 28, 29, 30, 31, 32, 33, 34} <= shown
    assert sum(g.lines for g in gaps) + len(shown) == 60


def test_code_is_coloured_by_what_it_is() -> None:
    kinds = {p.text.strip(): p.kind for row in highlight.lines("def f(x):\n    return 'é', 1  # why\n") for p in row}
    assert kinds["def"] == "k"
    assert kinds["f"] == "f"
    assert kinds["'é'"] == "s"
    assert kinds["1"] == "m"
    assert kinds["# why"] == "c"


def test_lines_of_a_docstring_stay_lines() -> None:
    assert len(highlight.lines('"""one\ntwo\n\nthree"""\n')) == 4


def test_a_run_site_says_what_it_became() -> None:
    call = RunSite(Place("a.py", 3, 1), SiteKind.CALL, "train_step", ("loss", "accuracy"), ("x", "y"))
    assert explanations.of_site(call).sentence == "The run of loss, accuracy becomes a call of train_step(x, y)."
    gone = explanations.of_site(RunSite(Place("a.py", 3, 1), SiteKind.INITIALIZER))
    assert "is gone" in gone.sentence
    assert all(explanations.of_site(RunSite(Place("a.py", 1, 1), kind)).sentence for kind in SiteKind)


def test_an_idiom_is_named_only_where_both_sides_bear_it_out() -> None:
    heads = [e.head for e in explanations.of_region(["x = tf.placeholder(tf.float32)"], ["x_spec = tf.TensorSpec([])"])]
    assert heads == ["Placeholder"]
    kept = [e.head for e in explanations.of_region(["sess = tf.Session()"], ["sess = tf.compat.v1.Session()"])]
    assert "Session" not in kept


def test_a_region_without_an_idiom_says_what_is_plain_from_its_text() -> None:
    def head(before: list[str], after: list[str], elsewhere: tuple[str, ...] = ()) -> str:
        (only,) = explanations.of_region(before, after, elsewhere)
        return only.head

    assert head(["    y = f(x)"], ["y = f(x)"]) == "Layout"
    assert head(["y = f(x)"], [], ("y = f(x)",)) == "Moved"
    assert head(["y = f(x)"], []) == "Removed"
    assert head([], ["z = 1"]) == "Added"
    assert head(["y = f(x)"], ["y = g(x)"]) == "Rewritten"
