"""Calls of methods: of things in the graph, of sessions, of containers, of host values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis import (
    api_averages,
    api_datasets,
    api_queues,
    api_recurrent,
    api_tables,
    api_training,
    api_variables,
    container_methods,
    dtypes,
    runs,
)
from tfmigrate.analysis.calls import foreign
from tfmigrate.analysis.graph_attributes import shape, static_read
from tfmigrate.analysis.recurrent_cells import Cell, StepCell
from tfmigrate.analysis.targets import mutated
from tfmigrate.analysis.values import (
    Context,
    Dataset,
    Gradients,
    Graph,
    Graphlike,
    Host,
    Iterator_,
    Mapping,
    Method,
    MovingAverage,
    Operation,
    Optimizer,
    Placeholder,
    Saver,
    Sequence,
    Session,
    Table,
    Tensor,
    Unknown,
    Value,
    Variable,
    Writer,
    is_step,
    leaves,
)

if TYPE_CHECKING:
    from tfmigrate.analysis.interpreter import Interpreter

_ASSIGNING = frozenset(
    {
        "assign",
        "assign_add",
        "assign_sub",
        "scatter_update",
        "scatter_add",
        "scatter_sub",
        "scatter_nd_update",
    }
)


def call(interp: Interpreter, method: Method, node: cst.Call) -> Value:
    """The value of a method call."""
    receiver, name = method.receiver, method.name
    if isinstance(receiver, Session):
        return _session(interp, receiver, name, node)
    if isinstance(receiver, Optimizer):
        return api_training.optimizer_method(interp, receiver, name, node)
    if isinstance(receiver, Saver):
        return runs.saver(interp, receiver, name, node)
    if isinstance(receiver, Writer):
        return runs.writer(interp, receiver, name, node)
    if isinstance(receiver, Dataset):
        return api_datasets.dataset_method(interp, receiver, name, node)
    if isinstance(receiver, api_queues.Reader):
        return api_queues.reader_method(interp, receiver, name, node)
    if isinstance(receiver, api_queues.InputQueue):
        return api_queues.queue_method(interp, receiver, name, node)
    if isinstance(receiver, MovingAverage):
        return api_averages.method(interp, receiver, name, node)
    if isinstance(receiver, Iterator_):
        return api_datasets.iterator_method(interp, receiver, name, node)
    if isinstance(receiver, Variable):
        return _variable(interp, receiver, name, node)
    if isinstance(receiver, (Cell, StepCell)):
        return api_recurrent.method(interp, receiver, name, node)
    if isinstance(receiver, Table):
        return api_tables.method(interp, receiver, name, node)
    if isinstance(receiver, (Tensor, Placeholder, Gradients, Operation)):
        return _tensor(interp, receiver, name, node)
    if isinstance(receiver, Graph):
        return _graph(interp, receiver, name, node)
    values = interp.eval_arguments(node)
    if isinstance(receiver, Context):
        if name == "reuse_variables":
            _reuse(interp, node)
        return Host()
    if isinstance(receiver, Sequence):
        return container_methods.sequence(interp, receiver, name, node, values)
    if isinstance(receiver, Mapping):
        return container_methods.mapping(interp, receiver, name, node, values)
    text = isinstance(receiver, Host) and isinstance(receiver.literal, str)
    given = foreign(interp, f"{name}()", node, values, not text and any(is_step(v) for v in values))
    if isinstance(receiver, Host) and name in container_methods.STRING_METHODS:
        return container_methods.string(receiver, name, values)
    dtypes.of_array(interp, node, name, values, given)
    return given


def _reuse(interp: Interpreter, node: cst.Call) -> None:
    """`scope.reuse_variables()`: what is asked for from here on exists already."""
    interp.facts.dropped_calls.add(node)
    if interp.naming.reuse:
        interp.naming.reuse[-1] = True
    else:
        interp.refuse("TFM141", node, "all variables from here on are reused")


def _session(interp: Interpreter, receiver: Session, name: str, node: cst.Call) -> Value:
    if name == "run":
        return runs.session_run(interp, receiver, node)
    if name in ("as_default", "__enter__"):
        return Context("session", value=receiver)
    interp.eval_arguments(node)
    if name in ("partial_run", "partial_run_setup", "make_callable"):
        interp.refuse("TFM115", node, f"Session.{name} evaluates a graph in pieces")
    if name in ("close", "__exit__"):
        interp.facts.dropped_calls.add(node)
    return Host()


def _variable(interp: Interpreter, receiver: Variable, name: str, node: cst.Call) -> Value:
    if name == "eval":
        return runs.evaluate(interp, receiver, node)
    values = interp.eval_arguments(node)
    if name in _ASSIGNING:
        return api_variables.assignment(
            interp, node, receiver, {"ref": receiver, **{str(i): v for i, v in enumerate(values)}}
        )
    if name == "load":
        return runs.load(interp, receiver, node)
    if name in ("initialized_value", "read_value", "value"):
        made = Tensor(step=name != "initialized_value", inputs=(receiver,), shape=receiver.shape)
        interp.made(made, node)
        return made
    if name == "get_shape":
        return shape(receiver)
    if name == "set_shape":
        interp.refuse("TFM111", node, "the static shape of a variable is set")
    return Host()


def _tensor(interp: Interpreter, receiver: Graphlike, name: str, node: cst.Call) -> Value:
    if name in ("eval", "run"):
        return runs.evaluate(interp, receiver, node)
    interp.eval_arguments(node)
    if name == "get_shape":
        static_read(interp, receiver, node)
        return shape(receiver)
    if name == "set_shape":
        interp.facts.shape_sets.append(node)
        interp.statement.effect = True
        if isinstance(node.func, cst.Attribute):
            mutated(interp, node.func.value)
        return Operation(kind="no_op", step=True)
    made = Tensor(step=receiver.step or isinstance(receiver, Placeholder), inputs=(receiver,))
    interp.made(made, node)
    return made


def _graph(interp: Interpreter, receiver: Graph, name: str, node: cst.Call) -> Value:
    values = interp.eval_arguments(node)
    if name == "as_default":
        return Context("graph", value=receiver)
    if name in ("finalize", "as_graph_def"):
        interp.facts.dropped_calls.add(node)
        if name == "as_graph_def":
            interp.refuse("TFM117", node, "the graph is serialized")
        return Host()
    if name in ("get_tensor_by_name", "get_operation_by_name", "as_graph_element"):
        found = runs.by_name(interp, values[0] if values else Host(), node)
        return found if found is not None else Unknown("a tensor by name")
    if name == "device":
        return Context("device")
    if name == "control_dependencies" and values:
        return Context("control", controls=tuple(leaves(values[0])))
    if name == "get_collection":
        interp.refuse("TFM124", node, "a collection of a graph")
    return Host()
