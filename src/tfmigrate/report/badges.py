"""Verdicts, statuses and tiers as badges: the word that a reader sees, and the sign a plain text puts before it."""

from __future__ import annotations

from tfmigrate.model import Status
from tfmigrate.report.view import Badge
from tfmigrate.verify.results import Tier, Verdict

SIGNS = {
    "verified": "✓",
    "differs": "✗",
    "unverified": "?",
    "native": "✓",
    "bridged": "~",
    "refused": "✗",
    "unchanged": "·",
    "failed": "!",
    "pass": "✓",
    "fail": "✗",
    "none": "–",
}
VERDICTS = tuple(Badge(v.value, v.value) for v in Verdict)
STATUSES = tuple(Badge(s.value, s.value) for s in Status)
TIER_NAMES = ("interface", "numeric", "behaviour")


def of_verdict(verdict: Verdict) -> Badge:
    """The badge of a verdict."""
    return Badge(verdict.value, verdict.value)


def of_status(status: Status) -> Badge:
    """The badge of a file's or a program's status."""
    return Badge(status.value, status.value)


def of_tier(tier: Tier) -> Badge:
    """The badge of a tier's outcome."""
    return Badge(tier.value, {"pass": "pass", "fail": "fail", "none": "not compared"}[tier.value])
