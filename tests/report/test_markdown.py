"""The Markdown for a pull request's comment."""

from __future__ import annotations

import re

import pytest
from report import extreme_data, sample_data

from tfmigrate.report import markdown


@pytest.fixture(scope="module")
def sample() -> str:
    return markdown.render(sample_data.conversion(), sample_data.reports())


def _tables(text: str) -> list[list[str]]:
    return [t.strip().split("\n") for t in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)]


def _cells(row: str) -> int:
    return len(re.split(r"(?<!\\)\|", row)) - 2


def test_the_verdicts_stand_in_one_table(sample: str) -> None:
    table = _tables(sample)[0]
    assert len(table) == 2 + len(sample_data.conversion().programs)
    assert "| `text/word_vectors.py` | ❌ differs | 3.45 | 1.26 | flat | 2.74× | 4 of 6 |" in table


def test_rows_have_the_cells_of_their_head(sample: str) -> None:
    hostile = markdown.render(*extreme_data.named("a | b ` c"), title="|")
    for table in (*_tables(sample), *_tables(hostile)):
        assert len({_cells(row) for row in table}) == 1, table


def test_what_differs_is_open_and_the_rest_is_folded(sample: str) -> None:
    assert sample.count("<details open>") == 1
    assert sample.index("<details open>") < sample.index("<details>")
    assert sample.count("<details") == sample.count("</details>")


def test_refusals_come_with_places_and_codes(sample: str) -> None:
    part = sample[sample.index("### Refused, and what to do") :]
    assert "**TFM211" in part
    assert "`input/csv_queue.py:4:9`" in part


def test_texts_open_no_markup_and_mention_nobody() -> None:
    text = markdown.render(*extreme_data.named(extreme_data.HOSTILE), title=extreme_data.HOSTILE)
    outside = re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", "", text)
    own = {"details", "summary", "code", "br", "sub"}
    assert set(re.findall(r"</?([a-zA-Z]+)", outside)) <= own
    assert "@everyone" not in outside
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_a_comment_never_exceeds_what_a_forge_takes() -> None:
    text = markdown.render(sample_data.conversion(80), sample_data.reports(80))
    assert len(text) < 65_536
    assert re.search(r"Details of \d+ programs left out", text)
    assert text.count("| `trainers/") >= 16, "the table of verdicts is kept whole"
    assert "### Refused, and what to do" in text


@pytest.mark.parametrize("text", ["`", "``a`", "a`b", "plain", " padded ", "two\nlines"])
def test_a_code_span_holds_any_text(text: str) -> None:
    span = markdown.code(text)
    fence = re.match(r"`+", span)
    assert fence is not None
    inside = span[len(fence[0]) : -len(fence[0])]
    assert fence[0] not in inside.strip()
    assert inside.strip() == " ".join(text.split())


@pytest.mark.parametrize(
    "reports", [(), (extreme_data.without_numbers(),), (extreme_data.odd(),), (extreme_data.huge(2_000),)]
)
def test_extreme_results_render(reports: tuple[extreme_data.ScriptReport, ...]) -> None:
    assert markdown.render(None, reports).startswith("## tfmigrate report")
