"""The verify document: what is written is read back, strictly as JSON."""

from __future__ import annotations

import json
import math

import pytest

from tfmigrate.errors import InputError
from tfmigrate.verify import schema
from tfmigrate.verify.results import (
    Comparison,
    Growth,
    Interval,
    Oracle,
    ScriptReport,
    Series,
    Side,
    SitePair,
    SiteTiming,
    Tier,
    Tiers,
    VariableMatch,
    Verdict,
)


def full_report(**changes: object) -> ScriptReport:
    timing = SiteTiming(
        3,
        9.5,
        Interval(1.0, 0.5, 2.0),
        Interval(1.0, 1.0, 1.0),
        Growth(0.1, 12.0, 0.05, 0.2),
        (1.0, 2.0),
        (0.5,),
        (10.0,),
        (1, 2),
    )
    values: dict[str, object] = {
        "entry": "a/train.py",
        "verdict": Verdict.DIFFERS,
        "reason": "loss differs",
        "tiers": Tiers(Tier.PASS, Tier.FAIL, Tier.NONE),
        "comparisons": (Comparison("loss", "a/train.py:7", 2, 50, math.inf, math.nan, 1e-5, 1e-6, False),),
        "before": Side("tf1 1.15.5", 0, 50, Interval(4.0, 3.0, 5.0)),
        "after": Side("tf2 2.21.0", 1, 20),
        "speedup": Interval(2.0, 1.5, 2.5),
        "sites": (SitePair("a/train.py:7", "train_step", "call", True, "a/train.py:9", 50, 50, timing, None),),
        "series": (Series("loss", "a/train.py:7", (1, 2), (1.0, math.nan), (1.0, 2.0)),),
        "variables": (VariableMatch("W", "W", "plan", True),),
        "oracles": (Oracle("tf1", "tf1 1.15.5", True, 0.0, 1e-6),),
    }
    values.update(changes)
    return ScriptReport(**values)  # type: ignore[arg-type]


def test_round_trip_keeps_every_field() -> None:
    text = schema.write([full_report()])
    (back,) = schema.read(text)
    assert repr(back) == repr(full_report())  # repr, because NaN is not equal to itself


def test_document_has_the_agreed_keys_and_no_nan_literal() -> None:
    def refuse(word: str) -> float:
        raise AssertionError(word)

    data = json.loads(schema.write([full_report()]), parse_constant=refuse)
    assert data["schema"] == 1
    script = data["scripts"][0]
    assert {"entry", "verdict", "reason", "tiers", "comparisons", "before", "after", "speedup"} <= set(script)
    assert script["verdict"] == "differs"
    assert script["tiers"] == {"interface": "pass", "numeric": "fail", "behaviour": "none"}
    assert {"name", "site", "first_step", "n", "max_abs", "max_rel", "rtol", "atol", "ok"} <= set(
        script["comparisons"][0]
    )
    assert script["comparisons"][0]["max_abs"] == "Infinity"
    assert {"runtime", "exit", "steps", "iteration_ms", "call_ms", "growth", "traces", "variables"} <= set(
        script["before"]
    )
    assert script["before"]["iteration_ms"] == {"median": 4.0, "low": 3.0, "high": 5.0}


def test_fields_of_a_later_version_are_ignored() -> None:
    data = schema.document([full_report()])
    data["scripts"][0]["colour"] = "blue"
    assert schema.read(json.dumps(data))[0].entry == "a/train.py"


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema": 1}', '{"schema": 2, "scripts": []}'])
def test_other_documents_are_an_input_error(text: str) -> None:
    with pytest.raises(InputError):
        schema.read(text)
