"""Compare one legacy run with one run of the converted program, and measure the noise floor between two legacy runs.
Pure: no process is started.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from tfmigrate.model import Program
from tfmigrate.verify.compare import compare_values, count_columns, measure_columns
from tfmigrate.verify.output import compare_output, printed
from tfmigrate.verify.pairing import Pairing, pair
from tfmigrate.verify.recorded import Recorded
from tfmigrate.verify.tolerance import Allowance, Floor, Tolerance, judge_floor
from tfmigrate.verify.variables import compare_variables, measure_variables, same_start
from tfmigrate.verify.verdict import Evidence
from tfmigrate.verify.written import compare_checkpoints, compare_files, compare_summaries


def measure_floor(pairing: Pairing, reference: Recorded, other: Recorded, *, rounding: bool) -> Floor:
    """The floor between two legacy runs. `rounding`: they are known to differ by rounding (another oracle, moved
    initial values).
    """
    if not same_start(reference, other):
        return Floor(note="the two legacy runs begin from other initial values: no noise floor")
    counts = count_columns(pairing, reference)
    columns, variables = measure_columns(pairing, reference, other), measure_variables(reference, other)
    floor = judge_floor(columns, variables, rounding, counts)
    if rounding and not floor.largest and not any(v != (0.0, 0.0) for v in variables.values()):
        return replace(floor, informative=False)  # whatever was meant to differ did not: a mere repetition
    return floor


def gather(
    before: Recorded,
    after: Recorded,
    program: Program | None,
    floors: Sequence[Floor] = (),
    repetitions: Sequence[str] = (),
    pairing: Pairing | None = None,
) -> Evidence:
    """Everything that the two runs have in common or not. `repetitions` are outputs of other legacy runs."""
    sites = program.sites if program is not None else None
    pairing = pairing if pairing is not None else pair(before.trace, after.trace, sites)
    tolerance = Tolerance(tuple(floors))
    values = compare_values(pairing, before, after, tolerance)
    plan = program.variables if program is not None else ()
    variables = compare_variables(before, after, plan, tolerance, pairing.paired)
    last = max(pairing.paired, 1)

    def allowance(share: float) -> Allowance:
        return tolerance.output(max(1, math.ceil(share * last)))

    output = compare_output(printed(before.trace), printed(after.trace), allowance, repetitions, values.tied)
    paths = {p.legacy_name: p.object_path for p in plan}
    files, notes = compare_files(before, after, allowance)
    rest = [
        output.comparison,
        *compare_summaries(before.trace.summaries, after.trace.summaries, allowance),
        *compare_checkpoints(before, after, variables.matched, allowance, paths),
        *files,
    ]
    return Evidence(
        before.trace,
        after.trace,
        pairing,
        values,
        variables,
        tuple(rest),
        (*pairing.notes, *values.notes, *variables.notes, *notes),
    )
