"""Input that no report may stumble over: nothing at all, hostile text, no numbers, far too many of them."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

from report import sample_data

from tfmigrate.model import (
    Conversion,
    FileResult,
    Finding,
    Options,
    Place,
    Program,
    Severity,
    SourceFile,
    SourceTree,
    Status,
)
from tfmigrate.verify.results import (
    Comparison,
    Growth,
    Interval,
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

HOSTILE = (
    "</script><script>alert(1)</script><img src=x onerror=alert(2)>\" onmouseover=alert(3) ' <!-- {{ 7*7 }} "
    "`|` @everyone https://example.org ]( \x1b[2J\r\n& \u202e"
)
UNICODE = "モデル/обучение/模型 é\u0301 𝔘.py"
LONG = "deeply/" * 60 + "n" * 400 + ".py"


def empty() -> Conversion:
    """A tree without a file."""
    return Conversion(SourceTree(Path("nothing"), ()), Options(), ())


def all_refused(n: int = 40) -> Conversion:
    """A tree in which every file is refused, for one or two reasons, one of them unknown to the registry."""
    files, results, programs = [], [], []
    for i in range(n):
        path = f"pkg/module_{i}.py"
        codes = ("TFM999", "TFM888") if i % 3 == 0 else ("TFM999",)
        found = tuple(Finding(c, Severity.ERROR, Place(path, 1 + i % 3, 1), f"{c} in {i}") for c in codes)
        files.append(SourceFile(path, "import tensorflow as tf\nx = tf.contrib.nothing()\n"))
        results.append(FileResult(path, Status.REFUSED, None, path, found))
        programs.append(Program(path, path, (path,), Status.REFUSED))
    return Conversion(SourceTree(Path("t"), tuple(files)), Options(), tuple(results), tuple(programs))


def named(name: str) -> tuple[Conversion, tuple[ScriptReport, ...]]:
    """A program whose every text is `name`, with a finding far beyond the end of its file."""
    before, after = f"x = 1  # {name}\nprint(x)\n", f"y = 2  # {name}\nprint(y)\n"
    found = tuple(Finding("TFM301", s, Place(name, line, 0), name) for s in Severity for line in (0, 1, 2, 99))
    result = FileResult(name, Status.NATIVE, after, name, found)
    program = Program(name, name, (name,), Status.NATIVE, packages=(name,))
    tree = SourceTree(Path("t"), (SourceFile(name, before),))
    report = ScriptReport(
        entry=name,
        verdict=Verdict.DIFFERS,
        reason=name,
        tiers=Tiers(Tier.FAIL, Tier.FAIL, Tier.FAIL),
        comparisons=(Comparison(name, name, 1, 1, 1.0, 1.0, 1e-5, 1e-6, False, note=name),),
        before=Side(name, 0, reason=name, command=name),
        after=Side(name, 1, reason=name, command=name),
        speedup_note=name,
        first_difference=name,
        evidence=name,
        unreached=(name,),
        variables=(VariableMatch(name, name, name, False, name),),
        series=(Series(name, name, (1, 2), (1.0, 2.0), (1.0, 2.5)),),
        advice=(name,),
        command=name,
    )
    return Conversion(tree, Options(), (result,), (program,)), (report,)


def without_numbers() -> ScriptReport:
    """A report in which every figure is NaN or infinite."""
    nan, inf = math.nan, math.inf
    interval = Interval(nan, -inf, inf)
    growth = Growth(nan, nan, nan, nan, nan, nan)
    timing = SiteTiming(4, nan, interval, interval, growth, (nan, inf, 1.0, nan), (nan,), (nan, inf), (1, 2, 3, 4))
    side = Side("tf1", 0, 4, interval, interval, growth, seconds=nan, peak_bytes=1, first_ms=inf)
    return ScriptReport(
        "nan.py",
        Verdict.DIFFERS,
        "nothing is a number",
        comparisons=(Comparison("loss", "nan.py:1", 1, 4, nan, inf, nan, nan, False, floor=nan),),
        before=side,
        after=side,
        speedup=interval,
        last_tenth=interval,
        sites=(SitePair("nan.py:1", "f", "call", True, "", 4, 4, timing, timing, interval, interval),),
        series=(
            Series("loss", "nan.py:1", (1, 2, 3), (nan, nan, nan), (inf, -inf, nan)),
            Series("cost", "nan.py:1", (1, 2, 3), (1e308, -1e308, 5e-324), (1e308, -1e308, nan)),
        ),
    )


def huge(points: int = 20_000) -> ScriptReport:
    """A report with series, comparisons and variables far beyond what a page can show."""
    report = sample_data.reports(1)[0]
    site = report.sites[0]
    series = tuple(10.0 + (i % 97) + (1_000.0 if i == points // 2 else 0.0) for i in range(points))
    assert site.before is not None
    timing = replace(
        site.before,
        steps=points,
        iteration_series=series,
        ops_series=series,
        steps_of_points=tuple(range(1, points + 1)),
    )
    return replace(
        report,
        sites=(replace(site, before=timing, after=timing),),
        comparisons=tuple(replace(report.comparisons[1], name=f"loss_{i}") for i in range(5_000)),
        variables=tuple(
            VariableMatch(f"layer_{i}/kernel", f"model.layers[{i}].kernel", "plan", True) for i in range(5_000)
        ),
        series=(Series("loss", "x:1", tuple(range(points)), series, series),),
    )


def odd() -> ScriptReport:
    """A report whose parts do not fit each other: series of different lengths, zero and negative times, one point."""
    timing = SiteTiming(3, None, Interval(0.0, 0.0, 0.0), None, None, (0.0, -1.0, 0.0), (), (0.0, 0.0), (5,))
    single = SiteTiming(1, 2.0, None, None, None, (2.0,), (), (7.0,), (1,))
    return ScriptReport(
        "odd.py",
        Verdict.VERIFIED,
        "",
        speedup=Interval(0.0, 0.0, 0.0),
        sites=(
            SitePair("odd.py:1", "", "call", True, "", 3, 1, timing, single),
            SitePair("odd.py:2", "f", "call", True, "", 1, 0, single, None),
        ),
        series=(Series("loss", "odd.py:1", (1, 2, 3), (1.0,), (1.0, 2.0)),),
    )
