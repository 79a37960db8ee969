"""Weights of recurrent cells, made where the network stood that made them in TensorFlow 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.facts import Statement
from tfmigrate.rewrite import nodes

if TYPE_CHECKING:
    from tfmigrate.rewrite.driver import DriverRewriter


def built(driver: DriverRewriter, statement: Statement) -> list[cst.BaseStatement]:
    """`cell.build(x_spec.shape)` of the cells that the statement calls first."""
    made: list[cst.BaseStatement] = []
    for cell, text in driver.plan.cell_builds.items():
        if cell.used is statement:
            line = nodes.statements(f"{text}\n")[0]
            driver.marks.scope(line)
            made.append(line)
    return made
