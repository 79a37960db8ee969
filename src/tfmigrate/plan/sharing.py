"""What several step functions compute alike becomes a function of its own (`forward`, `compute_losses`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tfmigrate.plan.planner import Planner


def share(planner: Planner) -> None:
    """Find the common beginnings of the step functions and plan functions for them."""
