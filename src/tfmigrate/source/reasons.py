"""The findings that this stage emits."""

from __future__ import annotations

from tfmigrate.model import Reason

SOURCE_REASONS: tuple[Reason, ...] = ()
