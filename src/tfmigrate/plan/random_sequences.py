"""What is drawn, and the sequences of random ops with seeds of their own, which each session begins anew."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import libcst as cst

from tfmigrate.analysis.facts import Facts, Run, Statement
from tfmigrate.analysis.values import Session, Tensor, Value, leaves
from tfmigrate.plan.fetch_sets import fetches_of


class RandomSequences:
    """Which sessions draw from which random op of a program."""

    def __init__(self, facts: Facts) -> None:
        self._drawing: dict[Value, set[Session]] = {}
        runs = [run for run in facts.runs.values() if run.fetch is not None]
        if not _seeded(leaf.value for run in runs for leaf in fetches_of(run)):
            return  # the common case: one walk over the graph is enough
        for run in runs:
            for source in _seeded(leaf.value for leaf in fetches_of(run)):
                self._drawing.setdefault(source, set()).update(run.sessions)

    def restart(self, run: Run) -> bool:
        """Whether the run draws from an op that another session runs too: each begins the op's sequence anew."""
        return bool(self._drawing) and any(
            len(self._drawing[source]) > 1 for source in _seeded(leaf.value for leaf in fetches_of(run))
        )


def _seeded(values: Iterable[Value]) -> list[Value]:
    """The random ops with a seed of their own that the values are computed from."""
    found: dict[Value, None] = {}
    seen: set[int] = set()
    todo = [leaf for value in values for leaf in leaves(value)]
    while todo:
        each = todo.pop()
        if id(each) in seen or not isinstance(each, Tensor):
            continue
        seen.add(id(each))
        node = each.expression
        named = [a.keyword.value for a in node.args if a.keyword is not None] if isinstance(node, cst.Call) else []
        if each.random and "seed" in named:
            found[each] = None
        todo.extend(v for i in each.inputs for v in leaves(i))
    return list(found)


def drawn(facts: Facts) -> set[int]:
    """The ids of the values that are random ops or computed from them."""
    todo = [v for statement in facts.statements.values() for v in values_of(statement)]
    seen: set[int] = set()
    readers: dict[int, list[Value]] = {}
    found: list[Value] = []
    while todo:
        value = todo.pop()
        if id(value) in seen or not isinstance(value, Tensor):
            continue
        seen.add(id(value))
        if value.random:
            found.append(value)
        for each in (leaf for v in value.inputs for leaf in leaves(v)):
            readers.setdefault(id(each), []).append(value)
            todo.append(each)
    known: set[int] = set()
    while found:
        value = found.pop()
        if id(value) not in known:
            known.add(id(value))
            found.extend(readers.get(id(value), ()))
    return known


def values_of(statement: Statement) -> Iterator[Value]:
    """What the statement makes, and what its expressions are."""
    yield from statement.made
    for value in statement.values:
        yield from leaves(value)
