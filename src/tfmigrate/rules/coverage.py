"""How each symbol of TensorFlow 1.15 stands: by a rule, renamed, kept, part of the program's structure, or refused."""

from __future__ import annotations

import re
from enum import Enum

from tfmigrate import symbols
from tfmigrate.rules.base import Context, Refused
from tfmigrate.rules.engine import rules
from tfmigrate.rules.keeping import counterpart, keep_reference
from tfmigrate.rules.meanings import changed
from tfmigrate.rules.refusals import refusal
from tfmigrate.rules.renames import RENAMES


class Standing(Enum):
    """What the rules do with a symbol."""

    RULE = "rule"
    RENAMED = "renamed"
    KEPT = "kept"
    FITTING = "kept if it fits"
    STRUCTURE = "structure"
    REFUSED = "refused"

    @property
    def meaning(self) -> str:
        """The standing in a sentence."""
        return _MEANINGS[self]


_MEANINGS = {
    Standing.RULE: "a rule of its own writes the call",
    Standing.RENAMED: "the name or names of arguments change, the meaning does not",
    Standing.KEPT: "the target has it under one of its 1.15 names with the same arguments",
    Standing.FITTING: "likewise, for calls whose arguments the target has too; others are refused",
    Standing.STRUCTURE: "sessions, variables, scopes, saving, summaries, input: the program's conversion deals with it",
    Standing.REFUSED: "no counterpart that keeps the meaning, or no rule yet",
}

STRUCTURE = re.compile(
    r"(Session|InteractiveSession|placeholder\w*|sparse_placeholder|Variable\w*|variable\w*|get_variable\w*|name_scope|"
    r"assign\w*|scatter_(?!nd$)\w+|"
    r"train\.(Saver|\w*[cC]heckpoint\w*|\w*global_step|ExponentialMovingAverage)|"
    r"summary\.\w+|Summary\w*|data\.\w+|get_collection\w*|add_to_collection\w*|GraphKeys|Graph|Operation|"
    r"control_dependencies|get_local_variable|group|no_op|gradients|hessians|global_variables\w*|local_variables\w*|initialize_\w+|trainable_variables|"
    r"model_variables|moving_average_variables|all_variables|tables_initializer|initialize_all_tables|ConfigProto\w*|"
    r"GPUOptions\w*|OptimizerOptions\w*|RunOptions\w*|RunMetadata\w*|app\.\w+|flags\.\w+|logging\.\w+|get_default_\w+|"
    r"reset_default_graph|device|make_template|report_uninitialized_variables|is_variable_initialized|AUTO_REUSE)$"
)
"""What the conversion of the whole program deals with, not a rule."""


def symbols_of_1_15() -> list[str]:
    """The functions and classes of 1.15 by their shortest name; of contrib those with a rule; no Keras or protobufs."""
    found = set(rules()) | set(RENAMES)
    for name, symbol in symbols.all_legacy():
        skipped = name.startswith(
            ("contrib.", "keras.", "raw_ops.", "test.", "lite.", "compat.", "user_ops.", "flags.tf_dec")
        )
        if (
            symbol.kind in ("function", "class")
            and not symbol.canonical
            and not skipped
            and symbol.keywords != "fields"
        ):
            found.add(name)
    return sorted(found)


def standing(name: str) -> tuple[Standing, str]:
    """The standing of a symbol by its shortest name, with the code of its refusal ("" where there is none)."""
    if name in rules():
        return Standing.RULE, ""
    if STRUCTURE.fullmatch(name):
        return Standing.STRUCTURE, ""
    problem = changed(name)
    if problem is None and counterpart(name) is None:
        problem = refusal(name)
    if problem is not None:
        return Standing.REFUSED, problem.code
    if name in RENAMES:
        return Standing.RENAMED, ""
    fits = not isinstance(keep_reference(name, Context()), Refused)
    return (Standing.KEPT if fits else Standing.FITTING), ""
