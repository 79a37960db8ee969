"""The generated pages of docs/ are those that the rules give now."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfmigrate.reasons import REASONS
from tfmigrate.rules import document
from tfmigrate.rules.coverage import Standing, standing, symbols_of_1_15

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("name", ["rules.md", "coverage.md", "reasons.md"])
def test_page_is_current(name: str) -> None:
    assert (DOCS / name).read_text(encoding="utf-8") == document.pages()[name], "run python -m tfmigrate.rules.document"


def test_every_symbol_has_a_standing_and_each_refusal_a_reason() -> None:
    found = {name: standing(name) for name in symbols_of_1_15()}
    assert len(found) > 900
    assert {kind for kind, _ in found.values()} == set(Standing)
    assert {code for _, code in found.values()} - {""} <= set(REASONS)
    assert found["log"] == (Standing.KEPT, "")
    assert found["nn.dropout"] == (Standing.RULE, "")
    assert found["argmax"] == (Standing.RENAMED, "")
    assert found["metrics.accuracy"] == (Standing.REFUSED, "TFM206")
    assert found["Session"] == (Standing.STRUCTURE, "")
