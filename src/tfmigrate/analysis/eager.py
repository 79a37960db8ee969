"""Programs that are eager already: nothing of theirs lives in a graph that sessions run, only their symbols change."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis import api_variables, eager_models
from tfmigrate.analysis.api import Args, handles
from tfmigrate.analysis.facts import Statement
from tfmigrate.analysis.signatures import arguments
from tfmigrate.analysis.values import Host, Operation, Value, Variable, leaves
from tfmigrate.rules.expressions import code

if TYPE_CHECKING:
    from tfmigrate.analysis.interpreter import Interpreter

OF_GRAPHS = frozenset({"TFM110", "TFM111", "TFM114"})  # what is told of tensors that have no value yet


@handles("enable_eager_execution", "contrib.eager.enable_eager_execution")
def enable(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """The switch to eager execution: gone, where it is certain to be made."""
    interp.eval_named(args)
    if interp.uncalled:
        return Operation(kind="no_op")
    interp.facts.eager = True
    if any(_conditional(frame.statement) for frame in interp.frames):
        interp.refuse("TFM168", node, "whether the program is eager depends on its flow")
    return Operation(kind="no_op")


def _conditional(statement: Statement | None) -> bool:
    """Whether something decides that the statement is run; `if __name__ == …` counts for nothing."""
    while statement is not None:
        node = statement.node
        if isinstance(node, (cst.For, cst.While, cst.Try)):
            return True
        if isinstance(node, cst.If) and "__name__" not in code(node.test):
            return True
        statement = statement.parent
    return False


def settle(interp: Interpreter) -> None:
    """At the end: an eager program keeps only those refusals that hold without a graph too."""
    facts = interp.facts
    if not facts.eager:
        return
    for run in list(facts.runs)[:1]:
        interp.refuse("TFM168", run, "an eager program that runs a session too")
    for placeholder in facts.placeholders[:1]:
        if placeholder.expression is not None:
            interp.refuse("TFM168", placeholder.expression, "an eager program that makes a placeholder too")
    eager_models.settle(interp)
    facts.refusals = {f: None for f in facts.refusals if f.code not in OF_GRAPHS and f not in facts.of_graphs}


@handles(*(f"keras.layers.{name}" for name in eager_models.LAYERS))
def layer(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """A layer of Keras."""
    return eager_models.layer(interp, symbol, node)


@handles("train.Checkpoint")
def checkpoint(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """A checkpoint of objects. What makes its variables late would be restored into nothing, silently."""
    values = interp.eval_arguments(node)
    if not all(isinstance(leaf, Variable) for value in values for leaf in leaves(value)):
        message = "a checkpoint of a model or an optimizer, whose variables are made after it is restored"
        interp.refuse("TFM126", node, message)
    return Host()


@handles("contrib.eager.Iterator")
def iterator(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """An iterator over a dataset, eager: Python's own."""
    interp.eval_arguments(node)
    return Host()


@handles("contrib.eager.implicit_gradients", "contrib.eager.implicit_value_and_gradients")
def implicit(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """A function that gives the gradients for all variables that another function reads."""
    interp.eval_arguments(node)
    return Host()


@handles("contrib.eager.Variable")
def variable(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """A variable of an eager program: what follows its initial value is given by name."""
    return api_variables.variable(interp, symbol, node, arguments("Variable", node))
