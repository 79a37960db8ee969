"""Reads a symbol table; a line is parsed when its symbol is first asked for."""

from __future__ import annotations

from functools import cached_property
from importlib.resources import files

from tfmigrate.symbols.symbol import Parameter, Symbol


class Table:
    """The symbols of one TensorFlow by name."""

    def __init__(self, resource: str) -> None:
        self._resource = resource
        self._parsed: dict[str, Symbol | None] = {}

    @cached_property
    def lines(self) -> dict[str, str]:
        """Name to the rest of its line."""
        text = (files("tfmigrate.symbols") / self._resource).read_text(encoding="utf-8")
        pairs = (line.partition("\t") for line in text.split("\n") if line and not line.startswith("#"))
        return {name: rest for name, _, rest in pairs}

    @cached_property
    def _groups(self) -> dict[str, tuple[str, ...]]:
        groups: dict[str, tuple[str, ...]] = {}
        for name, rest in self.lines.items():
            shortest = rest.rpartition("\t")[2]
            if shortest:
                groups[shortest] = (*groups.get(shortest, (shortest,)), name)
        return groups

    def group(self, name: str) -> tuple[str, ...]:
        """All names of the object whose shortest name is `name`, that one first."""
        return self._groups.get(name, (name,))

    def get(self, name: str) -> Symbol | None:
        """The symbol of that name, or None."""
        if name not in self._parsed:
            rest = self.lines.get(name)
            self._parsed[name] = None if rest is None else _symbol(name, rest)
        return self._parsed[name]


def _symbol(name: str, rest: str) -> Symbol:
    kind, text, canonical = rest.split("\t")
    parameters: list[Parameter] = []
    variadic = keywords = ""
    keyword_only = False
    for piece in text.split("|") if text and text != "..." else ():
        if piece.startswith("**"):
            keywords = piece[2:]
        elif piece.startswith("*"):
            variadic = piece[1:]
            keyword_only = True
        else:
            parameter, given, default = piece.partition("=")
            parameters.append(Parameter(parameter, default if given else None, keyword_only))
    return Symbol(name, kind, tuple(parameters), variadic, keywords, text == "...", canonical)
