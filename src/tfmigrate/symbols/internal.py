"""Public names of what programs import from TensorFlow's internal modules (`tensorflow.python.ops.array_ops`)."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def _modules() -> dict[str, str]:
    """The internal modules' names, each with its line of pairs."""
    text = (files("tfmigrate.symbols") / "internal.tsv").read_text(encoding="utf-8")
    pairs = (line.partition("\t") for line in text.split("\n") if line and not line.startswith("#"))
    return {module: rest for module, _, rest in pairs}


@cache
def _members(module: str) -> dict[str, str]:
    """The public names of what the module holds, by its own name for them."""
    pairs = (pair.partition("=") for pair in _modules().get(module, "").split("|") if pair)
    return {name: shown or name for name, _, shown in pairs}


def public(name: str) -> str:
    """The public name of the same object of 1.15 ("python.ops.array_ops.concat" gives "concat"), else the name itself.

    What only the internal modules hold keeps its name, and is refused as such.
    """
    parts = name.split(".")
    if parts[0] != "python" and (parts[0] != "contrib" or "python" not in parts[2:3]):
        return name
    for end in range(len(parts) - 1, 1, -1):  # members of a class or of FLAGS keep what follows
        found = _members(".".join(parts[:end])).get(parts[end])
        if found is not None:
            return ".".join([found, *parts[end + 1 :]])
    return name
