"""What recurrent networks make of a batch whose examples are shared out among replicas: each is run by itself."""

from __future__ import annotations

from collections.abc import Sequence as Many

import libcst as cst

from tfmigrate.analysis.facts import Facts
from tfmigrate.analysis.recurrent_cells import Cell, State, StepCell
from tfmigrate.analysis.values import Tensor
from tfmigrate.plan.replication.kinds import Kind, Share
from tfmigrate.rules.expressions import is_word

NETWORKS = ("dynamic_rnn", "static_rnn", "bidirectional_dynamic_rnn", "static_bidirectional_rnn")


def recurrent(facts: Facts, value: Tensor, shares: Many[Share]) -> Share | None:
    """The share of what a cell or a network gives; None for anything else."""
    node = value.expression
    if isinstance(value, StepCell):
        return Share(Kind.SAME)
    if isinstance(value, State) and node is None:
        return Share(shares[0].kind, _rank(value))  # a part of a state
    listed = value.inputs[0] if value.inputs else None
    if isinstance(node, cst.Subscript) and isinstance(listed, Tensor) and _is_list(facts, listed):
        return Share(shares[0].kind, 2)  # the outputs of one time step
    if isinstance(node, cst.Subscript) and isinstance(value, State):
        return Share(shares[0].kind, _rank(value))
    if not isinstance(node, cst.Call):
        return None
    symbol = facts.symbols.get(node.func, "")
    called = isinstance(facts.values.get(node.func), (Cell, StepCell))
    if symbol.rpartition(".")[2] not in NETWORKS and not called:
        return None
    if any(a.keyword and a.keyword.value == "time_major" and not is_word(a.value, "False") for a in node.args):
        return Share(Kind.UNKNOWN, None, node, "the examples stand in the second dimension")
    kinds = {s.kind for s in shares}
    if not kinds <= {Kind.SAME, Kind.BATCH}:
        return Share(Kind.UNKNOWN, None, node, "a recurrent network over a mean or a sum over the examples")
    kind = Kind.BATCH if Kind.BATCH in kinds else Kind.SAME
    return Share(kind, _rank(value) if isinstance(value, State) else (2 if called else 3))


def _rank(value: State) -> int | None:
    return None if value.nested else 2


def _is_list(facts: Facts, value: Tensor) -> bool:
    """Whether the value is a list with a tensor (batch, features) for each time step."""
    node = value.expression
    symbol = facts.symbols.get(node.func, "") if isinstance(node, cst.Call) else ""
    return symbol in ("nn.static_rnn", "nn.static_bidirectional_rnn")
