"""What the verification said of one mutant."""

from __future__ import annotations

from dataclasses import dataclass

from mutation.mutants import Mutant, Subject

from tfmigrate.verify.results import Verdict


@dataclass(frozen=True)
class Outcome:
    """A mutant and its verdict. `word`: caught | survived for a break, right | alarm for what is equivalent.

    Only "differs" catches a break: "unverified" says that nothing was found out.
    """

    subject: Subject
    mutant: Mutant
    verdict: Verdict
    reason: str
    seconds: float

    @property
    def word(self) -> str:
        if self.mutant.equivalent:
            return "right" if self.verdict is Verdict.VERIFIED else "alarm"
        return "caught" if self.verdict is Verdict.DIFFERS else "survived"
