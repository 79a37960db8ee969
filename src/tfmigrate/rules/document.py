"""Writes docs/rules.md, docs/coverage.md and docs/reasons.md: `python -m tfmigrate.rules.document [FOLDER]`.

All three come from the rules' docstrings, the tables and the reasons; a test tells when they are out of date.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from pathlib import Path

from tfmigrate.reasons import REASONS
from tfmigrate.rules.base import Rule
from tfmigrate.rules.coverage import Standing, standing, symbols_of_1_15
from tfmigrate.rules.engine import rules
from tfmigrate.rules.examples import describe
from tfmigrate.rules.renames import RENAMES

_HEAD = "<!-- Written by `python -m tfmigrate.rules.document`: change the rules, not this page. -->\n\n"


def rules_page() -> str:
    """The rules by theme, with their examples, and the table of renames."""
    themes: defaultdict[str, dict[str, Rule]] = defaultdict(dict)
    for rule in rules().values():
        module = type(rule).__module__.split(".")
        themes[module[2]][".".join(module[2:]) + "." + type(rule).__name__] = rule
    parts = [_HEAD, "# Rules\n\nEach rule rewrites the calls of a few symbols of TensorFlow 1.15.\n"]
    for theme in sorted(themes):
        parts.append(f"\n## {theme}\n")
        for name, rule in sorted(themes[theme].items()):
            parts.append(_rule(name, rule))
    parts.append("\n## Renamed symbols and arguments\n\n| 1.15 | TensorFlow 2 | arguments |\n|---|---|---|\n")
    for row in sorted(RENAMES.values(), key=lambda row: row.symbol):
        changes = [f"`{old}` → `{new}`" for old, new in row.arguments.items()] + [
            f"`{name}` left out" for name in row.dropped
        ]
        parts.append(f"| `tf.{row.symbol}` | `tf.{row.target}` | {', '.join(changes)} |\n")
    return "".join(parts)


def _rule(name: str, rule: Rule) -> str:
    description = describe(rule)
    examples = "\n\n".join(f"# before\n{before}\n# after\n{after}" for before, after in description.pairs)
    listed = ", ".join(f"`tf.{symbol}`" for symbol in rule.symbols)
    details = f"\n{description.details}\n" if description.details else ""
    return (
        f"\n### {name.rpartition('.')[2]}\n\n{description.summary}\n{details}\n```python\n{examples}\n```\n\n"
        f"Symbols: {listed}.\nSource: {description.source}\n"
    )


def coverage_page() -> str:
    """How many symbols of each module have which standing, and which ones are refused."""
    by_module: defaultdict[str, Counter[Standing]] = defaultdict(Counter)
    refused: defaultdict[str, list[str]] = defaultdict(list)
    for name in symbols_of_1_15():
        found, code = standing(name)
        module = ".".join(["tf", *name.split(".")[:-1]])
        by_module[module][found] += 1
        if found is Standing.REFUSED:
            refused[code].append(f"`tf.{name}`")
    head = " | ".join(standing.value for standing in Standing)
    parts = [_HEAD, "# Coverage of TensorFlow 1.15's functions and classes\n\n"]
    parts += [f"- *{standing.value}*: {standing.meaning}\n" for standing in Standing]
    parts.append(f"\n| module | {head} |\n|---|{'---:|' * len(Standing)}\n")
    for module in sorted(by_module):
        parts.append(f"| `{module}` | " + " | ".join(str(by_module[module][s] or "") for s in Standing) + " |\n")
    total: Counter[Standing] = sum(by_module.values(), Counter())
    parts.append("| **all** | " + " | ".join(str(total[s]) for s in Standing) + " |\n\n## Refused\n")
    for code in sorted(refused):
        parts.append(f"\n{code} ({REASONS[code].title.lower()}): {', '.join(sorted(refused[code]))}\n")
    return "".join(parts)


def reasons_page() -> str:
    """Every finding with its code, an example and what to do."""
    parts = [_HEAD, "# Reasons\n\nEvery finding has a code; `tfmigrate explain CODE` prints its entry.\n"]
    for reason in REASONS.values():
        parts.append(f"\n## {reason.code}: {reason.title}\n\n*{reason.severity.value}.* {reason.sentence}\n")
        if reason.example:
            parts.append(f"\n```python\n{reason.example}\n```\n")
        if reason.advice:
            parts.append(f"\nWhat to do: {reason.advice}\n")
        if reason.source:
            parts.append(f"\nSource: {reason.source}\n")
    return "".join(parts)


def pages() -> dict[str, str]:
    """The pages by file name."""
    return {"rules.md": rules_page(), "coverage.md": coverage_page(), "reasons.md": reasons_page()}


def main() -> None:
    """Write the pages into the folder given, `docs` by default."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "docs")
    folder.mkdir(exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
