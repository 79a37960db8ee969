"""What a run site fetches and feeds: run sites with the same set of both share a step function."""

from __future__ import annotations

import libcst as cst

from tfmigrate.analysis.facts import Facts, Feed, Fetch, Run, Structure
from tfmigrate.analysis.values import (
    Gradients,
    Graphlike,
    Host,
    Operation,
    Placeholder,
    Sequence,
    Summary,
    Tensor,
    Value,
    leaves,
)
from tfmigrate.rules.expressions import code


def fetches_of(run: Run) -> list[Fetch]:
    """The leaves of what a run fetches."""
    return list(run.fetch.leaves()) if run.fetch is not None else []


def fetch_key(run: Run, facts: Facts) -> tuple[object, ...]:
    """What runs must have in common to call one step function."""
    assert run.fetch is not None
    fetched = tuple(
        id(leaf.value) if is_identified(leaf) else id(leaf.node or leaf.value) for leaf in run.fetch.leaves()
    )
    fed = tuple(sorted((id(f.key), _constant_text(f)) for f in run.feeds if not isinstance(f.key, Operation)))
    return (fetched, fed, _form(run.fetch), wants_structure(run, facts))


def _form(structure: Structure) -> tuple[object, ...]:
    """The structure without what is fetched: values come back in it."""
    keys = tuple(code(key) for key in structure.keys)
    return (structure.kind, keys, *(_form(item) for item in structure.items))


def several(value: Value) -> bool:
    """Whether what is fetched as one thing comes back as several: a list, an element of a dataset, a summary."""
    return isinstance(value, (Summary, Sequence, Gradients)) or (isinstance(value, Tensor) and value.nested)


def is_flat(structure: Structure) -> bool:
    """Whether each item is one value, or an op."""
    return all(i.leaf is not None and not several(i.leaf.value) for i in structure.items)


def wants_structure(run: Run, facts: Facts) -> bool:
    """Whether the host wants the list or dict as it was fetched, with None for the ops."""
    assert run.fetch is not None
    if run.fetch.kind == "leaf" or not any(isinstance(leaf.value, Operation) for leaf in run.fetch.leaves()):
        return False
    return not is_unpacked(run) and run.call not in facts.picked


def is_unpacked(run: Run) -> bool:
    """Whether the host takes what is fetched apart at once, or nothing of it."""
    line = run.statement.node
    small = line.body[0] if isinstance(line, cst.SimpleStatementLine) else None
    if isinstance(small, cst.Expr) and small.value is run.call:
        return True
    if run.fetch is None or not isinstance(small, cst.Assign) or small.value is not run.call or len(small.targets) > 1:
        return False
    target = small.targets[0].target
    return isinstance(target, (cst.Tuple, cst.List)) and len(target.elements) == len(run.fetch.items)


def is_identified(leaf: Fetch) -> bool:
    """Whether a name says what is fetched; else its expression does."""
    return isinstance(leaf.value, Graphlike) and (leaf.value.name is not None or leaf.node is None)


def is_literal(node: cst.BaseExpression | None, value: Value) -> bool:
    """Whether a number or a truth value is written out where it is fed."""
    if node is None or not (isinstance(value, Host) and value.known):
        return False
    return isinstance(node, (cst.Integer, cst.Float, cst.UnaryOperation)) or (
        isinstance(node, cst.Name) and node.value in ("True", "False")
    )


def feeds_literal(run: Run, key: Placeholder) -> bool:
    """Whether the run feeds the placeholder a literal."""
    feed = next((f for f in run.feeds if f.key is key), None)
    return feed is not None and is_literal(feed.node, feed.value)


def _constant_text(feed: Feed) -> str:
    return repr(feed.value.literal) if isinstance(feed.value, Host) and is_literal(feed.node, feed.value) else ""


def train_ops(run: Run) -> list[Operation]:
    """The train ops that the run fetches, in groups too."""
    found: list[Operation] = []

    def walk(value: Value) -> None:
        if isinstance(value, Operation):
            if value.optimizer is not None:
                found.append(value)
            for member in value.members:
                for leaf in leaves(member):
                    walk(leaf)

    for fetch in fetches_of(run):
        for value in leaves(fetch.value):
            walk(value)
    return found
