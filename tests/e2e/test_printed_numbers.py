"""The comparison that the cases are judged by sees what it must see."""

from __future__ import annotations

import pytest
from e2e.printed_numbers import difference


@pytest.mark.parametrize(
    ("expected", "printed"),
    [
        ("loss 0.12345\n", "loss 0.12346\n"),
        ("[1. 2. 3.]\n", "[1.  2.  3.]\n"),
        ("w [[0.5 -1.25e-03]]\n", "w [[ 0.5 -0.00125]]\n"),
        ("(3, 2) True\n", "(3, 2) True\n"),
        ("nan inf\n", "nan inf\n"),
        ("model-3\n", "model-3\n"),
    ],
)
def test_the_same(expected: str, printed: str) -> None:
    assert difference(expected, printed) is None


@pytest.mark.parametrize(
    ("expected", "printed", "told"),
    [
        ("loss 0.12345\n", "loss 0.12445\n", "line 1: 0.12345 became 0.12445"),
        ("a\nb 1\n", "a\nb 2\n", "line 2: 1.0 became 2.0"),
        ("a 1\n", "b 1\n", "line 1: 'a 1' became 'b 1'"),
        ("a 1\n", "a 1 2\n", "line 1: 'a 1' became 'a 1 2'"),
        ("a\nb\n", "a\n", "2 lines became 1"),
        ("True\n", "False\n", "line 1: 'True' became 'False'"),
        ("0.0\n", "0.0001\n", "line 1: 0.0 became 0.0001"),
        ("model-3\n", "model-4\n", "line 1: 3.0 became 4.0"),
        ("1.0\n", "nan\n", "line 1: 1.0 became nan"),
    ],
)
def test_not_the_same(expected: str, printed: str, told: str) -> None:
    found = difference(expected, printed)
    assert found is not None
    assert found.startswith(told)
