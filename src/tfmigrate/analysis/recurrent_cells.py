"""Recurrent cells: what they are made of, and the names that TensorFlow 1 gives to their variables.

A cell makes its variables when it is first called: `rnn/multi_rnn_cell/cell_0/basic_lstm_cell/kernel`. Source:
tensorflow/python/ops/rnn_cell_impl.py and tensorflow/python/layers/base.py (1.15).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.dimensions import Dimension
from tfmigrate.analysis.values import Host, Layer, Method, Sequence, Tensor, Value, Variable

if TYPE_CHECKING:
    from tfmigrate.analysis.facts import Statement
    from tfmigrate.analysis.interpreter import Interpreter

_KERNEL = (("kernel", "kernel"), ("bias", "bias"))
WEIGHTS: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "BasicRNNCell": ("basic_rnn_cell", _KERNEL),
    "BasicLSTMCell": ("basic_lstm_cell", _KERNEL),
    "LSTMCell": ("lstm_cell", _KERNEL),
    "GRUCell": (
        "gru_cell",
        tuple((f"{part}/{name}", f"{part}_{name}") for part in ("gates", "candidate") for name in ("kernel", "bias")),
    ),
}
"""The scope that a cell without a name opens, and its weights: (name there, attribute), in the order of creation."""
PEEPHOLES = tuple((name, name) for name in ("w_f_diag", "w_i_diag", "w_o_diag"))
PROJECTION = (("projection/kernel", "projection_kernel"),)


@dataclass(eq=False)
class Cell(Layer):
    """A cell that is made once. `weights` are its own, `parts` the cells inside it; `title` is its given name.

    `multiple` tells a MultiRNNCell from a wrapper; `counted` that all its parts are known. `used` is the statement that
    first calls it and so makes its variables, `inputs` what it is called with: their width gives that of the weights.
    """

    kind: str = ""
    title: str | None = None
    weights: tuple[tuple[str, str], ...] = ()
    parts: list[Cell] = field(default_factory=list)
    multiple: bool = False
    counted: bool = True
    units: Dimension | None = None  # the width of its outputs
    built: bool = False
    root: Cell | None = None  # the outermost cell around it when its variables were made
    initial: cst.BaseExpression | None = None  # the initializer of the variable scope that it is made in
    initialized: bool = False  # its constructor says how its kernels begin
    used: Statement | None = None  # the statement that calls it first
    inputs: Value | None = None

    def again(self) -> Cell:
        """Another cell like this one, which a later turn of a comprehension makes."""
        parts = [part.again() for part in self.parts]
        return replace(self, parts=parts, variables=[], built=False, root=None, name=None)


@dataclass(eq=False)
class StepCell(Tensor):
    """A cell around others that is made anew in each step, since a probability is a tensor; it holds no variables."""

    cells: list[Cell | StepCell] = field(default_factory=list)
    multiple: bool = False


@dataclass(eq=False)
class State(Tensor):
    """The state of a cell: one tensor, or a structure of tensors. `parts` are those of a tuple, where known."""

    parts: tuple[State, ...] = ()


def state_of(cell: Cell | StepCell) -> State:
    """The structure of a cell's state."""
    inner = cell.cells if isinstance(cell, StepCell) else cell.parts
    if cell.multiple:
        made = State(step=True, nested=True, parts=tuple(state_of(part) for part in inner))
        if isinstance(cell, Cell) and not cell.counted:
            made.parts = ()
        return made
    if inner:
        return state_of(inner[0])
    pair = isinstance(cell, Cell) and "LSTM" in cell.kind
    return State(step=True, nested=pair, parts=(State(step=True), State(step=True)) if pair else ())


def claim(interp: Interpreter, cell: Cell | StepCell, root: Cell | None = None, path: str = "") -> Iterator[Variable]:
    """Make the variables of a cell that is called for the first time, named within the scopes entered now."""
    if isinstance(cell, StepCell):
        yield from _inside(interp, cell.cells, cell.multiple, None, "")
        return
    if cell.built:
        return
    cell.built = True
    cell.root = root or cell
    if cell.parts or cell.multiple:
        yield from _inside(interp, cell.parts, cell.multiple, cell.root, path)
        return
    scope = interp.naming.layer(WEIGHTS[cell.kind][0], cell.title, cell.title is not None)
    cell.legacy_name = scope
    _initialize(interp, cell)
    for suffix, attribute in cell.weights:
        yield Variable(
            legacy_name=f"{scope}/{suffix}" if scope is not None else None,
            layer=cell.root,
            attribute=f"{path}{attribute}",
        )


def _initialize(interp: Interpreter, cell: Cell) -> None:
    """Kernels begin as the variable scope says; known to the constructor only where both stand in that scope."""
    default = default_initializer(interp)
    if default is None or cell.initialized:
        return
    assert isinstance(cell.expression, cst.Call)
    known = cell.scope is interp.frame.scope and cell.initial is default and _is_visible(cell, default)
    if known:
        interp.facts.default_initializers[cell.expression] = default
    else:
        message = "a recurrent cell that gets its initializer from a variable scope around its call only"
        interp.refuse("TFM133", cell.expression, message)


def default_initializer(interp: Interpreter) -> cst.BaseExpression | None:
    """The initializer of the variable scopes entered now."""
    return next((given for given in reversed(interp.initializers) if given is not None), None)


def _is_visible(cell: Cell, expression: cst.BaseExpression) -> bool:
    """Whether the names of the expression mean something where the cell is made."""
    finder = _Names()
    expression.visit(finder)
    bound = {name for scope in cell.scope.ancestors() for name in scope.bound} if cell.scope is not None else set()
    return finder.found <= bound


class _Names(cst.CSTVisitor):
    """The names that an expression reads."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def visit_Name(self, node: cst.Name) -> None:
        self.found.add(node.value)

    def leave_Attribute(self, original_node: cst.Attribute) -> None:
        self.found.discard(original_node.attr.value)

    def leave_Arg(self, original_node: cst.Arg) -> None:
        if original_node.keyword is not None:
            self.found.discard(original_node.keyword.value)


def _inside(
    interp: Interpreter, cells: list[Cell] | list[Cell | StepCell], multiple: bool, root: Cell | None, path: str
) -> Iterator[Variable]:
    if not multiple:
        yield from claim(interp, cells[0], root, f"{path}cell." if root is not None else "")
        return
    full = interp.naming.layer("multi_rnn_cell", None, False)
    interp.naming.enter_variable_scope(full.rpartition("/")[2] if full is not None else None, None)
    for index, cell in enumerate(cells):
        interp.naming.enter_variable_scope(f"cell_{index}", None)
        yield from claim(interp, cell, root, f"{path}cells[{index}]." if root is not None else "")
        interp.naming.leave_variable_scope()
    interp.naming.leave_variable_scope()


def width(cell: Cell | StepCell) -> Dimension:
    """The width of a cell's outputs."""
    inner = cell.cells if isinstance(cell, StepCell) else cell.parts
    if inner:
        return width(inner[-1])
    return cell.units if isinstance(cell, Cell) and cell.units is not None else Dimension()


def roots(cell: Cell | StepCell) -> Iterator[Cell]:
    """The outermost cells that are made once."""
    if isinstance(cell, Cell):
        yield cell.root or cell
    else:
        for inner in cell.cells:
            yield from roots(inner)


def attribute(receiver: Cell | StepCell, name: str) -> Value:
    """`cell.state_size`, `cell.trainable_variables`, or a method."""
    if name in ("trainable_variables", "trainable_weights", "variables", "weights") and isinstance(receiver, Cell):
        return Sequence(list(receiver.variables))
    return Host() if name in ("state_size", "output_size", "name", "dtype") else Method(receiver, name)


def part_of(state: State, index: Value | None) -> State | None:
    """`state[-1]`, `state.h`: a part of a state."""
    names = {"c": 0, "h": 1}
    at = index.literal if isinstance(index, Host) else None
    at = names.get(at, at) if isinstance(at, str) else at
    if isinstance(at, int) and -len(state.parts) <= at < len(state.parts):
        inner = state.parts[at]
        return State(step=state.step, nested=inner.nested, parts=inner.parts, inputs=(state,))
    return None


def parts(state: State) -> list[Value]:
    """What unpacking a state gives."""
    return [State(step=state.step, nested=inner.nested, parts=inner.parts, inputs=(state,)) for inner in state.parts]
