"""The findings that this stage emits."""

from __future__ import annotations

from tfmigrate.model import Reason

PLAN_REASONS: tuple[Reason, ...] = ()
