"""Brings a text of Python 2 to Python 3, line for line."""

from __future__ import annotations

import ast
import difflib
import warnings
from functools import cache
from typing import Any

from tfmigrate.source.division import divided
from tfmigrate.source.leaks import leaked

# Left out: those of taste, `import`, which looks for the modules of a package on this machine, and `future`: what
# division means hangs on these imports.
_WITHOUT = frozenset({"buffer", "future", "idioms", "import", "set_literal", "ws_comma"})


_PARAMETER = "xxx_todo_changeme"  # what fissix calls a parameter that was a tuple


class NotBrought(Exception):
    """What of the text only its author can bring to Python 3, and where (line and column, from 1)."""

    def __init__(self, line: int, column: int, what: str) -> None:
        super().__init__(what)
        self.line, self.column, self.what = line, column, what


def brought(text: str, line: int, column: int) -> str:
    """The text for Python 3; each line stays on its line. The place is what an error names that has none of its own.

    Syntax, built-ins and modules are fissix's work; beside it quotients of integers are written as such, and a list
    comprehension that leaves its variable behind, where it is used then, is told. Raises NotBrought.
    """
    tool = _tool()
    tool.fixer_log.clear()
    end = "" if text.endswith("\n") else "\n"
    try:
        new = str(tool.refactor_string(text + end, "<text>"))
    except Exception as error:  # fissix raises whatever its fixers stumble over
        raise NotBrought(line, column, f"not understood ({error})") from error
    if failed := next((entry for entry in tool.fixer_log if "could not convert" in entry.lower()), None):
        raise NotBrought(line, column, failed)
    if _PARAMETER in new and _PARAMETER not in text:
        raise NotBrought(line, column, "a parameter that is taken apart needs a line of its own in Python 3")
    new = _untabbed(new.removesuffix("\n") if end else new)
    if (moved := _moved(text, new)) is not None:
        raise NotBrought(moved, 1, f"needs lines of its own in Python 3: {_inserted(text, new)}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = ast.parse(new)
    except SyntaxError as error:
        raise NotBrought(error.lineno or line, error.offset or 1, str(error.msg)) from error
    if (found := leaked(module)) is not None:
        raise NotBrought(*found)
    new, unknown = divided(new)
    if unknown:
        lines = ", ".join(dict.fromkeys(str(at) for at, _ in unknown))
        what = f"whether integers are divided, which Python 2 floors, is not known (line {lines})"
        raise NotBrought(*unknown[0], what)
    return new


@cache
def _tool() -> Any:
    from fissix.refactor import RefactoringTool, get_fixers_from_package

    names = get_fixers_from_package("fissix.fixes")
    return RefactoringTool([name for name in names if name.rsplit("fix_", 1)[-1] not in _WITHOUT])


def _untabbed(text: str) -> str:
    """Tabs of indentations as the eight columns that Python 2 takes them for, where Python 3 refuses the mixture."""
    try:
        compile(text, "<text>", "exec", dont_inherit=True)
        return text
    except TabError:
        pass
    except (SyntaxError, ValueError):
        return text
    from fissix.pgen2 import token, tokenize

    lines = text.splitlines(keepends=True)
    inside: set[int] = set()  # lines that begin within a string
    remaining = iter(lines)
    for kind, _, start, end, _ in tokenize.generate_tokens(lambda: next(remaining, "")):
        if kind == token.STRING:
            inside.update(range(start[0] + 1, end[0] + 1))
    for number, line in enumerate(lines, 1):
        if number not in inside:
            body = line.lstrip(" \t")
            lines[number - 1] = line[: len(line) - len(body)].expandtabs(8) + body
    return "".join(lines)


def _moved(old: str, new: str) -> int | None:
    """The first line that stands on another line now; None where none does."""
    before, after = old.splitlines(), new.splitlines()
    for first, second, size in difflib.SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks():
        if size and first != second and any(line.strip() for line in before[first : first + size]):
            return min(first, second) + 1
    return None if len(before) == len(after) else min(len(before), len(after))


def _inserted(old: str, new: str) -> str:
    before = set(old.splitlines())
    return next((line.strip() for line in new.splitlines() if line not in before and line.strip()), "other ones")
