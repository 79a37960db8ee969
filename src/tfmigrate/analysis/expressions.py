"""The evaluator: gives each expression its value over the kinds of values.py, and records what statements make."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import libcst as cst

from tfmigrate.analysis import (
    calls,
    comprehensions,
    containers,
    definitions,
    dtypes,
    literals,
    names,
    operators,
    targets,
)
from tfmigrate.analysis.facts import Facts, Lift, Statement, Uses
from tfmigrate.analysis.frames import Frame
from tfmigrate.analysis.values import (
    Class,
    Function,
    Graphlike,
    Host,
    Method,
    Module,
    Placeholder,
    Tensor,
    Value,
    Variable,
    is_graph,
    is_step,
)
from tfmigrate.model import Finding, Place, Severity

if TYPE_CHECKING:
    from tfmigrate.analysis.legacy_names import Naming


class Expressions(ABC):
    """The evaluator of expressions; `contexts.Contexts` and `interpreter.Interpreter` add what surrounds them."""

    facts: Facts
    frame: Frame
    frames: list[Frame]
    naming: Naming
    collectors: list[Uses]
    context: list[object]  # calls and turns around what is evaluated now
    path: str
    dtypes: dict[Value, str]  # types of numbers, where the program says them
    calling: list[cst.CSTNode]  # functions being interpreted
    uncalled: bool

    iterating = 0  # the targets of loops and comprehensions are being bound: they are no names of their own

    # what the subclass gives

    @abstractmethod
    def call_function(self, function: Function, node: cst.Call) -> Value:
        """The value of a call of a user's function."""

    @abstractmethod
    def invoke(self, function: Function, arguments: dict[str, Value]) -> Value:
        """What a user's function returns, with these arguments by name."""

    @abstractmethod
    def instantiate(self, cls: Class, node: cst.Call) -> Value:
        """The value of a call of a user's class."""

    @abstractmethod
    def call_symbol(self, symbol: str, node: cst.Call) -> Value:
        """The value of a call of the TensorFlow API."""

    @abstractmethod
    def call_method(self, method: Method, node: cst.Call) -> Value:
        """The value of a call of a method of something in the graph."""

    @abstractmethod
    def module_member(self, module: Module, name: str) -> Value:
        """A name of another module of the tree."""

    @abstractmethod
    def place(self, node: cst.CSTNode) -> Place:
        """Where the node stands."""

    # recording

    def refuse(self, code: str, node: cst.CSTNode, message: str) -> None:
        """Record a reason why the program cannot be converted; analysis goes on, to find all of them."""
        finding = Finding(code, Severity.ERROR, self.place(node), message)
        self.facts.refusals.setdefault(finding)

    def note(self, code: str, node: cst.CSTNode, message: str, severity: Severity = Severity.WARNING) -> None:
        """Record something to tell the user."""
        finding = Finding(code, severity, self.place(node), message)
        self.facts.notes.setdefault(finding)

    @property
    def statement(self) -> Statement:
        """The statement that is being evaluated."""
        assert self.frame.statement is not None
        return self.frame.statement

    def record_use(self, owner: Frame, name: str, defs: frozenset[Statement]) -> None:
        """The current statements of all frames down to the owner's use the name."""
        key = (owner.scope, name)
        for frame in reversed(self.frames):
            if frame.statement is not None:
                frame.statement.uses.setdefault(key, set()).update(defs)
            if frame is owner:
                break
        for collector in self.collectors:
            collector.setdefault(key, set()).update(defs)

    def collect(self, node: cst.BaseExpression) -> tuple[Value, Uses]:
        """The value, and what just this expression uses."""
        uses: Uses = {}
        self.collectors.append(uses)
        try:
            return self.eval(node), uses
        finally:
            self.collectors.remove(uses)

    def made(self, value: Graphlike, node: cst.BaseExpression | None) -> None:
        """Record where a thing of the graph was made."""
        if value.statement is None:
            value.statement = self.frame.statement
            value.scope = self.frame.scope
            value.expression = node
        self.statement.made.append(value)

    def lift(self, node: cst.Call, value: Graphlike) -> None:
        """A build-once expression that may stand inside a step statement."""
        self.statement.lifts.setdefault(node, Lift(node, value))

    # evaluation

    def eval(self, node: cst.BaseExpression) -> Value:
        """The value of an expression."""
        evaluator = EVALUATORS.get(type(node))
        value = evaluator(self, node) if evaluator is not None else self.eval_children(node)
        if type(value) is not Host or value.known or value.element is not None:
            self.facts.values[node] = value
        self.facts.visited.add(node)
        return value

    def eval_children(self, node: cst.CSTNode) -> Value:
        """For an expression without a meaning of its own here: its parts are evaluated."""
        found: list[Value] = []
        for child in node.children:
            if isinstance(child, cst.BaseExpression):
                found.append(self.eval(child))
            else:
                self.eval_children(child)
        return _combined(found)

    def eval_arguments(self, node: cst.Call) -> list[Value]:
        """The values of a call's arguments, in order."""
        return [self.eval(argument.value) for argument in node.args]

    def eval_named(self, args: dict[str, cst.BaseExpression]) -> dict[str, Value]:
        """The values of arguments by parameter name."""
        return {name: self.eval(argument) for name, argument in args.items()}

    def tensor(self, values: list[Value], node: cst.BaseExpression) -> Value:
        """The value of an operator over values; where that is a tensor, it is recorded as an op of the graph."""
        value = _combined(values)
        if isinstance(value, Tensor):
            self.made(value, node)
        dtypes.of_operator(self, values, value)
        return value


def _combined(values: list[Value]) -> Value:
    """The value of an operator over values: a tensor where one of them is."""
    if any(is_graph(v) for v in values):
        return Tensor(
            step=any(is_step(v) or isinstance(v, (Variable, Placeholder)) for v in values), inputs=tuple(values)
        )
    return Host(random=any(isinstance(v, Host) and v.random for v in values))


EVALUATORS: dict[type[cst.CSTNode], Callable[[Expressions, Any], Value]] = {
    cst.Integer: literals.number,
    cst.Float: literals.number,
    cst.SimpleString: literals.string,
    cst.ConcatenatedString: literals.concatenated,
    cst.FormattedString: literals.formatted,
    cst.Name: names.name,
    cst.Attribute: names.attribute,
    cst.UnaryOperation: operators.unary,
    cst.BinaryOperation: operators.binary,
    cst.Comparison: operators.comparison,
    cst.BooleanOperation: operators.boolean,
    cst.IfExp: operators.conditional,
    cst.List: containers.sequence,
    cst.Tuple: containers.sequence,
    cst.Set: containers.sequence,
    cst.Dict: containers.dictionary,
    cst.Subscript: containers.subscript,
    cst.ListComp: comprehensions.sequence,
    cst.SetComp: comprehensions.sequence,
    cst.GeneratorExp: comprehensions.sequence,
    cst.DictComp: comprehensions.dictionary,
    cst.NamedExpr: targets.bind_expression,
    cst.Lambda: definitions.lambda_,
    cst.Call: calls.call,
}
