"""The charts of a program: step time and graph size over steps, and scalar results before and after on each other."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence

from tfmigrate.report import charts, figures
from tfmigrate.report.anchors import Anchors
from tfmigrate.report.charts import Chart, Line
from tfmigrate.report.view import Figure
from tfmigrate.verify.results import Comparison, Growth, ScriptReport, Series, SitePair, SiteTiming

MOST_SITES = 3
MOST_SERIES = 2
_FEWEST = 4  # points that make a line worth drawing
_TELLING_GROWTH = 0.2  # of the median step time, over the whole run: less is no finding to head a chart with
_TABLE_ROWS = 8
_TELLING = ("loss", "cost", "error", "entropy", "likelihood", "reward", "accuracy")
_OUTLIER = 3.0  # a first point this many times above the median of those soon after it is a start-up, not a step
_SOON = 10


def of(report: ScriptReport, anchors: Anchors) -> tuple[Figure, ...]:
    """The report's figures, the most telling first."""
    timed = sorted((s for s in report.sites if _timed(s)), key=lambda s: -_whole_time(s))[:MOST_SITES]
    made: list[Figure | None] = []
    for index, site in enumerate(timed):
        several = len(timed) > 1
        made.append(_step_time(site, report, anchors, several))
        if index == 0:
            made.append(_graph_size(site, report, anchors))
    made += [_overlay(s, report, anchors) for s in _telling(report)]
    return tuple(f for f in made if f is not None)


def _timed(site: SitePair) -> bool:
    return any(side is not None and len(side.iteration_series) >= _FEWEST for side in (site.before, site.after))


def _whole_time(site: SitePair) -> float:
    side = site.before or site.after
    return sum(v for v in side.iteration_series if figures.is_number(v)) if side else 0.0


def _steps(side: SiteTiming, series: Sequence[float]) -> tuple[float, ...]:
    if len(side.steps_of_points) == len(series):
        return tuple(float(s) for s in side.steps_of_points)
    return tuple(float(i + 1) for i in range(len(series)))


def _lines(site: SitePair, attribute: str, *, drop_start: bool) -> tuple[list[Line], list[str]]:
    lines, left_out = [], []
    for key, side in (("before", site.before), ("after", site.after)):
        series: tuple[float, ...] = getattr(side, attribute) if side else ()
        if side is None or not any(figures.is_number(v) and v > 0 for v in series):
            continue
        steps = _steps(side, series)
        rest = [v for v in series[1:_SOON] if figures.is_number(v)]
        if (
            drop_start
            and len(rest) > 3
            and figures.is_number(series[0])
            and series[0] > _OUTLIER * statistics.median(rest)
        ):
            left_out.append(f"{figures.milliseconds(series[0])} {key}")
            series, steps = series[1:], steps[1:]
        lines.append(Line(key, key, steps, series))
    return lines, left_out


def _step_time(site: SitePair, report: ScriptReport, anchors: Anchors, several: bool) -> Figure | None:
    lines, left_out = _lines(site, "iteration_series", drop_start=True)
    chart = charts.draw(lines, unit_of="ms")
    if chart is None:
        return None
    scale = ", logarithmic scale" if chart.y_axis.log else ""
    start = f" The first step is not drawn ({', '.join(left_out)})." if left_out else ""
    where = f" at {figures.site(site.site, report.entry)}" if site.site else ""
    where += f" ({site.name})" if where and site.name else ""
    return Figure(
        anchor=anchors.give("step-time", report.entry),
        title=(f"{site.name}: " if several and site.name else "") + _step_time_title(site),
        caption=f"From one step to the next{where}{scale}.{_thinned(chart)}{start}",
        chart=chart,
        y_label="time a step",
        description=f"Line chart of step time over steps. {_summary(site)}",
        columns=("step", *(line.label for line in lines)),
        table=_table(lines, figures.milliseconds),
        unit="ms",
    )


def _step_time_title(site: SitePair) -> str:
    before = site.before.growth if site.before else None
    after = site.after.growth if site.after else None
    if before is not None and before.slows and site.before is not None and _tells(site.before, before):
        head = f"Each step took {figures.milliseconds(before.ms_per_step)} longer than the last"
        if after is None:
            return head
        return f"{head}; {'it still grows' if after.slows else 'now the time is flat'}"
    return f"Step time: {_summary(site)}"


def _tells(side: SiteTiming, growth: Growth) -> bool:
    median = side.iteration_ms.median if side.iteration_ms else 0.0
    return growth.ms_per_step * side.steps >= _TELLING_GROWTH * median


def _summary(site: SitePair) -> str:
    parts = []
    for key, side in (("before", site.before), ("after", site.after)):
        if side is not None and side.iteration_ms is not None:
            parts.append(f"{figures.milliseconds(side.iteration_ms.median)} {key}")
    return ", ".join(parts) or "not measured on both sides"


def _graph_size(site: SitePair, report: ScriptReport, anchors: Anchors) -> Figure | None:
    lines, _ = _lines(site, "ops_series", drop_start=False)
    chart = charts.draw(lines)
    if chart is None:
        return None
    scale = ", logarithmic scale" if chart.y_axis.log else ""
    return Figure(
        anchor=anchors.give("graph-size", report.entry),
        title=_graph_title(site, lines),
        caption=f"Operations in the graph after each step{scale}.",
        chart=chart,
        y_label="operations",
        description="Line chart of the number of operations in the graph over steps. "
        + "; ".join(f"{s.label}: {_whole(s.y[0])} to {_whole(s.y[-1])}" for s in lines),
        columns=("step", *(line.label for line in lines)),
        table=_table(lines, _whole),
    )


def _thinned(chart: Chart) -> str:
    return " Lines are medians, bands all values." if any(line.band for line in chart.lines) else ""


def _graph_title(site: SitePair, lines: Sequence[Line]) -> str:
    growth = site.before.growth if site.before else None
    if growth is not None and growth.ops_low > 0:
        head = f"The graph grew by {figures.significant(growth.ops_per_step)} operations a step"
        after = site.after.growth if site.after else None
        if after is None:
            return head
        return f"{head}; {'it still grows' if after.ops_low > 0 else 'now it does not'}"
    return "Operations: " + ", ".join(f"{_whole(s.y[-1])} {s.label}" for s in lines)


def _telling(report: ScriptReport) -> list[Series]:
    """The series to draw: those that differ first, then the losses; beside the first one only those that differ."""
    off = {(c.name, c.site) for c in report.comparisons if not c.ok}

    def differs(s: Series) -> bool:
        return (s.name, s.site) in off

    def rank(s: Series) -> tuple[bool, int]:
        return not differs(s), next((i for i, word in enumerate(_TELLING) if word in s.name.lower()), len(_TELLING))

    ranked = sorted((s for s in report.series if len(s.steps) > 1), key=rank)
    return [s for i, s in enumerate(ranked[:MOST_SERIES]) if i == 0 or differs(s)]


def _overlay(series: Series, report: ScriptReport, anchors: Anchors) -> Figure | None:
    steps = tuple(float(s) for s in series.steps)
    lines = [Line("before", "before", steps, series.before), Line("after", "after", steps, series.after)]
    chart = charts.draw(lines, zero=False)
    if chart is None:
        return None
    found = next((c for c in report.comparisons if (c.name, c.site) == (series.name, series.site)), None)
    scale = ", logarithmic scale" if chart.y_axis.log else ""
    where = f" at {figures.site(series.site, report.entry)}" if series.site else ""
    return Figure(
        anchor=anchors.give("series", report.entry, series.name),
        title=_overlay_title(series, found),
        caption=f"{series.name}{where}, after (thin) drawn on before (broad){scale}.",
        chart=chart,
        y_label=series.name,
        description=f"Line chart of {series.name} over steps, before and after. {_overlay_title(series, found)}",
        columns=("step", "before", "after"),
        table=_table(lines, lambda v: figures.significant(v, 6)),
        overlay=True,
    )


def _overlay_title(series: Series, found: Comparison | None) -> str:
    if found is None:
        return f"{series.name}, before and after"
    if not found.ok:
        since = f" from run {found.first_step} on" if found.first_step else ""
        return f"{series.name} differs{since}"
    if found.max_rel == 0:
        return f"{series.name} is identical"
    return f"{series.name} agrees to {figures.difference(found.max_rel)}"


def _whole(value: float) -> str:
    return figures.count(round(value)) if figures.is_number(value) else figures.MISSING


def _table(lines: Sequence[Line], show: Callable[[float], str]) -> tuple[tuple[str, ...], ...]:
    by_step: dict[float, dict[str, float]] = {}
    for line in lines:
        for step, value in zip(line.x, line.y, strict=False):
            by_step.setdefault(step, {})[line.key] = value
    steps = sorted(by_step)
    if len(steps) > _TABLE_ROWS:
        steps = [steps[round(i * (len(steps) - 1) / (_TABLE_ROWS - 1))] for i in range(_TABLE_ROWS)]
    rows = []
    for step in steps:
        values = [by_step[step].get(line.key) for line in lines]
        rows.append((f"{step:g}", *(show(v) if figures.is_number(v) else figures.MISSING for v in values)))
    return tuple(rows)
