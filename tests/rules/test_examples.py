"""Every rule's docstring is tried: its examples, its summary and its source."""

from __future__ import annotations

import pytest

from tfmigrate import symbols
from tfmigrate.rules import engine
from tfmigrate.rules.base import Context, Rule
from tfmigrate.rules.examples import describe, parse_call, shown
from tfmigrate.rules.renames import RENAMES, Rename

RULES = sorted({id(rule): rule for rule in engine.rules().values()}.values(), key=lambda rule: type(rule).__name__)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: type(rule).__name__)
def test_docstring_examples_are_what_the_rule_does(rule: Rule) -> None:
    description = describe(rule)
    assert description.pairs, "a rule shows at least one example"
    assert description.source
    assert description.summary.endswith(".")
    for before, after in description.pairs:
        if before.endswith(")"):
            symbol, node = parse_call(before)
            assert shown(engine.apply(symbol, node, Context())) == after
        else:
            symbol = before.removeprefix("tf.")
            assert shown(engine.reference(symbol, Context())) == after
        assert symbols.canonical(symbol) in rule.symbols


@pytest.mark.parametrize("symbol", sorted(engine.rules()))
def test_rules_name_symbols_of_1_15_by_their_shortest_name(symbol: str) -> None:
    assert symbols.legacy(symbol) is not None
    assert symbols.canonical(symbol) == symbol


@pytest.mark.parametrize("row", RENAMES.values(), ids=lambda row: row.symbol)
def test_renames_fit_both_signatures(row: Rename) -> None:
    old, new = symbols.legacy(row.symbol), symbols.target(row.target)
    assert old is not None
    assert new is not None
    assert symbols.canonical(row.symbol) == row.symbol
    for before, after in row.arguments.items():
        if old.parameter(before) is not None:  # a shared table names more than each symbol has
            assert new.parameter(after) is not None, (before, after)
    assert all(old.parameter(name) is not None for name in row.dropped)
    assert any(old.parameter(name) for name in row.arguments) or row.dropped or row.symbol != row.target
    assert row.symbol not in engine.rules(), "a row beside a rule is never used"
