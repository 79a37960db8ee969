"""What the rewriting of input queues shares: made-up names, known arguments, the exception that leaves a queue be."""

from __future__ import annotations

from dataclasses import dataclass, field

import libcst as cst

from tfmigrate.analysis.api_queues import QueueCall
from tfmigrate.analysis.facts import Facts, Scope
from tfmigrate.analysis.values import Host, Mapping, Value
from tfmigrate.model import Place
from tfmigrate.plan.naming import Names
from tfmigrate.rules.expressions import code

NEXT = ".make_one_shot_iterator().get_next()"


class Unsuited(Exception):
    """A queue that has no form in tf.data: at which node, and why."""

    def __init__(self, node: cst.CSTNode, why: str) -> None:
        super().__init__(why)
        self.node, self.why = node, why


@dataclass
class QueueNames:
    """The names of datasets and functions made up so far, over all rounds; each by its scope, whose nodes change."""

    datasets: set[tuple[str, str]] = field(default_factory=set)  # (scope, name) of what the conversion made
    several: set[tuple[str, str]] = field(default_factory=set)  # those whose elements have several parts
    plain: dict[tuple[str, str], bool] = field(default_factory=dict)  # those of tensors: whether of several
    taken: dict[str, Names] = field(default_factory=dict)
    left_out: list[Place] = field(default_factory=list)  # where an op of the graph itself was printed

    def fresh(self, scope: Scope, wanted: str) -> str:
        """A name that nothing in the scope, or around it, has."""
        key = scope.place
        if key not in self.taken:
            around = {name for outer in scope.ancestors() for name in outer.bound}
            self.taken[key] = Names(_own_names(scope.node) | around)
        return self.taken[key].fresh(wanted)

    def dataset(self, scope: Scope) -> str:
        """A name for a dataset."""
        name = self.fresh(scope, "dataset")
        self.datasets.add((scope.place, name))
        return name

    def mark(self, scope: Scope, dataset: str, several: bool, value: Value | None = None) -> None:
        """Remember what the dataset's elements are made like: `value` is (as) one of them."""
        key = scope.place, dataset
        (self.several.add if several else self.several.discard)(key)
        self.plain.pop(key, None)
        if not any(isinstance(v, Mapping) for v in (value, *getattr(value, "items", ()))):
            self.plain[key] = several


def _own_names(node: cst.CSTNode) -> set[str]:
    """The names in the code of a scope, without those in the functions within it."""
    found: set[str] = set()

    class Visitor(cst.CSTVisitor):
        def visit_FunctionDef(self, function: cst.FunctionDef) -> bool:
            found.add(function.name.value)
            return function is node

        def visit_Name(self, name: cst.Name) -> None:
            found.add(name.value)

    node.visit(Visitor())
    return found


def prefix(call: QueueCall) -> str:
    """What the program calls TensorFlow, with the dot."""
    text = code(call.call.func)
    if not text.endswith("." + call.symbol):
        raise Unsuited(call.call, "the function is imported by its own name")
    return text.removesuffix(call.symbol)


def line(text: str) -> cst.SimpleStatementLine:
    """The statement of that text."""
    made = cst.parse_statement(text)
    assert isinstance(made, cst.SimpleStatementLine)
    return made


def literal(facts: Facts, call: QueueCall, node: cst.BaseExpression | None, default: object) -> object:
    """The value of an argument that must be known, and the same at each call."""
    if node is None:
        return default
    if isinstance(node, cst.Name) and node.value in ("True", "False", "None"):
        return {"True": True, "False": False, "None": None}[node.value]
    value = facts.values.get(node)
    constant = isinstance(node, (cst.Integer, cst.Float)) or len(call.sites) == 1
    if isinstance(value, Host) and value.known and constant:
        return value.literal
    raise Unsuited(node, "what decides the form of the queue is not known statically")
