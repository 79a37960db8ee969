"""The exception by which a stage gives up on one construct."""

from __future__ import annotations

import libcst as cst


class Refusal(Exception):
    """The program cannot be converted: a code and the particulars, with the place."""

    def __init__(self, code: str, node: cst.CSTNode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.node = node
        self.message = message
