"""What the symbol tables tell of one public name."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Parameter:
    """One parameter; `default` is its source text, None where the parameter is required."""

    name: str
    default: str | None = None
    keyword_only: bool = False


@dataclass(frozen=True)
class Symbol:
    """A public name. `kind` is "function", "class", "method" (static or of the class), "module", "dtype" or "constant".

    `parameters` are those of the call in order, without self; `variadic` and `keywords` name `*args` and `**kwargs`.
    `unknown` tells that the parameters could not be read. `canonical` is the shortest name of the same object, "" where
    it is this one.
    """

    name: str
    kind: str
    parameters: tuple[Parameter, ...] = ()
    variadic: str = ""
    keywords: str = ""
    unknown: bool = False
    canonical: str = ""

    @property
    def positional(self) -> tuple[Parameter, ...]:
        """The parameters that take an argument by position."""
        return tuple(p for p in self.parameters if not p.keyword_only)

    def parameter(self, name: str) -> Parameter | None:
        """The parameter of that name."""
        return next((p for p in self.parameters if p.name == name), None)
