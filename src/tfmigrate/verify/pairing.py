"""Which run of the legacy program belongs to which call of the converted one.

With the conversion's run sites the pairing is by place and name: the k-th run at a site that became a call of
`train_step` is the k-th call of `train_step`. Sites that share a step function, or a line, form one group and are
paired in their merged order. Without sites (a pair migrated by hand) groups are guessed by what comes back and how
often, in order of appearance.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tfmigrate.model import RunSite, SiteKind
from tfmigrate.verify.grouping import Group, Where, called_name, guess_groups
from tfmigrate.verify.trace import Event, Trace

_REACH = 40  # lines: how far below its start a statement's reported line may stand
_TOLD = {  # effects that tell a site from the calls on its line
    "read": (SiteKind.READ,),
    "initializer": (SiteKind.INITIALIZER, SiteKind.REINITIALIZER),
    "iterator": (SiteKind.ITERATOR,),
    "save": (SiteKind.SAVE,),
    "restore": (SiteKind.RESTORE,),
}
_PLAIN_READ = re.compile(r"(/read|/Read/ReadVariableOp|/ReadVariableOp)?(:0)?$")


@dataclass(frozen=True)
class PairedSite:
    """A run site with its runs and their counterparts; `before[k]` belongs to `after[k]`."""

    key: str  # "path:line"
    name: str
    kind: str
    in_loop: bool
    after_site: str
    before: tuple[Event, ...] = ()
    after: tuple[Event, ...] = ()
    runs_before: int = 0
    runs_after: int = 0
    fetches: tuple[str, ...] = ()


@dataclass(frozen=True)
class Pairing:
    """All sites in the order of their places. `problems` are failures of the interface in words; `notes` are not.

    `positions` gives for the index of each paired legacy run how many paired runs there were up to it: the step that
    tolerances grow with.
    """

    sites: tuple[PairedSite, ...]
    groups: tuple[Group, ...]
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    unreached: tuple[str, ...] = ()
    positions: dict[int, int] = field(default_factory=dict)
    by_plan: bool = True

    @property
    def paired(self) -> int:
        """How many pairs of runs there are."""
        return len(self.positions)


def pair(before: Trace, after: Trace, sites: Sequence[RunSite] | None) -> Pairing:
    """Pair the runs of two traces by the conversion's `sites`, or by value structure where there are none."""
    if sites:
        return _pair_by_sites(before, after, sites)
    runs, calls = _steps_of(before), [e for e in after.events if e.error is None]
    groups = tuple(guess_groups(runs, calls))
    return _collect(before, after, runs, calls, groups, {}, ())


def pair_again(pairing: Pairing, before: Trace, after: Trace, sites: Sequence[RunSite] | None) -> Pairing:
    """Pair two more runs of the same programs (timing runs record no values) by the groups already found."""
    if sites:
        return _pair_by_sites(before, after, sites)
    runs, calls = _steps_of(before), [e for e in after.events if e.error is None]
    return _collect(before, after, runs, calls, pairing.groups, {}, ())


def alone(before: Trace, sites: Sequence[RunSite] | None) -> Pairing:
    """The steps of a legacy trace as if each had its counterpart: for measures taken without the other side."""
    found = steps_at(before, sites) if sites else []
    owner = {(event.path, event.line): site for event, site in found}
    runs = [event for event, _ in found] if sites else _steps_of(before)
    by_key: dict[str, list[Event]] = {}
    for event in runs:
        by_key.setdefault(_key(event, owner), []).append(event)
    paired = [
        PairedSite(k, "", SiteKind.CALL.value, len(v) > 1, "", tuple(v), tuple(v), len(v), len(v))
        for k, v in by_key.items()
    ]
    return Pairing(tuple(paired), (), positions={e.index: k + 1 for k, e in enumerate(runs)}, by_plan=bool(sites))


def steps_at(before: Trace, sites: Sequence[RunSite]) -> list[tuple[Event, RunSite]]:
    """The runs of a legacy trace that became calls of step functions, with their sites."""
    found = [(event, _site_of(event, sites)) for event in before.events if event.error is None]
    return [(event, site) for event, site in found if site is not None and site.kind is SiteKind.CALL]


def pair_with_itself(reference: Trace, other: Trace) -> dict[int, Event]:
    """Runs of the same legacy program twice: index of a reference run to its counterpart, the k-th at a place with
    the k-th.
    """
    queues: dict[Where, list[Event]] = {}
    for event in other.events:
        queues.setdefault((event.path, event.line), []).append(event)
    lines: dict[Where, int] = Counter()
    found: dict[int, Event] = {}
    nearest = _nearest_places(set(queues), {(e.path, e.line) for e in reference.events})
    for event in reference.events:
        place = nearest.get((event.path, event.line), (event.path, event.line))
        k = lines[place]
        lines[place] += 1
        queue = queues.get(place, ())
        if k < len(queue):
            found[event.index] = queue[k]
    return found


def _nearest_places(have: set[Where], wanted: set[Where]) -> dict[Where, Where]:
    """Python versions report different lines of one multi-line call: the k-th place of a file is the k-th place of
    the other's.
    """
    found: dict[Where, Where] = {}
    for path in {p for p, _ in wanted}:
        mine, theirs = sorted(w for w in wanted if w[0] == path), sorted(h for h in have if h[0] == path)
        if mine != theirs and len(mine) == len(theirs):
            found.update(zip(mine, theirs, strict=True))
    return found


def _steps_of(before: Trace) -> list[Event]:
    """The runs of a legacy trace that are steps: no initializer, no iterator's start, no plain read of variables."""
    names = {v.name for v in before.variables}

    def is_step(event: Event) -> bool:
        if event.error is not None or any(
            e.startswith(("initializer", "iterator", "save", "restore")) for e in event.effects
        ):
            return False
        fetched = [_PLAIN_READ.sub("", f) for f in event.fetches]
        return not (event.values and fetched and all(f in names for f in fetched))

    return [e for e in before.events if is_step(e)]


def _pair_by_sites(before: Trace, after: Trace, sites: Sequence[RunSite]) -> Pairing:
    runs: list[Event] = []
    owner: dict[Where, RunSite] = {}
    problems: list[str] = []
    for event in before.events:
        if event.error is not None:
            continue
        site = _site_of(event, sites)
        if site is None:
            if event.values and event.effects in ((), ("read",)):
                problems.append(f"the run at {event.path}:{event.line} belongs to no run site of the conversion")
            continue
        if site.kind is SiteKind.CALL:
            owner[(event.path, event.line)] = site
            runs.append(event)
    calls = [e for e in after.events if e.error is None]
    groups = _groups_of(sites, owner)
    return _collect(before, after, runs, calls, groups, owner, sites, problems)


def _site_of(event: Event, sites: Sequence[RunSite]) -> RunSite | None:
    """The site whose statement the event's line lies in: the nearest one at or above it in the same file."""
    below = [s for s in sites if _same_path(s.place.path, event.path) and 0 <= event.line - s.place.line <= _REACH]
    if not below:
        return None
    line = max(s.place.line for s in below)
    on_line = [s for s in below if s.place.line == line]
    for effect, kinds in _TOLD.items():
        told = [s for s in on_line if s.kind in kinds]
        if told and effect in event.effects:
            return told[0]
    fitting = [s for s in on_line if s.kind is SiteKind.CALL and len(s.fetches) == len(event.values)]
    calls = [s for s in on_line if s.kind is SiteKind.CALL]
    return (fitting or calls or on_line)[0]


def _same_path(planned: str, recorded: str) -> bool:
    return planned == recorded or recorded.endswith("/" + planned) or planned.endswith("/" + recorded)


def _groups_of(sites: Sequence[RunSite], owner: dict[Where, RunSite]) -> tuple[Group, ...]:
    """Calls that share a name or a line are one group."""
    groups: list[tuple[set[Where], set[str]]] = []
    for site in sites:
        if site.kind is not SiteKind.CALL:
            continue
        line = (site.place.path, site.place.line)
        places = {line} | {w for w, s in owner.items() if (s.place.path, s.place.line) == line}
        names = {called_name(site.name)}
        touching = [g for g in groups if g[0] & places or g[1] & names]
        for group in touching:
            places |= group[0]
            names |= group[1]
            groups.remove(group)
        groups.append((places, names))
    return tuple(Group(frozenset(p), frozenset(n)) for p, n in groups)


def _collect(
    before: Trace,
    after: Trace,
    runs: Sequence[Event],
    calls: Sequence[Event],
    groups: Sequence[Group],
    owner: dict[Where, RunSite],
    sites: Sequence[RunSite],
    problems: Iterable[str] = (),
) -> Pairing:
    """Walk both sequences group by group and gather the pairs under their sites."""
    found = list(dict.fromkeys(problems))
    notes: list[str] = []
    group_of_run = {e.index: i for i, g in enumerate(groups) for e in runs if (e.path, e.line) in g.places}
    group_of_call = {e.index: i for i, g in enumerate(groups) for e in calls if called_name(e.name) in g.names}
    pairs: list[tuple[Event, Event]] = []
    cut = bool(before.stopped_at) or bool(after.stopped_at)
    for number, group in enumerate(groups):
        old = [e for e in runs if group_of_run.get(e.index) == number]
        new = [e for e in calls if group_of_call.get(e.index) == number]
        pairs += zip(old, new, strict=False)
        # Of a pair migrated by hand it is only guessed what counts, so a cut at the step limit may fall between the two
        # halves of one pass of the loop: one run more is no difference there.
        if abs(len(old) - len(new)) > (1 if cut and not sites else 0):
            where = " and ".join(f"{p}:{line}" for p, line in sorted(group.places)[:3])
            called = ", ".join(sorted(n for n in group.names if n)) or "no step function"
            found.append(f"the run site {where} ran {len(old)} times before, {called} {len(new)} times after")
    pairs.sort(key=lambda p: p[0].index)
    found += _out_of_order(pairs, notes, bool(sites))
    for event in runs:
        if event.index not in group_of_run:
            text = f"the run at {event.path}:{event.line} has no counterpart"
            # A pair migrated by hand may compute by eager operations what a run without effects only looked at.
            (found if sites or set(event.effects) - {"read"} or not pairs else notes).append(text)
    extra = sorted({called_name(e.name) for e in calls if e.index not in group_of_call} - {""})
    if extra:
        notes.append("called beside the steps: " + ", ".join(extra))
    return Pairing(
        sites=tuple(_paired_sites(pairs, runs, calls, groups, owner, sites)),
        groups=tuple(groups),
        problems=tuple(dict.fromkeys(found)),
        notes=tuple(dict.fromkeys(notes)),
        unreached=_unreached(before, sites),
        positions={b.index: k + 1 for k, (b, _) in enumerate(pairs)},
        by_plan=bool(sites),
    )


def _out_of_order(pairs: Sequence[tuple[Event, Event]], notes: list[str], by_plan: bool) -> list[str]:
    """The converted program must call its steps in the order in which the legacy program ran them."""
    latest = -1
    for old, new in pairs:
        if new.index < latest:
            text = f"{called_name(new.name)} is called in another order than the run at {old.path}:{old.line}"
            if by_plan:
                return [text]
            notes.append(text)
            return []
        latest = new.index
    return []


def _paired_sites(
    pairs: Sequence[tuple[Event, Event]],
    runs: Sequence[Event],
    calls: Sequence[Event],
    groups: Sequence[Group],
    owner: dict[Where, RunSite],
    sites: Sequence[RunSite],
) -> list[PairedSite]:
    by_key: dict[str, list[tuple[Event, Event]]] = {}
    for old, new in pairs:
        by_key.setdefault(_key(old, owner), []).append((old, new))
    count = Counter(_key(e, owner) for e in runs)
    result: list[PairedSite] = []
    listed: set[str] = set()
    for site in sorted(sites, key=lambda s: (s.place.path, s.place.line, s.kind is not SiteKind.CALL, s.place.column)):
        key = f"{site.place.path}:{site.place.line}"
        if key in listed:
            continue
        listed.add(key)
        mine = by_key.pop(key, [])
        after_site = (
            f"{mine[0][1].path}:{mine[0][1].line}"
            if mine
            else f"{site.place.path}:{site.new_line}"
            if site.new_line
            else ""
        )
        result.append(
            PairedSite(
                key,
                site.name,
                site.kind.value,
                site.in_loop,
                after_site,
                tuple(b for b, _ in mine),
                tuple(a for _, a in mine),
                count[key],
                len(mine),
                site.fetches,
            )
        )
    for event in runs:  # by hand: every place is a site of its own
        key = _key(event, owner)
        if key in listed:
            continue
        listed.add(key)
        mine = by_key.pop(key, [])
        name = called_name(mine[0][1].name) if mine else ""
        after_site = f"{mine[0][1].path}:{mine[0][1].line}" if mine else ""
        result.append(
            PairedSite(
                key,
                name,
                SiteKind.CALL.value,
                count[key] > 1,
                after_site,
                tuple(b for b, _ in mine),
                tuple(a for _, a in mine),
                count[key],
                len(mine),
            )
        )
    return result


def _key(event: Event, owner: dict[Where, RunSite]) -> str:
    site = owner.get((event.path, event.line))
    return f"{site.place.path}:{site.place.line}" if site else f"{event.path}:{event.line}"


def _unreached(before: Trace, sites: Sequence[RunSite]) -> tuple[str, ...]:
    """Sites that should run and that no event of the legacy program came from."""
    reached = set()
    for event in before.events:
        site = _site_of(event, sites)
        if site is not None:
            reached.add((site.place.path, site.place.line))
    counted = (SiteKind.CALL, SiteKind.READ, SiteKind.ASSIGN, SiteKind.SAVE, SiteKind.RESTORE)
    places = {(s.place.path, s.place.line) for s in sites if s.kind in counted}
    return tuple(f"{p}:{line}" for p, line in sorted(places - reached))
