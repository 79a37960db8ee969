"""How a value over the whole batch follows from what each replica computes on its own part of the batch.

The examples of a batch are its first dimension; every replica gets an equal number of them, in order. Then
a tensor that does not depend on the batch is the SAME everywhere; one that has a row an example (BATCH) is put
together again along its first dimension; a mean over the examples (MEAN) is the mean of the replicas' means and a sum
(SUM) the sum of their sums. Whatever is not known to be one of these is UNKNOWN, with the place where that begins:
nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import Enum

import libcst as cst

from tfmigrate.analysis.values import Host, Sequence, Value


class Kind(Enum):
    """What a replica's value is to the value over the whole batch."""

    SAME = "same"
    BATCH = "batch"
    SHAPE = "shape"  # the dimensions of something BATCH, the first of which counts examples
    COUNT = "count"  # a number of examples (or a multiple of it): equal on all replicas, summed up to the whole
    MEAN = "mean"
    SUM = "sum"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Share:
    """The kind of a value with its rank where known; `node` and `why` tell where UNKNOWN began."""

    kind: Kind
    rank: int | None = None
    node: cst.CSTNode | None = None
    why: str = ""

    @property
    def known(self) -> bool:
        """Whether it is anything but UNKNOWN."""
        return self.kind is not Kind.UNKNOWN


@dataclass(frozen=True)
class Operands:
    """The arguments of one op: shares and values in source order, by keyword where one was given."""

    symbol: str
    node: cst.CSTNode | None
    shares: tuple[Share, ...]
    values: tuple[Value, ...]
    keywords: tuple[str | None, ...]
    share_of: Callable[[Value], Share]

    def value(self, index: int, *names: str) -> Value | None:
        """An argument by its position or one of its keywords."""
        for keyword, value in zip(self.keywords, self.values, strict=False):
            if keyword in names:
                return value
        positional = [v for k, v in zip(self.keywords, self.values, strict=False) if k is None]
        return positional[index] if index < len(positional) else None

    def share(self, index: int, *names: str) -> Share:
        """The share of an argument; SAME where it is not passed."""
        value = self.value(index, *names)
        return Share(Kind.SAME) if value is None else self.share_of(value)

    def unknown(self, why: str) -> Share:
        """UNKNOWN from here on."""
        return Share(Kind.UNKNOWN, None, self.node, why)


def first_unknown(shares: Iterable[Share]) -> Share | None:
    """The first UNKNOWN among them."""
    return next((s for s in shares if not s.known), None)


def elementwise(op: Operands, shares: Iterable[Share]) -> Share:
    """An op on the elements, with broadcasting: rows stay rows where all batches have the same rank."""
    shares = list(shares)
    if (unknown := first_unknown(shares)) is not None:
        return unknown
    kinds = {s.kind for s in shares} - {Kind.SAME}
    ranks = [s.rank for s in shares]
    rank = None if None in ranks else max((r for r in ranks if r is not None), default=0)
    if not kinds:
        return Share(Kind.SAME, rank)
    if kinds != {Kind.BATCH}:
        return op.unknown("a mean, a sum or a number of examples goes through an operation that is not linear")
    batches = [s for s in shares if s.kind is Kind.BATCH]
    if len(batches) > 1 and (None in {s.rank for s in batches} or len({s.rank for s in batches}) > 1):
        return op.unknown(
            "tensors over the examples are combined whose ranks differ or are not known: rows may not meet one to one"
        )
    own = batches[0].rank
    if own is not None and any(s.kind is Kind.SAME and s.rank is not None and s.rank > own for s in shares):
        return op.unknown("a tensor over the examples is broadcast against one of more dimensions")
    return Share(Kind.BATCH, own)


def added(op: Operands, shares: Iterable[Share]) -> Share:
    """A sum or difference: means add up to a mean, sums to a sum."""
    shares = list(shares)
    if (unknown := first_unknown(shares)) is not None:
        return unknown
    kinds = {s.kind for s in shares}
    if kinds <= {Kind.MEAN, Kind.SAME} and Kind.MEAN in kinds:
        return Share(Kind.MEAN)
    if kinds == {Kind.SUM} or kinds == {Kind.COUNT}:
        return shares[0]
    if kinds & {Kind.SUM, Kind.COUNT} and Kind.BATCH not in kinds:
        return op.unknown("a sum over the examples is added to something that is no such sum")
    return elementwise(op, shares)


def multiplied(op: Operands, shares: Iterable[Share]) -> Share:
    """A product: a mean or a sum keeps its kind times a constant; a mean times the number of examples is a sum."""
    shares = list(shares)
    if (unknown := first_unknown(shares)) is not None:
        return unknown
    others = [s for s in shares if s.kind is not Kind.SAME]
    if len(others) == 1 and others[0].kind in (Kind.MEAN, Kind.SUM, Kind.COUNT):
        return replace(others[0], rank=None)
    if {s.kind for s in others} == {Kind.MEAN, Kind.COUNT} and len(others) == 2:
        return Share(Kind.SUM)
    return elementwise(op, shares)


def divided(op: Operands, numerator: Share, denominator: Share) -> Share:
    """A quotient: a sum over the examples by their number is a mean."""
    if (unknown := first_unknown((numerator, denominator))) is not None:
        return unknown
    if denominator.kind is Kind.SAME and numerator.kind in (Kind.MEAN, Kind.SUM, Kind.COUNT):
        return replace(numerator, rank=None)
    if denominator.kind is Kind.COUNT and numerator.kind in (Kind.SUM, Kind.COUNT):
        return Share(Kind.MEAN)
    return elementwise(op, (numerator, denominator))


def integers(value: Value | None) -> list[int] | None:
    """The integers that an argument is: one, or a list of them; None where they are not known."""
    if isinstance(value, Host) and isinstance(value.literal, int) and not isinstance(value.literal, bool):
        return [value.literal]
    if isinstance(value, Sequence) and not value.open_:
        found = [i.literal for i in value.items if isinstance(i, Host) and isinstance(i.literal, int)]
        return found if len(found) == len(value.items) else None
    return None


def absent(value: Value | None) -> bool:
    """Whether an argument is not passed, or None."""
    return value is None or (isinstance(value, Host) and value.literal is None)


def axes_of(value: Value | None, rank: int | None) -> list[int] | None:
    """Axes counted from the front; None where they are not known."""
    found = integers(value)
    if found is None or (any(a < 0 for a in found) and rank is None):
        return None
    return [a if a >= 0 or rank is None else a + rank for a in found]
