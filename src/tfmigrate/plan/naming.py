"""Made-up names: what a step function, an object or a specification is called. Every one avoids every bound name."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Collection

import libcst as cst

from tfmigrate.analysis.values import Graphlike, Operation, Optimizer, Summary, Tensor, Value, Variable, leaves

LONGEST = 44  # characters of a made-up name of several parts


class Names:
    """The names taken in a file."""

    def __init__(self, taken: set[str]) -> None:
        self.taken = set(taken) | set(keyword.kwlist) | {"tf"}
        self._counts: dict[str, int] = {}  # the last number that each name got: all before are taken

    def fresh(self, wanted: str) -> str:
        """The name, or name_1, name_2 … where it is taken."""
        wanted = identifier(wanted)
        count = self._counts.get(wanted, 0)
        name = f"{wanted}_{count}" if count else wanted
        while name in self.taken or (hasattr(builtins, name) and name not in ("input",)):
            count += 1
            name = f"{wanted}_{count}"
        self._counts[wanted] = count
        self.taken.add(name)
        return name


def identifier(text: str) -> str:
    """The text as a Python identifier."""
    made = re.sub(r"\W+", "_", text).strip("_") or "value"
    return f"_{made}" if made[0].isdigit() else made


def words(name: str) -> str:
    """A value's name without what only says that it is an op or a tensor."""
    made = re.sub(r"(_?(op|ops|tensor|node))$", "", name.strip("_"), flags=re.IGNORECASE)
    return made or name.strip("_") or "value"


def describe(value: Value) -> str:
    """What a fetched value is called."""
    if isinstance(value, Summary):
        return "summaries"
    if isinstance(value, Graphlike) and value.name:
        return value.name
    if isinstance(value, Tensor) and isinstance(value.expression, cst.BinaryOperation):
        named = {i.name for v in value.inputs for i in leaves(v) if isinstance(i, Tensor) and i.name}
        if len(named) == 1:
            return named.pop() or ""
    if isinstance(value, Graphlike) and value.legacy_name:
        return value.legacy_name.split("/")[-1]
    return ""


def step_name(values: list[Value], trains: list[Operation], only_train: bool) -> str:
    """What to call the function that gives these values.

    A single train op of a program gives `train_step`; several are told apart by their names; without one, `compute_`
    and what is fetched; an op that is run for its effect gives its own name.
    """
    if trains:
        if only_train:
            return "train_step"
        name = words(identifier(trains[0].name or "train"))
        return f"{name}_step" if "train" in name.lower() or "opt" in name.lower() else f"train_{name}"
    effects = [v for v in values if isinstance(v, Operation) or (isinstance(v, Tensor) and v.effect)]
    if effects and len(effects) == len(values):
        named = [describe(v) for v in effects if describe(v)]
        return words(identifier(named[0])) if named else "update"
    plain = [words(identifier(describe(v))) for v in values if describe(v)]
    if not plain:
        return "compute_values"
    made = "compute_" + "_and_".join(dict.fromkeys(plain))
    return made if len(plain) == 1 or (len(plain) <= 3 and len(made) <= LONGEST) else f"compute_{plain[0]}_and_more"


def object_name(value: Graphlike, base: str) -> str:
    """What an object made once is called."""
    if isinstance(value, Optimizer):
        return value.name or base
    if isinstance(value, Variable):
        return identifier((value.legacy_name or base).split("/")[-1].lower())
    return identifier((value.legacy_name or base).split("/")[-1])


def numbered(wanted: str, taken: Collection[str]) -> str:
    """The name, or name_1, name_2 … where it is taken."""
    name, count = wanted, 0
    while name in taken:
        count += 1
        name = f"{wanted}_{count}"
    return name
