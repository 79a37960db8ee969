"""Recurrent cells, and the networks that run them over sequences.

What it does not model: cells of the user's own, and loops that are made of cells by other functions (tf.nn.raw_rnn,
tf.contrib.seq2seq). Source: tensorflow/python/ops/rnn.py and rnn_cell_impl.py (1.15).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate import symbols
from tfmigrate.analysis import dimensions
from tfmigrate.analysis.api import Args, handles
from tfmigrate.analysis.api_variables import text
from tfmigrate.analysis.dimensions import Dimension
from tfmigrate.analysis.folding import plain
from tfmigrate.analysis.memo import once
from tfmigrate.analysis.recurrent_cells import (
    PEEPHOLES,
    PROJECTION,
    WEIGHTS,
    Cell,
    State,
    StepCell,
    claim,
    default_initializer,
    state_of,
    width,
)
from tfmigrate.analysis.values import Context, Host, Sequence, Tensor, Value, is_step
from tfmigrate.rules.base import BoundCall, Refused
from tfmigrate.rules.engine import bind
from tfmigrate.rules.recurrent.wrapped_cells import WRAPPERS, wrapper_arguments

if TYPE_CHECKING:
    from tfmigrate.analysis.interpreter import Interpreter

CODE = "TFM133"
_CELL_MODULES = ("nn.rnn_cell.", "contrib.rnn.", "contrib.rnn.core_rnn_cell.", "python.ops.rnn_cell.")
_NETWORK_MODULES = ("nn.", "contrib.rnn.", "python.ops.rnn.")
_NETWORKS = ("dynamic_rnn", "static_rnn", "bidirectional_dynamic_rnn", "static_bidirectional_rnn")


def _aliases(modules: tuple[str, ...], *names: str) -> tuple[str, ...]:
    return tuple(module + name for module in modules for name in names)


@handles(*_aliases(_CELL_MODULES, *WEIGHTS))
def cell(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """A cell with weights of its own; it makes them when it is first called."""
    values, nodes = _arguments(interp, symbol, node, "nn.rnn_cell.")
    kind = symbol.rpartition(".")[2]
    given = values.get("name")
    title = text(given)
    if title is None and given is not None and not (isinstance(given, Host) and given.literal is None):
        interp.refuse("TFM142", node, "the name of a recurrent cell is not known statically")
    for name, value in values.items():
        if is_step(value):
            interp.refuse(CODE, nodes[name], f"a recurrent cell whose {name} is a tensor")
    weights = WEIGHTS[kind][1]
    if kind == "LSTMCell":
        for option, more in (("use_peepholes", PEEPHOLES), ("num_proj", PROJECTION)):
            value = values.get(option, Host(None))
            if not (isinstance(value, Host) and value.known):
                interp.refuse(CODE, node, f"whether tf.{symbol} has {option} is not known statically")
            elif value.literal:
                weights += more
    projection = values.get("num_proj", Host(None))
    sized = "num_units" if isinstance(projection, Host) and projection.literal is None else "num_proj"
    size = values.get(sized)
    units = size if isinstance(size, Dimension) else None
    if units is None and isinstance(size, Host):
        units = Dimension(size.literal, node=nodes[sized])
    own = any(name in values for name in ("initializer", "kernel_initializer"))

    def make() -> Cell:
        initial = None if own else default_initializer(interp)
        return Cell(kind=kind, title=title, weights=weights, units=units, initial=initial, initialized=own)

    return once(interp, node, make, lifted=True)


@handles(*_aliases(_CELL_MODULES, "DropoutWrapper", "ResidualWrapper"))
def wrapper(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """A cell around another one: made once, or in each step where a probability is a tensor of the step."""
    values, _ = _arguments(interp, symbol, node, "nn.rnn_cell.")
    inner = values.get("cell")
    if not isinstance(inner, (Cell, StepCell)):
        interp.refuse(CODE, node, f"tf.{symbol} wraps something that is not known to be one cell")
        return Host()
    kind = symbol.rpartition(".")[2]
    tensors = tuple(v for name, v in values.items() if name != "cell" and is_step(v))
    if tensors or isinstance(inner, StepCell):
        made = StepCell(step=True, inputs=(inner, *tensors), cells=[inner])
        interp.made(made, node)
        return made
    return once(interp, node, lambda: Cell(kind=kind, parts=[inner]), lifted=True)


@handles(*_aliases(_CELL_MODULES, "MultiRNNCell"))
def multiple(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """Cells one above the other."""
    values, nodes = _arguments(interp, symbol, node, "nn.rnn_cell.")
    listed = values.get("cells")
    items = listed.items if isinstance(listed, Sequence) else []
    if not items or not all(isinstance(item, (Cell, StepCell)) for item in items):
        interp.refuse(CODE, node, f"tf.{symbol} of something that is not known to be a list of cells")
        return Host()
    cells = [item for item in items if isinstance(item, (Cell, StepCell))]
    if any(isinstance(item, StepCell) for item in cells):
        if isinstance(listed, Sequence) and listed.open_:
            interp.refuse(CODE, node, "a list of cells, made in a loop, with a probability that is a tensor")
        made = StepCell(step=True, inputs=tuple(cells), cells=cells, multiple=True)
        interp.made(made, node)
        return made
    plain_cells = [item for item in cells if isinstance(item, Cell)]

    def make() -> Cell:
        found = Cell(kind="MultiRNNCell", parts=plain_cells, multiple=True)
        if isinstance(listed, Sequence) and listed.open_:
            count = _count(interp, nodes["cells"])
            found.counted = count is not None
            found.parts = [*plain_cells, *(plain_cells[0].again() for _ in range((count or 1) - 1))]
        return found

    return once(interp, node, make, lifted=True)


def _count(interp: Interpreter, node: cst.BaseExpression) -> int | None:
    """How many items `[… for _ in range(layers)]` has, with `layers` as it is now."""
    if not isinstance(node, cst.ListComp) or node.for_in.inner_for_in is not None or node.for_in.ifs:
        return None
    counted = node.for_in.iter
    if not isinstance(counted, cst.Call) or not isinstance(counted.func, cst.Name) or len(counted.args) != 1:
        return None
    number = plain(interp.facts.values.get(counted.args[0].value, Host()))
    return number if counted.func.value in ("range", "xrange") and isinstance(number, int) and number > 0 else None


@handles(*_aliases(_CELL_MODULES, "LSTMStateTuple"))
def state_tuple(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """The state of an LSTM, put together by hand."""
    values, _ = _arguments(interp, symbol, node, "nn.rnn_cell.")
    made = State(
        step=any(is_step(v) for v in values.values()), nested=True, inputs=tuple(values.values()),
        parts=(State(step=True), State(step=True)),
    )  # fmt: skip
    interp.made(made, node)
    return made


@handles(*_aliases(_NETWORK_MODULES, *_NETWORKS))
def network(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """A cell, or a pair of them, run over a sequence: outputs and final states."""
    values, _ = _arguments(interp, symbol, node, "nn.")
    name = symbol.rpartition(".")[2]
    directions = [("cell_fw", "fw"), ("cell_bw", "bw")] if "bidirectional" in name else [("cell", "")]
    cells: list[Cell | StepCell] = []
    for parameter, _ in directions:
        found = values.get(parameter)
        if not isinstance(found, (Cell, StepCell)):
            interp.refuse(CODE, node, f"tf.{symbol} runs something that is not known to be one cell")
            return Tensor(step=True, inputs=tuple(values.values()))
        cells.append(found)
    scope = values.get("scope")
    title = scope.name if isinstance(scope, Context) else text(scope)
    if title is None and scope is not None and not (isinstance(scope, Host) and scope.literal is None):
        interp.refuse("TFM142", node, "the scope of a recurrent network is not known statically")
    interp.naming.enter_variable_scope(title or ("bidirectional_rnn" if len(cells) > 1 else "rnn"), None)
    for run, (_, direction) in zip(cells, directions, strict=True):
        if direction:
            interp.naming.enter_variable_scope(direction, None)
        _build(interp, run, node, values.get("inputs"))
        if direction:
            interp.naming.leave_variable_scope()
    interp.naming.leave_variable_scope()
    given = tuple(values.values())
    states = [_given(interp, state_of(run), given, node) for run in cells]
    around = (dimensions.of(values.get("inputs")) or (Dimension(), Dimension()))[:2]
    sizes = [(*around, width(run)) for run in cells]
    if name == "bidirectional_dynamic_rnn":
        pair = [_given(interp, Tensor(step=True, dimensions=size), given, node) for size in sizes]
        return Sequence([Sequence(list(pair), True), Sequence(list(states), True)], True)
    many = name != "dynamic_rnn"  # a list of tensors
    outputs = _given(interp, Tensor(step=True, nested=many, dimensions=None if many else sizes[0]), given, node)
    return Sequence([outputs, *states], True)


def _given(interp: Interpreter, made: Tensor, inputs: tuple[Value, ...], node: cst.Call) -> Tensor:
    made.inputs = inputs
    interp.made(made, node)
    return made


def method(interp: Interpreter, receiver: Cell | StepCell, name: str, node: cst.Call) -> Value:
    """A call of a cell, or of one of its methods."""
    values = interp.eval_arguments(node)
    if name == "__call__":
        _build(interp, receiver, node, values[0] if values else None)
        given = (receiver, *values)
        output = _given(interp, Tensor(step=True), given, node)
        return Sequence([output, _given(interp, state_of(receiver), given, node)], True)
    if name in ("zero_state", "get_initial_state"):
        if name == "get_initial_state":
            interp.refuse(CODE, node, "the method get_initial_state of a recurrent cell")
        state = state_of(receiver)
        state.step = any(is_step(v) for v in values) or isinstance(receiver, StepCell)
        return _given(interp, state, tuple(values), node)
    interp.refuse(CODE, node, f"the method {name} of a recurrent cell")
    return Host()


def _build(interp: Interpreter, run: Cell | StepCell, node: cst.Call, inputs: Value | None) -> None:
    """The first call makes the variables."""
    made = list(claim(interp, run))
    if not made:
        return
    reuse = interp.naming.reuse[-1] if interp.naming.reuse else None
    for variable in made:
        if reuse and variable.legacy_name in interp.shared:
            interp.refuse(CODE, node, "two recurrent cells share their variables by the reuse of a scope")
        if variable.legacy_name is not None:
            interp.shared[variable.legacy_name] = variable
        interp.facts.variables.append(variable)
        interp.graph_variables.append(variable)
        root = variable.layer
        assert isinstance(root, Cell)
        root.variables.append(variable)
        if root.used is None:
            root.used, root.inputs = interp.statement, inputs


def _arguments(
    interp: Interpreter, symbol: str, node: cst.Call, module: str
) -> tuple[dict[str, Value], dict[str, cst.BaseExpression]]:
    """The arguments by parameter name; the call is one of the public symbol from now on."""
    public = module + symbol.rpartition(".")[2]
    assert symbols.legacy(public) is not None
    interp.facts.symbols[node.func] = public
    values = {id(a.value): interp.eval(a.value) for a in node.args}
    bound = bind(public, node)
    arguments: dict[str, cst.BaseExpression] | Refused = (
        dict(bound.arguments) if isinstance(bound, BoundCall) else bound
    )
    if isinstance(bound, BoundCall) and public in WRAPPERS:
        arguments = wrapper_arguments(bound)
    if isinstance(arguments, Refused):
        interp.refuse(arguments.code, node, arguments.message)
        return {}, {}
    return {name: values[id(value)] for name, value in arguments.items() if id(value) in values}, arguments


__all__ = ["method"]
