"""Groups of run sites that are paired in one merged order, and how they are guessed for a pair migrated by hand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tfmigrate.verify.trace import Event

Where = tuple[str, int]

_TRACED = re.compile(r"^__(?:inference|forward|backward)_(.+?)_\d+$")


@dataclass(frozen=True)
class Group:
    """Run sites that are paired in one merged order: their places in the legacy program and the names called
    instead.
    """

    places: frozenset[Where]
    names: frozenset[str]


def called_name(name: str) -> str:
    """The plain name of a step function: what tracing and methods add is taken off (`__inference__train_step_12`
    gives `train_step`).
    """
    traced = _TRACED.match(name)
    return (traced.group(1) if traced else name).rsplit(".", 1)[-1].lstrip("_")


def _signature(event: Event) -> tuple[tuple[tuple[int, ...], str], ...]:
    return tuple((v.shape, v.dtype) for v in event.values if not v.summary)


def guess_groups(runs: Sequence[Event], calls: Sequence[Event]) -> list[Group]:
    """Groups for a pair migrated by hand: places and functions with one structure of values, matched by count and
    order.
    """
    places: dict[Where, list[Event]] = {}
    for event in runs:
        places.setdefault((event.path, event.line), []).append(event)
    names: dict[str, list[Event]] = {}
    for event in calls:
        names.setdefault(called_name(event.name), []).append(event)
    groups: list[Group] = []
    for signature in dict.fromkeys(_signature(e[0]) for e in places.values()):
        old = [p for p, e in places.items() if _signature(e[0]) == signature]
        new = [n for n, e in names.items() if _signature(e[0]) == signature]
        groups += _match_equal(old, new, places, names)
    taken_places = {p for g in groups for p in g.places}
    taken_names = {n for g in groups for n in g.names}
    for place in places:  # what is left: the most alike, of the nearest count
        if place in taken_places:
            continue
        rest = [n for n in names if n not in taken_names]
        best = max(rest, key=lambda n: _likeness(places[place], names[n]), default=None)
        if best is not None and _likeness(places[place], names[best])[0] > 0:
            groups.append(Group(frozenset([place]), frozenset([best])))
            taken_names.add(best)
    return groups


def _match_equal(
    old: list[Where], new: list[str], places: dict[Where, list[Event]], names: dict[str, list[Event]]
) -> list[Group]:
    if not old or not new:
        return []
    if len(old) == len(new):
        return [Group(frozenset([p]), frozenset([n])) for p, n in zip(old, new, strict=True)]
    if sum(len(places[p]) for p in old) == sum(len(names[n]) for n in new):
        return [Group(frozenset(old), frozenset(new))]
    groups = []
    rest = list(new)
    for place in old:
        if rest:
            best = min(rest, key=lambda n: abs(len(names[n]) - len(places[place])))
            rest.remove(best)
            groups.append(Group(frozenset([place]), frozenset([best])))
    return groups


def _likeness(old: Sequence[Event], new: Sequence[Event]) -> tuple[float, int]:
    """How alike two places are: the share of values in common, then how near the counts are."""
    mine, theirs = Counter(_signature(old[0])), Counter(_signature(new[0]))
    most = max(mine.total(), theirs.total())
    share = (mine & theirs).total() / most if most else 1.0
    if not mine or not theirs:
        share = max(share, 0.25)  # an op alone and a function that also returns its loss may well be the same step
    return share, -abs(len(old) - len(new))
