"""Rewrites input queues as tf.data pipelines before the program is analysed anew, in rounds.

Threads that fill queues beside the steps become datasets that steps take elements from: one element in each run that
needs it. First the queues' sources become datasets, then what batches and shuffles their elements stages of these, then
functions that return elements return datasets; at the end the Coordinator of the threads is dissolved, and elements
that are fetched as a whole are lists, as queues give them. The elements' order is the legacy one wherever that was
determined: with one thread and without shuffling.

What it does not model: queues that the program fills itself, several threads that read in an order of their own
(`batch_join`), elements that are taken both one by one and in batches.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import libcst as cst

from tfmigrate.analysis.api_queues import BATCHES, RUNNERS, InputQueue, QueueCall
from tfmigrate.analysis.calls import parameters
from tfmigrate.analysis.facts import Facts, Statement
from tfmigrate.analysis.frames import Frame
from tfmigrate.analysis.project import Project
from tfmigrate.analysis.values import is_step
from tfmigrate.model import Finding, Place, Severity
from tfmigrate.plan.inlining import inline
from tfmigrate.plan.program import Plan
from tfmigrate.plan.queues.coordinators import dissolve
from tfmigrate.plan.queues.lists import as_lists
from tfmigrate.plan.queues.names import QueueNames, Unsuited
from tfmigrate.plan.queues.sources import QueueSources
from tfmigrate.plan.queues.stages import QueueStages
from tfmigrate.plan.statement_edits import Edits


class InputQueues:
    """The input queues of one program, over the rounds of its analysis."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.names = QueueNames()
        self.reasons: dict[Finding, Place | None] = {}  # why what is left cannot be rewritten, and where that stands
        self.found = self.dissolved = False
        project.plain_elements = self.names.plain

    def rewrite(self, facts: Facts, modules: dict[str, Frame]) -> bool:
        """One round; whether any text changed."""
        self.found = self.found or bool(facts.queues)
        if not self.found:
            return False
        self.reasons = {}
        calls = [c for c in facts.queues.values() if not c.uncalled and c.symbol != RUNNERS]
        if self._shared(facts):
            return False
        edits: dict[str, Edits] = {}
        sources = QueueSources(self.project, facts, self.names, edits)
        plain = [c for c in calls if c.symbol not in BATCHES]
        for call in sorted(plain, key=lambda c: not c.symbol.startswith("Reader.")):
            self._try(sources.write, call)
        if self._apply(edits):
            return True
        stages = QueueStages(self.project, facts, self.names, edits)
        batches = [c for c in calls if c.symbol in BATCHES]
        for first, second in _branches(batches):
            batches = [c for c in batches if c not in (first, second)]
            self._try(partial(stages.chosen, second=second), first)
        for call in batches:
            self._try(stages.batch, call)
        if self._apply(edits):
            return True
        for scope in list(facts.scopes.values()):
            if scope.node not in stages.between.queued and not edits:
                try:
                    stages.returned(scope)
                except Unsuited:
                    continue  # its body is put in the place of its calls, like that of other helpers
        if self._apply(edits):
            return True
        if _takers(facts, calls) and inline(self.project, facts, modules, _takers(facts, calls)):
            return True
        if not calls and not self.dissolved:
            self.dissolved = True
            if dissolve(self.project, facts):
                return True
        return self.dissolved and as_lists(self.project, facts, self.names)

    def _shared(self, facts: Facts) -> bool:
        """Whether several places take from one queue: then in no order."""
        for call in facts.queues.values():
            for made in call.statement.made:
                if isinstance(made, InputQueue) and made.expression is call.call and len(made.takers) > 1:
                    self._tell(call, call.call, "several places take from it, in no order")
        return bool(self.reasons)

    def _try(self, write: Callable[[QueueCall], None], call: QueueCall) -> None:
        try:
            write(call)
        except Unsuited as unsuited:
            self._tell(call, unsuited.node, unsuited.why)

    def _tell(self, call: QueueCall, node: cst.CSTNode, why: str) -> None:
        own = self.project.locate(call.call)
        place = self.project.locate(node) or own
        symbol = call.reader.symbol if call.reader is not None else f"tf.{call.symbol}"
        if place is not None:
            self.reasons[Finding("TFM118", Severity.ERROR, place, f"an input queue ({symbol}): {why}")] = own

    def _apply(self, edits: dict[str, Edits]) -> bool:
        changed = [edit.apply() for edit in edits.values()]
        return any(changed)

    def tell(self, plan: Plan) -> None:
        """Give the plan the reasons found here, and what was left out."""
        told = set(self.reasons.values())
        for finding in list(plan.refusals):
            if self.reasons and finding.code == "TFM118" and (finding.place in told or RUNNERS in finding.message):
                del plan.refusals[finding]  # the reasons say the same, and why
        plan.refusals.update(dict.fromkeys(self.reasons))
        message = "this prints an op of the graph itself, of which there is none any more; it is left out"
        plan.notes.update({Finding("TFM406", Severity.WARNING, place, message): None for place in self.names.left_out})


__all__ = ["InputQueues"]


def _branches(calls: list[QueueCall]) -> list[tuple[QueueCall, QueueCall]]:
    """Pairs of calls in the two branches of one condition."""
    found: dict[Statement, dict[str, list[QueueCall]]] = {}
    for call in calls:
        parent = call.statement.parent
        if parent is not None and isinstance(parent.node, cst.If) and isinstance(parent.node.orelse, cst.Else):
            found.setdefault(parent, {}).setdefault(call.statement.block, []).append(call)
    return [
        (sides["body"][0], sides["orelse"][0])
        for sides in found.values()
        if [len(sides.get(block, ())) for block in ("body", "orelse")] == [1, 1]
    ]


def _takers(facts: Facts, calls: list[QueueCall]) -> list[cst.FunctionDef]:
    """Functions that batch elements which their callers give them: their bodies go where the elements are made."""
    found: list[cst.FunctionDef] = []
    for call in calls:
        node = call.statement.scope.node
        if call.symbol in BATCHES and isinstance(node, cst.FunctionDef):
            given = {p.name.value for p in parameters(node.params)}
            step = [
                name
                for fact in facts.functions.get(node, ())
                for name, value in fact.arguments.items()
                if is_step(value)
            ]
            if given & set(step) and node not in found:
                found.append(node)
    return found
