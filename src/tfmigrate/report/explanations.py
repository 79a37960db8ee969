"""Why a changed region changed, in a sentence: from the run sites in it and from the idioms of its two sides.

A reason is given only where both sides bear it out: the legacy idiom is gone from the region, or its counterpart is
there.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from tfmigrate.model import RunSite, SiteKind


@dataclass(frozen=True)
class Explanation:
    """A short head ("Run site") and the sentence."""

    head: str
    sentence: str


@dataclass(frozen=True)
class _Idiom:
    head: str
    before: str
    after: str
    sentence: str


_IDIOMS = (
    _Idiom(
        "Placeholder",
        r"\bplaceholder(_with_default)?\(",
        r"TensorSpec\(|input_signature|def \w+\(",
        "A placeholder becomes the signature of the step function: values arrive as arguments instead of a feed.",
    ),
    _Idiom(
        "Variable",
        r"\b(Variable|get_variable)\(|\blayers\.\w+\(",
        r"\.scope\(\)|tf\.Variable\(|keras\.layers|add_weight\(",
        "Variables are made once, before the loop, under the strategy's scope, and keep their legacy names.",
    ),
    _Idiom(
        "Optimizer",
        r"\w+Optimizer\(|\.minimize\(|\bgradients\(",
        r"GradientTape\(|apply_gradients\(|optimizers?\b",
        "The optimizer is an object made once; gradients are taken on a tape inside the step function.",
    ),
    _Idiom(
        "Session",
        r"\b(Interactive)?Session\(|\bsess(ion)?\.(close|as_default|graph)\b",
        "",
        "There is no session: functions run when they are called, variables live as long as their objects.",
    ),
    _Idiom(
        "Initializer",
        r"\b(global|local|all)_variables_initializer\(|\binitialize_all_variables\(|tables_initializer\(",
        "",
        "Nothing to run: a variable takes its initial value when it is made.",
    ),
    _Idiom(
        "Checkpoint",
        r"\bSaver\(|\.save\(|\.restore\(",
        r"Checkpoint(Manager)?\(|\.save\(|\.restore\(",
        "One checkpoint and its manager, made before the loop, take the Saver's place and add nothing to the graph.",
    ),
    _Idiom(
        "Summaries",
        r"\bsummary\.|add_summary\(|FileWriter\(",
        r"\bsummary\.|create_file_writer\(|write_summaries",
        "The step function returns the values and a traced function writes them, under the same tags.",
    ),
    _Idiom(
        "Learning rate",
        r"\b(exponential_decay|piecewise_constant|polynomial_decay|inverse_time_decay|natural_exp_decay|cosine_decay)\(",
        r"\bschedules\.|learning_rate",
        "The rate is a schedule of the optimizer's own step counter.",
    ),
    _Idiom(
        "Data",
        r"make_one_shot_iterator\(|make_initializable_iterator\(|get_next\(",
        r"iter\(|\bnext\(|\bfor\b",
        "The dataset is iterated by the host: one batch for each run that took one.",
    ),
    _Idiom(
        "Random numbers",
        r"\bset_random_seed\(|\brandom_(normal|uniform|shuffle)\(|\btruncated_normal\(",
        r"\brandom\.",
        "The same distribution under its TensorFlow 2 name.",
    ),
    _Idiom(
        "Flags",
        r"\bapp\.(run|flags)\b|\bflags\.DEFINE_",
        r"\babsl\b|\bflags\.|\bapp\.run\(",
        "Flags and the program's start come from absl, which tf.app wrapped.",
    ),
    _Idiom(
        "Import",
        r"^\s*(import|from) ",
        r"^\s*(import|from) ",
        "The imports that the new code needs.",
    ),
)

_STEP_FUNCTION = "Made once, before the loop: the slice of the graph that the runs below ask for."

_SITES = {
    SiteKind.CALL: "The run becomes a call.",
    SiteKind.READ: "The value is read directly; no run is needed.",
    SiteKind.ASSIGN: "An assignment by the host takes the place of running an assign op.",
    SiteKind.INITIALIZER: "This run is gone: variables take their initial values when they are made.",
    SiteKind.REINITIALIZER: "A later run of the initializer is kept as assignments of the initial values.",
    SiteKind.SAVE: "Saving goes through the checkpoint manager, made once before the loop.",
    SiteKind.RESTORE: "Restoring goes through the checkpoint, by the same variables.",
    SiteKind.SUMMARY: "The summary is written by a traced function.",
    SiteKind.ITERATOR: "Starting the iterator anew is making a new one.",
}


def of_site(site: RunSite) -> Explanation:
    """What a run site became."""
    if site.kind is not SiteKind.CALL or not site.name:
        return Explanation("Run site", _SITES[site.kind])
    fetched = f"the run of {', '.join(site.fetches)}" if site.fetches else "the run"
    call = f"{site.name}({', '.join(site.parameters)})"
    return Explanation("Run site", f"{fetched[0].upper()}{fetched[1:]} becomes a call of {call}.")


def of_region(
    before: Sequence[str], after: Sequence[str], elsewhere: Collection[str] = (), *, most: int = 3
) -> tuple[Explanation, ...]:
    """The idioms that a region shows, the most telling first; where it shows none, what is plain from its text.

    `elsewhere`: the stripped lines of the whole new text, in which lines taken away here may turn up again.
    """
    old, new = "\n".join(before), "\n".join(after)
    found = [
        Explanation(i.head, i.sentence)
        for i in _IDIOMS
        if re.search(i.before, old, re.MULTILINE)
        and (re.search(i.after, new, re.MULTILINE) if i.after else not re.search(i.before, new, re.MULTILINE))
    ]
    if not found and not before and re.search(r"@tf\.function", new):
        found.append(Explanation("Step function", _STEP_FUNCTION))
    if not found and not before and re.search(_IDIOMS[-1].after, new, re.MULTILINE):
        found.append(Explanation(_IDIOMS[-1].head, _IDIOMS[-1].sentence))
    return tuple(found[:most]) or (_plain(before, after, elsewhere),)


def _plain(before: Sequence[str], after: Sequence[str], elsewhere: Collection[str]) -> Explanation:
    old, new = [t.strip() for t in before if t.strip()], [t.strip() for t in after if t.strip()]
    if old == new:
        return Explanation("Layout", "The same statements, set in or out with the block that holds them.")
    if old and not new:
        moved = sum(line in elsewhere for line in old)
        if moved == len(old):
            return Explanation("Moved", "The same statements stand elsewhere in the new text.")
        return Explanation("Removed", "The new program has no use for it.")
    if new and not old:
        return Explanation("Added", "What the rewritten statements need.")
    return Explanation("Rewritten", "The same statement on the objects and functions of the new program.")
