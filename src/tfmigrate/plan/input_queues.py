"""Rewrites input queues as tf.data pipelines before the program is analysed anew, in rounds.

Threads that fill queues beside the steps become datasets that steps take elements from: one element in each run that
needs it. First the queues' sources become datasets, then what batches and shuffles their elements stages of these, then
functions that return elements return datasets; at the end the Coordinator of the threads is dissolved. The elements'
order is the legacy one wherever that was determined: with one thread and without shuffling.

What it does not model: queues that the program fills itself, several threads that read in an order of their own
(`batch_join`), elements that are taken both one by one and in batches.
"""

from __future__ import annotations

from collections.abc import Callable

from tfmigrate.analysis.api_queues import BATCHES, QueueCall
from tfmigrate.analysis.facts import Facts
from tfmigrate.analysis.project import Project
from tfmigrate.model import Finding, Severity
from tfmigrate.plan.coordinators import dissolve
from tfmigrate.plan.program import Plan
from tfmigrate.plan.queue_sources import QueueNames, QueueSources, Unsuited
from tfmigrate.plan.queue_stages import QueueStages
from tfmigrate.plan.statement_edits import Edits

RUNNERS = "train.start_queue_runners"


class InputQueues:
    """The input queues of one program, over the rounds of its analysis."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.names = QueueNames()
        self.reasons: list[Finding] = []  # why what is left of the queues cannot be rewritten
        self.found = self.dissolved = False

    def rewrite(self, facts: Facts) -> bool:
        """One round; whether any text changed."""
        self.found = self.found or bool(facts.queues)
        if not self.found:
            return False
        self.reasons = []
        calls = [c for c in facts.queues.values() if not c.uncalled and c.symbol != RUNNERS]
        edits: dict[str, Edits] = {}
        sources = QueueSources(self.project, facts, self.names, edits)
        plain = [c for c in calls if c.symbol not in BATCHES]
        for call in sorted(plain, key=lambda c: not c.symbol.startswith("Reader.")):
            self._try(sources.write, call)
        if self._apply(edits):
            return True
        stages = QueueStages(self.project, facts, self.names, edits)
        for call in calls:
            if call.symbol in BATCHES:
                self._try(stages.batch, call)
        if self._apply(edits):
            return True
        waiting = {c.statement.scope for c in calls}
        for scope in list(facts.scopes.values()):
            if scope not in waiting and not edits:
                try:
                    stages.returned(scope)
                except Unsuited:
                    continue  # its body is put in the place of its calls, like that of other helpers
        if self._apply(edits):
            return True
        if not calls and not self.dissolved:
            self.dissolved = True
            return dissolve(self.project, facts)
        return False

    def _try(self, write: Callable[[QueueCall], None], call: QueueCall) -> None:
        try:
            write(call)
        except Unsuited as unsuited:
            place = self.project.locate(unsuited.node) or self.project.locate(call.call)
            if place is not None:
                symbol = call.reader.symbol if call.reader is not None else f"tf.{call.symbol}"
                message = f"an input queue ({symbol}): {unsuited.why}"
                self.reasons.append(Finding("TFM118", Severity.ERROR, place, message))

    def _apply(self, edits: dict[str, Edits]) -> bool:
        changed = [edit.apply() for edit in edits.values()]
        return any(changed)

    def tell(self, plan: Plan) -> None:
        """Give the plan's refusals the reasons found here."""
        plan.refusals.update(dict.fromkeys(self.reasons))


__all__ = ["InputQueues"]
