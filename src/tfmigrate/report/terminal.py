"""The report on a terminal: a table of programs, what differs and what to do next; plain lines in a pipe or a log.

Plain lines are one a program, with fields parted by two spaces and no drawing, so that they can be read and searched.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tfmigrate.model import Conversion
from tfmigrate.report import badges, shape
from tfmigrate.report.view import Badge, OverviewRow, ProgramCard, ReasonGroup, View
from tfmigrate.report.visible import one_line
from tfmigrate.verify.results import ScriptReport

MOST_REASONS = 8
WIDE = 100  # columns of a terminal that has room for all columns of the table
MOST_FAILED = 5
_COLOURS = {
    "verified": "green",
    "native": "green",
    "differs": "bold red",
    "refused": "red",
    "failed": "bold red",
    "unverified": "yellow",
    "bridged": "yellow",
    "unchanged": "dim",
}
_PADDING = " \u2007\u2008"


def show(console: Console, conversion: Conversion | None, reports: Sequence[ScriptReport]) -> None:
    """Prints the report to `console`, drawn on a terminal and plain elsewhere."""
    view = shape.view(conversion, reports, coloured=False)
    if console.is_terminal:
        _drawn(console, view)
    else:
        _plain(console, view)


def _drawn(console: Console, view: View) -> None:
    if view.rows:
        console.print(_table(view, wide=console.width >= WIDE))
    for card in view.programs:
        for line in _attention(card):
            console.print(line)
    if view.refusals:
        console.print(Text("Refused, and what to do", "bold"))
        for group in view.refusals[:MOST_REASONS]:
            console.print(_reason(group))
        if len(view.refusals) > MOST_REASONS:
            console.print(Text(f"… {len(view.refusals) - MOST_REASONS} more reasons, in the report", "dim"))
    for line in _closing(view):
        console.print(line)


def _table(view: View, *, wide: bool) -> Table:
    verified = any(r.verdict for r in view.rows)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim", show_edge=False)
    table.add_column("program", overflow="fold", ratio=None, min_width=16)
    table.add_column("verdict" if verified else "status", no_wrap=True)
    if verified:
        for name in ("before ms", "after ms", "speed-up", *(("growth a step", "agree") if wide else ())):
            table.add_column(name, justify="right", no_wrap=True)
    for row in view.rows:
        cells = [Text(one_line(row.entry)), _badge(row.verdict or row.status)]
        if verified:
            cells += [Text(row.before_ms), Text(row.after_ms), _speed(row)]
            cells += [Text(_growth(row)), Text(row.compared)] if wide else []
        table.add_row(*cells)
    return table


def _badge(badge: Badge | None) -> Text:
    return Text(f"{badges.SIGNS[badge.key]} {badge.label}", _COLOURS.get(badge.key, "")) if badge else Text("")


def _speed(row: OverviewRow) -> Text:
    return Text(f"{row.speedup} slower", "red") if row.slower else Text(row.speedup, "bold")


def _growth(row: OverviewRow) -> str:
    return row.growth_before if row.growth_before == row.growth_after else f"{row.growth_before} → {row.growth_after}"


def _attention(card: ProgramCard) -> list[Text]:
    """What a reader must know of a program that is not verified: reason, first difference, what failed, what helps."""
    if card.verdict is None or card.verdict.key == "verified":
        return []
    lines = [Text.assemble(_badge(card.verdict), " ", (one_line(card.entry), "bold"), f": {one_line(card.reason)}")]
    if card.first_difference:
        lines.append(Text(f"    first difference: {one_line(card.first_difference)}"))
    for c in card.failed[:MOST_FAILED]:
        since = f" from run {c.first_step} on" if c.first_step else ""
        note = f"; {one_line(c.note)}" if c.note else ""
        size = f"{c.max_abs} off, {c.max_rel} relative, allowed {c.tolerance}"
        lines.append(Text(f"    {one_line(c.name)}{since}: {size}{note}"))
    if len(card.failed) > MOST_FAILED:
        lines.append(Text(f"    … {len(card.failed) - MOST_FAILED} more comparisons beyond their tolerance"))
    lines += [Text(f"    → {one_line(a.text)}", "cyan") for a in card.advice]
    return lines


def _reason(group: ReasonGroup) -> Text:
    frees = f", frees {group.frees}" if group.frees else ""
    text = Text.assemble((f"  {group.code} ", "bold"), f"{one_line(group.title)} ")
    text.append(f"({len(group.findings)} in {group.files} {'file' if group.files == 1 else 'files'}{frees})", "dim")
    first = group.findings[0]
    text.append(f"\n    {one_line(first.place)}: {one_line(first.message)}")
    if group.advice:
        text.append(f"\n    → {one_line(group.advice)}", "cyan")
    return text


def _closing(view: View) -> list[Text]:
    lines = [Text(view.lead, "bold")]
    if view.speedup:
        lines.append(Text(f"{view.speedup.name} {view.speedup.after} ({view.speedup.remark})"))
    return lines


def _plain(console: Console, view: View) -> None:
    lines: list[str] = []
    for row in view.rows:
        lines.append("  ".join(part for part in _fields(row) if part))
    for card in view.programs:
        lines += [line.plain for line in _attention(card)]
    for group in view.refusals:
        lines += [f"{one_line(f.place)}: {group.code} {one_line(f.message)}" for f in group.findings]
        if group.advice:
            lines.append(f"    {group.code}: {one_line(group.advice)}")
    lines += [line.plain for line in _closing(view)]
    for line in lines:
        console.print(Text(line), soft_wrap=True)


def _fields(row: OverviewRow) -> list[str]:
    badge = row.verdict or row.status
    fields = [one_line(row.entry), badge.label if badge else ""]
    if row.timed:
        fields += [
            f"before {row.before_ms.strip(_PADDING)} ms",
            f"after {row.after_ms.strip(_PADDING)} ms",
            f"growth {_growth(row)}",
            f"speed-up {row.speedup}{' (slower)' if row.slower else ''}",
            f"agree {row.compared}",
        ]
    return fields
