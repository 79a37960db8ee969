"""Every finding's code, gathered from the stages that emit them.

TFM0xx input, TFM1xx refused constructs, TFM2xx API symbols without a counterpart, TFM3xx what grows the graph,
TFM4xx oddities of the legacy program that are kept and told, TFM5xx notes about the result, TFM9xx our own faults.
"""

from __future__ import annotations

from tfmigrate.model import Reason
from tfmigrate.plan.reasons import PLAN_REASONS
from tfmigrate.rules.reasons import RULE_REASONS
from tfmigrate.source.reasons import SOURCE_REASONS


def _gather(*groups: tuple[Reason, ...]) -> dict[str, Reason]:
    found: dict[str, Reason] = {}
    for reason in (r for group in groups for r in group):
        if reason.code in found:
            raise ValueError(f"{reason.code} is registered twice")
        found[reason.code] = reason
    return dict(sorted(found.items()))


REASONS = _gather(SOURCE_REASONS, PLAN_REASONS, RULE_REASONS)
