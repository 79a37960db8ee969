"""The report on a terminal and in a pipe."""

from __future__ import annotations

import io

import pytest
from report import extreme_data, sample_data
from rich.console import Console

from tfmigrate.model import Conversion
from tfmigrate.report import terminal
from tfmigrate.verify.results import ScriptReport


def _shown(
    conversion: Conversion | None, reports: tuple[ScriptReport, ...], *, drawn: bool = False, width: int = 120
) -> str:
    out = io.StringIO()
    terminal.show(Console(file=out, force_terminal=drawn, width=width, color_system=None), conversion, reports)
    return out.getvalue()


def test_a_pipe_gets_one_line_a_program() -> None:
    lines = _shown(sample_data.conversion(), sample_data.reports(), width=40).splitlines()
    assert (
        "regression/linear.py  verified  before 1.99 ms  after 0.644 ms  growth flat  speed-up 3.08×  agree 6 of 6"
        in lines
    )
    assert "vision/mnist_cnn.py  unverified" in lines
    assert "input/csv_queue.py  refused" in lines
    assert "    → tfmigrate verify legacy legacy_tf2 --entry vision/mnist_cnn.py" in lines


def test_a_pipe_gets_every_refusal_with_its_place() -> None:
    text = _shown(extreme_data.all_refused(20), ())
    assert text.count("TFM999 TFM999 in ") == 20
    assert "pkg/module_3.py:1:1: TFM888" in text


def test_a_program_that_got_slower_is_told_so() -> None:
    for drawn in (True, False):
        text = _shown(sample_data.conversion(), sample_data.reports(), drawn=drawn)
        assert "0.69×" in text
        assert "slower" in text


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_a_terminal_is_not_overrun(width: int) -> None:
    text = _shown(sample_data.conversion(), sample_data.reports(), drawn=True, width=width)
    assert max(len(line.rstrip()) for line in text.splitlines()) <= width
    assert "word_vectors" in text
    assert text.count("verified") >= 7


def test_names_cannot_move_the_cursor() -> None:
    for drawn in (True, False):
        text = _shown(*extreme_data.named(extreme_data.HOSTILE), drawn=drawn)
        assert "\x1b[2J" not in text
        assert "\u202e" not in text


def test_markup_in_names_is_text() -> None:
    text = _shown(*extreme_data.named("[red]x[/red]"), drawn=True)
    assert "[red]x[/red]" in text


@pytest.mark.parametrize("drawn", [True, False])
@pytest.mark.parametrize(
    "given",
    [
        (None, ()),
        (extreme_data.empty(), ()),
        (None, (extreme_data.without_numbers(), extreme_data.odd())),
        (None, (extreme_data.huge(2_000),)),
        extreme_data.named("caf\udce9.py"),
        extreme_data.named(extreme_data.LONG),
    ],
    ids=["nothing", "no file", "no numbers", "huge", "surrogate", "long"],
)
def test_extreme_results_are_shown(given: tuple[Conversion | None, tuple[ScriptReport, ...]], drawn: bool) -> None:
    text = _shown(*given, drawn=drawn)
    assert text.strip()
    text.encode("utf-8")
