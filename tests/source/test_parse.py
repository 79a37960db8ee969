"""Python 2, syntax errors and nesting beyond the parser are told apart and placed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfmigrate.model import SourceFile
from tfmigrate.source.parse import parsed


def problem(text: str) -> tuple[str, int, int] | None:
    file = parsed(SourceFile("a.py", text))
    found = file.problem or file.note
    return None if found is None else (found.code, found.place.line, found.place.column)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "# only a comment",
        "print('a')\n",
        "print ('a')\n",
        "print >>f, 'a'\n",  # odd, but Python 3 parses it
        "x = '\\d'\n",  # warns when compiled
        "x = 1 if y is 2 else 3\n",
        "match x:\n  case 1:\n    pass\n",
        "x = 1\r\ny = 2\r\n",
        "a = " + "'c'" * 20_000,
        "x = 1\n" * 20_000,
    ],
)
def test_python_3_has_no_problem(text: str) -> None:
    assert problem(text) is None


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("x = 1\nprint x\n", 2, 1),
        ("if x:\n    print 'a %d' % x,\n", 2, 5),
        ("print\nprint 'x'", 1, 1),
        ("exec 'x = 1'\n", 1, 1),
        ("x = `y`\n", 1, 5),
        ("if a <> b: pass\n", 1, 6),
        ("x = 10L\n", 1, 5),
        ("os.chmod(f, 0755)\n", 1, 13),
        ("s = ur'x'\n", 1, 5),
        ("try:\n  x\nexcept E, e:\n  y\n", 3, 1),
        ("raise E, 'x'\n", 1, 1),
        ("def f(a, (b, c)): pass\n", 1, 10),
        ("lambda (a, b): a\n", 1, 8),
        ("if x:\n        y = 1\n\tz = 2\n", 3, 1),
        ("print 'no newline at the end'", 1, 1),
    ],
)
def test_python_2_is_told_with_its_place(text: str, line: int, column: int) -> None:
    found = problem(text)
    assert found is not None
    assert (found[0], *found[1:]) in {("TFM009", line, column), ("TFM004", found[1], found[2])}


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("def train(:\n", 1, 11),
        ("x = (1,\n", 1, 5),
        ("f() = 1\n", 1, 1),  # Python 2's grammar lets these through
        ("f(a=1, 2)\n", 1, 9),
        ("x = 'a\n", 1, 5),
        ("  x = 1\n", 1, 2),
        ("<<<<<<< HEAD\nprint 'x'\n", 1, 1),
    ],
)
def test_a_syntax_error_is_placed(text: str, line: int, column: int) -> None:
    assert problem(text) == ("TFM003", line, column)


@pytest.mark.parametrize(
    "text", ["(" * 300 + ")" * 300, "-" * 100_000 + "1", "1" + "+1" * 100_000, "a" + ".a" * 100_000]
)
def test_nesting_beyond_the_parser_is_a_problem_of_its_own(text: str) -> None:
    found = problem(text)
    assert found is not None
    assert found[0] == "TFM008"


@given(st.text(max_size=60))
def test_any_text_is_fine_or_a_problem(text: str) -> None:
    found = problem(text)
    assert found is None or (found[0] in {"TFM003", "TFM004", "TFM008", "TFM009"} and found[1] >= 0 and found[2] >= 1)
