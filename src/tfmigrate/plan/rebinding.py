"""Names that are bound again: whether moving statements into a step function would let a name mean something else."""

from __future__ import annotations

from bisect import bisect_right

import libcst as cst

from tfmigrate.analysis.facts import Binding, Run, Scope, Statement, Uses
from tfmigrate.analysis.recurrent_cells import Cell
from tfmigrate.analysis.values import Graphlike, Summary, Variable
from tfmigrate.plan.bindings import Bindings
from tfmigrate.plan.fetch_sets import fetches_of, is_identified
from tfmigrate.plan.program import Phase, Plan
from tfmigrate.plan.slices import Slice


class Rebinding:
    """Looks for names that are bound again between two places."""

    def __init__(self, bindings: Bindings, plan: Plan) -> None:
        self.bindings, self.plan = bindings, plan

    def before_tracing(
        self, found: Slice, anchor: Statement | None, before: bool, scope: Scope
    ) -> tuple[str, Statement] | None:
        """A name that a step reads from around it, and that means something else by the time the step is traced."""
        last = anchor.order if anchor is not None else 0
        for owner, name, defs in found.reads:
            if owner is not scope or not defs:
                continue
            first = max(d.order for d in defs)
            for other in self.bindings.binders(owner, name):
                later = first < other.order < last + (0 if before else 1)
                if other not in defs and later and self._binds(other):
                    return name, other
        for built in found.built:
            for name in built.defines:
                if self._is_renamed(built, name):
                    continue
                for other in self.bindings.binders(built.scope, name):
                    later = other is not built and built.order < other.order < last
                    if later and self._binds(other) and not _exclusive(built, other):
                        return name, other
        return None

    def _is_renamed(self, built: Statement, name: str) -> bool:
        """Whether a variable or a cell that the statement makes is reached by another name than the one it binds."""
        return any(
            (isinstance(made, Variable) and self.plan.variable_names.get(made, name) != name)
            or (isinstance(made, Cell) and self.plan.layer_names.get(made, name) != name)
            for made in built.made
        )

    def _binds(self, statement: Statement) -> bool:
        """Whether the statement stays where it is and binds its names there."""
        return self.bindings.of(statement) not in (Binding.STEP, Binding.DROP)

    def before_returning(self, run: Run, units: list[Statement]) -> tuple[str, Statement] | None:
        """A name that a result is made of, and that a later statement of the step binds again."""
        inside = set(units)
        last: dict[str, Statement] = {}
        for unit in units:
            for statement in self.bindings.descendants(unit):
                for name in statement.defines:
                    last[name] = statement
        reads: list[Uses] = []
        for leaf in fetches_of(run):
            if isinstance(leaf.value, Summary):
                made = [m.statement for m in leaf.value.members or (leaf.value,) if m.statement is not None]
                reads.extend(at.uses for statement in made for at in (statement, *statement.loops))
            elif leaf.node is not None and not is_identified(leaf):
                reads.append(leaf.uses)
            elif isinstance(leaf.value, Graphlike) and leaf.value.name in last and leaf.value.statement is not None:
                final = last[leaf.value.name]
                if (
                    self.bindings.unit(final) is not self.bindings.unit(leaf.value.statement)
                    and leaf.value.statement in inside
                ):
                    return leaf.value.name, final
        for uses in reads:
            for (_, name), defs in uses.items():
                bound = last.get(name)
                mine = {self.bindings.unit(d) for d in defs}
                if bound is not None and mine & inside and self.bindings.unit(bound) not in mine:
                    return name, bound
        return None

    def in_order(self, ordered: list[tuple[Statement, Phase]]) -> bool:
        """Whether each name still means the same to all units in this order."""
        position = {unit: index for index, (unit, _) in enumerate(ordered)}
        binding: dict[str, list[int]] = {}  # the places of the units that bind a name, ascending
        for unit, index in position.items():
            for name in unit.defines:
                binding.setdefault(name, []).append(index)
        for unit, _ in ordered:
            for (_owner, name), defs in unit.uses.items():
                inside = [self.bindings.unit(d) for d in defs if self.bindings.unit(d) in position]
                if not inside or unit in inside:
                    continue
                last = max(position[d] for d in inside)
                if last > position[unit]:
                    return False
                places = binding.get(name, [])
                following = bisect_right(places, last)
                if following < len(places) and places[following] < position[unit]:
                    return False
        return True


def _exclusive(first: Statement, second: Statement) -> bool:
    """Whether the two stand in different branches of one `if`."""
    around: dict[Statement, str] = {}
    at: Statement | None = first
    while at is not None and at.parent is not None:
        around[at.parent] = at.block
        at = at.parent
    at = second
    while at is not None and at.parent is not None:
        if at.parent in around and isinstance(at.parent.node, cst.If) and around[at.parent] != at.block:
            return True
        at = at.parent
    return False
