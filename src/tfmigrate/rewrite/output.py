"""What rewriting a program gathers beside the new texts."""

from __future__ import annotations

from dataclasses import dataclass, field

from tfmigrate.model import Finding, SignatureChange


@dataclass
class Output:
    """What rewriting a program gathers: support files, imports and findings."""

    support: dict[str, set[str]] = field(default_factory=dict)
    imports: dict[str, dict[str, None]] = field(default_factory=dict)  # path -> statements
    signatures: list[SignatureChange] = field(default_factory=list)
    refusals: dict[Finding, None] = field(default_factory=dict)  # each once, as they were found
    notes: dict[Finding, None] = field(default_factory=dict)
    packages: set[str] = field(default_factory=set)

    taken: frozenset[str] = frozenset()  # names of the tree's own modules beside the entry

    def module(self, name: str) -> str:
        """The name of a support file: another one where a module of the user bears it already."""
        return f"{name}_of_tf1" if name in self.taken else name

    def need(self, path: str, support: tuple[str, ...]) -> None:
        """A file at `path` needs parts of support files: ("fused_optimizers:Adam",)."""
        for item in support:
            module, _, part = item.partition(":")
            self.support.setdefault(module, set()).add(part)
            named = self.module(module)
            self.add_import(path, f"from {named} import {part}" if part else f"import {named}")

    def add_import(self, path: str, statement: str) -> None:
        """The file needs this import."""
        self.imports.setdefault(path, {}).setdefault(statement)
