"""The examples in the rules' docstrings, `before` and `after`: tried by the tests, shown in the documentation."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass

import libcst as cst

from tfmigrate.rules.base import LayerForm, OptimizerForm, Refused, Rewritten, Rule
from tfmigrate.rules.expressions import call_with, code

_PAIR = re.compile(r"^ *before  (?P<before>.+)\n *after   (?P<after>.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Description:
    """What a rule's docstring says: a summary, the paragraphs after it, the pairs, and the source of the semantics."""

    summary: str
    details: str
    pairs: tuple[tuple[str, str], ...]
    source: str


def describe(rule: Rule) -> Description:
    """The description of a rule, from its docstring."""
    text = inspect.cleandoc(rule.__doc__ or "")
    pairs = tuple((match["before"], match["after"]) for match in _PAIR.finditer(text))
    prose = [" ".join(part.split()) for part in _PAIR.sub("", text).split("\n\n") if part.strip()]
    source = next((part.removeprefix("Source: ") for part in prose if part.startswith("Source: ")), "")
    rest = [part for part in prose if not part.startswith("Source: ")]
    return Description(rest[0], "\n\n".join(rest[1:]), pairs, source)


def shown(result: Rewritten | Refused | LayerForm | OptimizerForm) -> str:
    """A result as the examples write it."""
    if isinstance(result, Rewritten):
        return code(result.expression)
    if isinstance(result, Refused):
        return f"{result.code}: {result.message}"
    if isinstance(result, OptimizerForm):
        return code(call_with(result.class_text, [result.learning_rate], result.keywords))
    called = [code(result.inputs), *(f"{name}={code(value)}" for name, value in result.keywords.items())]
    return f"{code(result.constructor)} called with {', '.join(called)}"


def parse_call(text: str, module: str = "tf") -> tuple[str, cst.Call]:
    """The symbol and the node of a call in an example."""
    node = cst.parse_expression(text)
    if not isinstance(node, cst.Call):
        raise ValueError(f"no call: {text}")
    return code(node.func).removeprefix(f"{module}."), node
