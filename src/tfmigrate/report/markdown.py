"""The report as Markdown for a pull request's comment: what a reviewer must know first, the rest folded away.

Text from programs and findings is escaped: it can neither open markup nor mention anyone. A comment may hold 65,536
characters; where the report is longer, details of the last programs are left out and it says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tfmigrate.model import Conversion
from tfmigrate.report import badges, figures, shape
from tfmigrate.report.view import Advice, Badge, ComparisonRow, OverviewRow, ProgramCard, ReasonGroup, View
from tfmigrate.report.visible import one_line
from tfmigrate.verify.results import ScriptReport

LARGEST = 60_000
MOST_PLACES = 12
MOST_COMPARISONS = 40
_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+!|~>-])")
_WORDS = {"verified": "✅", "differs": "❌", "unverified": "❔", "native": "✅", "refused": "❌", "failed": "❌"}


def render(conversion: Conversion | None, reports: Sequence[ScriptReport], *, title: str = "tfmigrate report") -> str:
    """The report as GitHub-flavoured Markdown."""
    view = shape.view(conversion, reports, title=title, coloured=False)
    parts = [f"## {escape(view.title)}", escape(view.lead), _counts(view), _table(view.rows), _next(view.next_steps)]
    details = [_program(card) for card in view.programs if card.verdict]
    tail = [_refusals(view.refusals), _notes(view.notes), _signatures(view), f"<sub>{escape(view.tool)}</sub>"]
    room = LARGEST - sum(len(p) + 2 for p in (*parts, *tail))
    kept: list[str] = []
    for text in details:
        room -= len(text) + 2
        if room < 0:
            left = len(details) - len(kept)
            kept.append(f"_Details of {figures.plural(left, 'program')} left out: see the HTML or JSON report._")
            break
        kept.append(text)
    return "\n\n".join(p for p in (*parts, *kept, *tail) if p) + "\n"


def escape(text: str) -> str:
    """Plain text for a line of Markdown: no markup, no HTML, no mention, no line end."""
    safe = _SPECIAL.sub(r"\\\1", one_line(text).replace("&", "&amp;").replace("<", "&lt;"))
    return safe.replace("@", "@\u200b").replace("://", ":\u200b//")


def code(text: str, *, cell: bool = False) -> str:
    """A code span that holds any text; in a table's cell a bar needs a backslash."""
    inside = one_line(text)
    if cell:
        inside = inside.replace("|", "\\|")
    longest = max((len(run) for run in re.findall(r"`+", inside)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if inside.startswith("`") or inside.endswith("`") else ""
    return f"{fence}{pad}{inside}{pad}{fence}" if inside else ""


def _badge(badge: Badge | None) -> str:
    return f"{_WORDS.get(badge.key, '')} {badge.label}".strip() if badge else ""


def _counts(view: View) -> str:
    groups = [
        " · ".join(f"{s.count} {s.badge.label}" for s in shares) for shares in (view.verdicts, view.statuses) if shares
    ]
    lines = [f"**{name}**: {text}" for name, text in zip(_names(view), groups, strict=True)]
    if view.speedup:
        lines.append(f"**{view.speedup.name}**: {view.speedup.after} ({view.speedup.remark})")
    return "  \n".join(lines)


def _names(view: View) -> list[str]:
    return [name for name, shares in (("Verdicts", view.verdicts), ("Files", view.statuses)) if shares]


def _table(rows: Sequence[OverviewRow]) -> str:
    if not rows:
        return ""
    if not any(r.verdict for r in rows):
        return _grid(("Program", "Status"), "l", [(code(r.entry, cell=True), _badge(r.status)) for r in rows])
    head = ("Program", "Verdict", "Before, ms a step", "After, ms a step", "Growth a step", "Speed-up", "Agree")
    body = [
        (
            code(r.entry, cell=True),
            _badge(r.verdict or r.status),
            r.before_ms.strip(_PADDING),
            r.after_ms.strip(_PADDING),
            r.growth_before if r.growth_before == r.growth_after else f"{r.growth_before} → {r.growth_after}",
            f"{r.speedup} slower" if r.slower else r.speedup,
            r.compared,
        )
        for r in rows
    ]
    return _grid(head, "llrrrrr", body)


_PADDING = " \u2007\u2008"


def _grid(head: Sequence[str], sides: str, body: Iterable[Sequence[str]]) -> str:
    marks = ["---:" if (sides[i] if i < len(sides) else "l") == "r" else ":---" for i in range(len(head))]
    lines = [head, marks, *body]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _next(steps: Sequence[Advice]) -> str:
    if not steps:
        return ""
    lines = [f"- {code(a.text) if a.command else escape(a.text)}" for a in steps[:8]]
    return "\n".join(["**To settle what is unverified**", "", *lines])


def _program(card: ProgramCard) -> str:
    head = f"{badges.SIGNS[card.verdict.key]} <code>{_html(card.entry)}</code>" if card.verdict else _html(card.entry)
    lines = [f"<details{' open' if card.failed else ''}>", f"<summary>{head}: {_html(card.reason)}</summary>", ""]
    if card.first_difference:
        lines += [f"**First difference**: {escape(card.first_difference)}", ""]
    if card.tiers:
        lines += [" · ".join(f"{name}: {_tier(b)}" for name, b in card.tiers), ""]
    if card.stats:
        lines += [*(f"- {s.name}: {_value(s.before, s.after)} ({escape(s.remark)})" for s in card.stats), ""]
    if card.comparisons:
        lines += [_comparisons(card.comparisons[:MOST_COMPARISONS]), ""]
        if len(card.comparisons) > MOST_COMPARISONS:
            lines += [f"{len(card.comparisons) - MOST_COMPARISONS} more.", ""]
    if card.unreached:
        lines += [f"Not reached in this run: {', '.join(code(u) for u in card.unreached)}", ""]
    lines += [f"- {code(a.text) if a.command else escape(a.text)}" for a in card.advice]
    if card.command:
        lines += ["", f"Run again: {code(card.command)}"]
    return "\n".join([*lines, "", "</details>"])


def _tier(badge: Badge) -> str:
    return f"**{badge.label}**" if badge.key == "fail" else badge.label


def _value(before: str, after: str) -> str:
    return f"{before} → {after}" if before else after


def _comparisons(rows: Sequence[ComparisonRow]) -> str:
    head = ("", "What", "Site", "Numbers", "Max. difference", "Max. relative", "Tolerance", "First off")
    body = [
        (
            "✓" if c.ok else "✗",
            f"{code(c.name, cell=True)} {c.kind}" + (f"<br>{escape(c.note)}" if c.note else ""),
            code(c.site, cell=True),
            c.n,
            c.max_abs,
            c.max_rel,
            c.tolerance,
            f"run {c.first_step}" if c.first_step else "",
        )
        for c in rows
    ]
    return _grid(head, "lllrrrrr", body)


def _refusals(groups: Sequence[ReasonGroup]) -> str:
    if not groups:
        return ""
    return "\n\n".join(["### Refused, and what to do", *(_reason(g) for g in groups)])


def _notes(groups: Sequence[ReasonGroup]) -> str:
    if not groups:
        return ""
    number = sum(len(g.findings) for g in groups)
    head = f"<details>\n<summary>{figures.plural(number, 'note')}</summary>"
    return "\n\n".join([head, *(_reason(g) for g in groups), "</details>"])


def _reason(group: ReasonGroup) -> str:
    places = f"{figures.plural(len(group.findings), 'place')} in {figures.plural(group.files, 'file')}"
    frees = f", the only obstacle of {group.frees}" if group.severity == "error" and group.frees else ""
    lines = [f"**{escape(group.code)} {escape(group.title)}** ({places}{frees})  ", escape(group.sentence)]
    if group.advice:
        lines.append(f"  \nWhat to do: {escape(group.advice)}")
    lines.append("")
    lines += [f"- {code(f.place)} {escape(f.message)}" for f in group.findings[:MOST_PLACES]]
    if len(group.findings) > MOST_PLACES:
        lines.append(f"- … {len(group.findings) - MOST_PLACES} more")
    return "\n".join(lines)


def _signatures(view: View) -> str:
    if not view.signatures:
        return ""
    lines = [f"- {code(s.before)} → {code(s.after)} ({code(s.place)})" for s in view.signatures]
    return "\n".join(["**Public signatures that changed**", "", *lines])


def _html(text: str) -> str:
    safe = one_line(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    return _SPECIAL_IN_HTML.sub(lambda m: f"&#{ord(m[0])};", safe).replace("@", "@\u200b").replace("://", ":\u200b//")


_SPECIAL_IN_HTML = re.compile(r"[*_`\[\]\\|~]")
