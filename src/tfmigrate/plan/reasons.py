"""The findings of analysis, plan and rewriting: refused constructs, what grows the graph, oddities, notes."""

from __future__ import annotations

from tfmigrate.model import Reason, Severity
from tfmigrate.plan.api_reasons import API
from tfmigrate.plan.growth_reasons import GROWTH
from tfmigrate.plan.replication.reasons import REPLICAS
from tfmigrate.plan.structure_reasons import STRUCTURE
from tfmigrate.plan.value_reasons import VALUES

_E, _W, _I = Severity.ERROR, Severity.WARNING, Severity.INFO
_BY_HAND = "Rewrite the part by hand, or keep the file as it is; the rest of the tree is converted without it."

_NOTES = (
    ("TFM320", _W, "TensorFlow 1", "`tfmigrate check` found a symbol or an import that TensorFlow 2 does not have."),
    (
        "TFM406",
        _W,
        "Printed op",
        "The program prints an op of the graph itself; there is none any more, so the print is left out.",
    ),
    (
        "TFM407",
        _W,
        "Averages beside training",
        "TensorFlow 1 moves averages and trains in no order here; the first one of the source comes first now.",
    ),
    (
        "TFM408",
        _W,
        "Summary of a variable beside its update",
        "TensorFlow 1 reads the variable for the summary and updates it in no order; it is read first now.",
    ),
    ("TFM502", _W, "Run options", "Run options and metadata have no counterpart; use the profiler."),
    ("TFM503", _I, "Never run", "Nothing that is run needs this; it is left out."),
    (
        "TFM504",
        _W,
        "Share of GPU memory",
        "A share of the GPU's memory has no counterpart; set a limit in megabytes with a logical device.",
    ),
    ("TFM900", _E, "Internal error", "tfmigrate failed on this program; the file is copied unchanged."),
    ("TFM901", _E, "Text does not parse", "The text written does not parse; the file is copied unchanged."),
)

PLAN_REASONS: tuple[Reason, ...] = (
    *(
        Reason(code, title, _E, sentence, example, advice or _BY_HAND)
        for code, title, sentence, example, advice in (*STRUCTURE, *VALUES, *API, *REPLICAS)
    ),
    *(
        Reason(code, title, _W, sentence + " Every step is slower than the last.", advice=advice)
        for code, title, sentence, advice in GROWTH
    ),
    *(Reason(code, title, severity, sentence) for code, severity, title, sentence in _NOTES),
)
