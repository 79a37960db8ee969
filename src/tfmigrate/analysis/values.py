"""The kinds of things an expression of a TensorFlow 1 program can denote.

The interpreter computes with these instead of real tensors. Identity matters: two evaluations that give the same object
denote the same thing in the graph. `Graphlike` values know where they were made and by which name they can be reached.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import libcst as cst

if TYPE_CHECKING:
    from tfmigrate.analysis.dimensions import Dimension
    from tfmigrate.analysis.facts import Scope, Statement

MISSING: Any = object()


class Value:
    """Anything an expression can denote."""


@dataclass(eq=False)
class Host(Value):
    """A Python or NumPy value. `literal` is its value where that is known, else MISSING; `element` is what iterating
    gives.
    """

    literal: Any = MISSING
    element: Value | None = None
    random: bool = False

    @property
    def known(self) -> bool:
        """Whether the value itself is known."""
        return self.literal is not MISSING


@dataclass(eq=False)
class Initializer(Host):
    """A function that makes initial values, or regularizes: what tf.…_initializer(…) gives."""


@dataclass(eq=False)
class Record(Host):
    """An object of a library of which some attributes are known."""

    members: dict[str, Value] = field(default_factory=dict)


@dataclass(eq=False)
class NoGradient(Host):
    """The None that stands for a gradient where there is none."""

    literal: Any = None


@dataclass(eq=False)
class Unknown(Value):
    """A value of unknown origin (an unresolved import, a parameter nobody passes)."""

    why: str = ""


@dataclass(eq=False)
class Symbol(Value):
    """A name of the TensorFlow API, without "tensorflow."; "" is the module itself."""

    name: str


@dataclass(eq=False)
class Module(Value):
    """A module of the converted tree."""

    path: str


@dataclass(eq=False)
class Function(Value):
    """A function of the user; `scope` is where it was defined, `receiver` the instance of a bound method."""

    node: cst.FunctionDef | cst.Lambda
    path: str
    frame: Any
    receiver: Value | None = None
    name: str = ""


@dataclass(eq=False)
class Class(Value):
    """A class of the user."""

    node: cst.ClassDef
    path: str
    frame: Any
    members: dict[str, Value] = field(default_factory=dict)
    bases: tuple[Value, ...] = ()


@dataclass(eq=False)
class Instance(Value):
    """An object of a user's class."""

    cls: Class
    attributes: dict[str, Value] = field(default_factory=dict)


@dataclass(eq=False)
class Super(Value):
    """`super()`: an object as its class's bases see it."""

    instance: Instance
    bases: tuple[Value, ...]


@dataclass(eq=False)
class Sequence(Value):
    """A list or tuple whose elements are known; `open_` tells that a loop may have added more of the same kinds."""

    items: list[Value]
    tuple_: bool = False
    open_: bool = False


@dataclass(eq=False)
class Mapping(Value):
    """A dict whose keys are known values or literals; each entry keeps its key's and value's expression."""

    entries: list[MappingEntry] = field(default_factory=list)
    open_: bool = False


@dataclass(eq=False)
class MappingEntry:
    """One key of a Mapping. `literal` tells that the entry stands in a dict display."""

    key: Value
    value: Value
    value_node: cst.BaseExpression | None


@dataclass(eq=False)
class Graphlike(Value):
    """Something that lives in the graph or is made once beside it.

    `statement` made it, `expression` is the node that did; `name` is the first plain name it was bound to and `scope`
    where. `step` tells that its value depends on a placeholder, a variable's value, a random op, an iterator or another
    step tensor.
    """

    statement: Statement | None = None
    expression: cst.BaseExpression | None = None
    name: str | None = None
    scope: Scope | None = None
    step: bool = False
    legacy_name: str | None = None
    path: str | None = None  # "self.loss" or "model.loss" where it is an attribute
    owner: Instance | None = None  # the object whose method made it and that keeps it in an attribute


@dataclass(eq=False)
class Tensor(Graphlike):
    """A tensor. `effect`: evaluating it changes a variable; `random`: it draws; `shape`: static dimensions where
    known.
    """

    effect: bool = False
    random: bool = False
    shape: tuple[int | None, ...] | None = None
    dimensions: tuple[Dimension, ...] | None = None  # of its static shape, as far as it can be told
    nested: bool = False  # an element of a dataset: a tensor, or a structure of tensors that is not known here
    inputs: tuple[Value, ...] = ()


@dataclass(eq=False)
class Table(Tensor):
    """A lookup table, or what fills one: made once, where it stands."""


@dataclass(eq=False)
class Placeholder(Graphlike):
    """A placeholder, or one with a default (`default` is its expression)."""

    dtype: cst.BaseExpression | None = None
    shape_node: cst.BaseExpression | None = None
    shape: tuple[int | None, ...] | None = None
    default: cst.BaseExpression | None = None
    sparse: bool = False
    decides: bool = False  # an op takes it as a condition: a constant in its place must be a tensor


@dataclass(eq=False)
class Variable(Graphlike):
    """A variable; `trainable` as given; `collection` other than the default; `dtype` text where known."""

    trainable: bool = True
    initial: Value | None = None
    shape: tuple[int | None, ...] | None = None
    local: bool = False
    made_in_loop: bool = False
    layer: Graphlike | None = None  # the layer that owns it
    attribute: str | None = None  # its attribute on the layer
    average_of: tuple[MovingAverage, Variable] | None = None  # it is the shadow that keeps this variable's average


@dataclass(eq=False)
class MovingAverage(Graphlike):
    """A tf.train.ExponentialMovingAverage: `title` is its own name, `shadows` the averages it keeps by variable."""

    title: str | None = None
    shadows: dict[Variable, Variable] = field(default_factory=dict)


@dataclass(eq=False)
class Layer(Graphlike):
    """An object with variables made once: a Keras layer, or an instance of a function that became a class."""

    variables: list[Variable] = field(default_factory=list)
    form: Any = None
    holder: Layer | None = None  # the module of the function that makes it


@dataclass(eq=False)
class Optimizer(Graphlike):
    """An optimizer. `rate` is the learning rate's value, `symbol` the legacy class."""

    symbol: str = ""
    rate: Value | None = None
    rate_node: cst.BaseExpression | None = None
    call: cst.Call | None = None


@dataclass(eq=False)
class Gradients(Graphlike):
    """What compute_gradients or tf.gradients gives. `pairs`: (gradient, variable) tuples rather than gradients."""

    targets: tuple[Value, ...] = ()
    target_node: cst.BaseExpression | None = None
    sources: Value | None = None
    sources_node: cst.BaseExpression | None = None
    pairs: bool = False
    optimizer: Optimizer | None = None


@dataclass(eq=False)
class Operation(Graphlike):
    """An op without a value: a train op, a group, an initializer, a no-op.

    kind: minimize | apply | average | group | no_op | initializer | tables | iterator | other. `members` of a group.
    """

    kind: str = "other"
    members: tuple[Value, ...] = ()
    optimizer: Optimizer | None = None
    loss: Value | None = None
    loss_node: cst.BaseExpression | None = None
    variables: Value | None = None
    variables_node: cst.BaseExpression | None = None
    global_step: Variable | None = None
    global_step_node: cst.BaseExpression | None = None
    trained: tuple[Variable, ...] = ()
    iterator: Iterator_ | None = None
    layer: Layer | None = None  # whose averages an update op moves
    default_variables: bool = False
    averages: MovingAverage | None = None  # which moves


@dataclass(eq=False)
class Session(Graphlike):
    """A session; `graph` is the number of the graph whose variables it keeps the values of."""

    graph: int = 0


@dataclass(eq=False)
class Graph(Graphlike):
    """A graph; `default` marks the process's default one."""

    default: bool = False


@dataclass(eq=False)
class Saver(Graphlike):
    """A Saver; `variables` None means all that are saveable when it was made."""

    variables: tuple[tuple[str | None, Variable], ...] = ()
    all_: bool = True
    max_to_keep: cst.BaseExpression | None = None
    keep_all: bool = False


@dataclass(eq=False)
class Summary(Graphlike):
    """A summary op, or merged ones (`members`). kind: scalar | histogram | image | audio | text | merged."""

    kind: str = "scalar"
    tag: str | None = None
    tag_node: cst.BaseExpression | None = None
    value: Value | None = None
    value_node: cst.BaseExpression | None = None
    call: cst.Call | None = None
    members: tuple[Summary, ...] = ()
    turns: tuple[int, ...] = ()  # of the loops around it, outermost first


@dataclass(eq=False)
class SummaryResult(Host):
    """What running a summary op gives the host."""

    summary: Summary | None = None


@dataclass(eq=False)
class Writer(Graphlike):
    """A FileWriter."""


@dataclass(eq=False)
class Dataset(Graphlike):
    """A tf.data dataset; `fed` tells that it depends on placeholders."""

    fed: bool = False


@dataclass(eq=False)
class Iterator_(Graphlike):
    """An iterator. kind: one_shot | initializable | structure."""

    dataset: Dataset | None = None
    kind: str = "one_shot"


@dataclass(eq=False)
class Config(Graphlike):
    """A ConfigProto or GPUOptions with its settings (dotted name to expression)."""

    settings: dict[str, cst.BaseExpression] = field(default_factory=dict)


@dataclass(eq=False)
class Context(Value):
    """What a `with` statement enters. kind: session | graph | name_scope | variable_scope | device | control | none."""

    kind: str
    name: str | None = None
    value: Value | None = None
    controls: tuple[Value, ...] = ()
    reuse: object = None
    node: cst.BaseExpression | None = None
    initializer: cst.BaseExpression | None = None
    absolute: bool = False  # an entered variable scope: its name is the full one


@dataclass(eq=False)
class Method(Value):
    """A method of a Graphlike, a Sequence or a Mapping, not yet called."""

    receiver: Value
    name: str


def leaves(value: Value | None) -> Iterator[Value]:
    """All values inside sequences and mappings, and plain ones themselves."""
    if isinstance(value, Sequence):
        for item in value.items:
            yield from leaves(item)
    elif isinstance(value, Mapping):
        for entry in value.entries:
            yield from leaves(entry.value)
    elif isinstance(value, Host) and value.element is not None:
        yield from leaves(value.element)
    elif value is not None:
        yield value


def is_step(value: Value | None) -> bool:
    """Whether the value, or a part of it, is only known in a step."""
    return any(isinstance(v, Graphlike) and v.step for v in leaves(value))


def is_graph(value: Value | None) -> bool:
    """Whether the value, or a part of it, lives in the graph."""
    return any(isinstance(v, Graphlike) for v in leaves(value))
