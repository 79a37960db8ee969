"""The plan: what is to be made of a program, before any code is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

import libcst as cst

from tfmigrate.analysis.facts import CallFact, Fetch, Run, Scope, Statement, Structure
from tfmigrate.analysis.recurrent_cells import Cell
from tfmigrate.analysis.values import (
    Graphlike,
    Instance,
    Iterator_,
    Layer,
    Optimizer,
    Placeholder,
    Saver,
    Summary,
    Variable,
    Writer,
)
from tfmigrate.model import Finding, Place


class Phase(Enum):
    """The order inside a step: what is differentiated, other tensors, then effects and what depends on them."""

    TAPE = 0
    PURE = 1
    EFFECT = 2


@dataclass(eq=False)
class Parameter:
    """A parameter of a step function: a fed placeholder or tensor (`fed`), or a host value that changes between
    calls.
    """

    name: str
    fed: Graphlike | None = None
    host: tuple[Scope, str] | None = None
    element: Statement | None = None  # it is (a part of) what this statement takes from an iterator


@dataclass(eq=False)
class Unit:
    """A statement that moves into a step function, and in which phase it stands there."""

    statement: Statement
    phase: Phase


@dataclass(eq=False)
class KeptCall:
    """The call by which a step takes tensors that an object keeps: a function of the method that built them."""

    function: StepFunction
    text: str  # the object
    arguments: list[str]
    results: list[str]


@dataclass(eq=False)
class StepFunction:
    """A step function: the slice of some fetches."""

    name: str
    scope: Scope
    parameters: list[Parameter]
    constants: list[tuple[str, Placeholder, cst.BaseExpression]]
    units: list[Unit]
    structure: Structure
    runs: list[Run]
    anchor: Statement | None
    before: bool
    order: int
    keep_structure: bool = False
    effects: bool = False
    returns: list[Fetch] = field(default_factory=list)
    gradients: list[Graphlike] = field(default_factory=list)
    trains: bool = False
    updating: set[Graphlike] = field(default_factory=set)
    prefix: list[tuple[SharedFunction, list[str]]] = field(default_factory=list)
    plain: bool = False  # called within other steps only: no function of its own for TensorFlow
    kept: list[KeptCall] = field(default_factory=list)  # what it takes from objects
    kept_names: dict[Graphlike, str] = field(default_factory=dict)  # and what that is called in it
    receivers: dict[Run, str] = field(default_factory=dict)  # the objects through which runs elsewhere call it


@dataclass(eq=False)
class SharedFunction:
    """What several step functions have in common, made a function of its own."""

    name: str
    scope: Scope
    parameters: list[str]
    units: list[Unit]
    returns: list[str]
    updating: set[Graphlike] = field(default_factory=set)


@dataclass(eq=False)
class LayerClass:
    """A function that makes variables and computes with them: a tf.Module."""

    node: cst.FunctionDef
    path: str
    name: str
    scope: Scope
    build_parameters: list[str]
    call_parameters: list[str]
    build: list[Statement]
    call: list[Statement]
    attributes: dict[str, str]
    instances: dict[cst.Call, str] = field(default_factory=dict)
    calls: list[CallFact] = field(default_factory=list)


@dataclass(eq=False)
class IteratorPlan:
    """An iterator that is initialised while the program runs: its pipeline becomes a function, called at each
    initialisation.
    """

    iterator: Iterator_
    name: str
    function: str
    statement: Statement
    pipeline: list[Statement]
    parameters: list[Placeholder]


@dataclass(eq=False)
class SaverPlan:
    """A Saver: one Checkpoint, and where the save sites are known a CheckpointManager."""

    saver: Saver
    name: str
    managers: dict[cst.Call, str] = field(default_factory=dict)
    optimizers: list[Optimizer] = field(default_factory=list)
    objects: dict[Run, str] = field(default_factory=dict)  # through which saves and restores elsewhere reach it
    own: str = ""  # what the method that makes it calls that object
    restored: str = ""  # the attribute that then holds what is restored by old names


@dataclass(eq=False)
class Replication:
    """How a training step runs on replicas.

    `reductions` tell for each fetch (each member, of a merged summary) how the replicas' results are put together:
    MEAN, SUM, GATHER or SAME; `means` for what is differentiated whether it is a mean over the examples; `layers` that
    Keras layers are called, which make their variables when first called.
    """

    reductions: dict[Fetch, list[str]] = field(default_factory=dict)
    means: dict[Graphlike, bool] = field(default_factory=dict)
    layers: bool = False


@dataclass(eq=False)
class Plan:
    """All that becomes of one program. `refusals` is not empty where it cannot be converted."""

    entry: str
    locate: Callable[[cst.CSTNode], Place]
    kept: set[cst.CSTNode] = field(default_factory=set)  # statements that their author wants left alone
    steps: list[StepFunction] = field(default_factory=list)
    shared: list[SharedFunction] = field(default_factory=list)
    layers: dict[cst.FunctionDef, LayerClass] = field(default_factory=dict)
    layer_names: dict[Layer, str] = field(default_factory=dict)
    cell_builds: dict[Cell, str] = field(default_factory=dict)  # what makes a recurrent cell's weights early
    optimizer_names: dict[Optimizer, str] = field(default_factory=dict)
    optimizer_lists: dict[Optimizer, str] = field(default_factory=dict)
    variable_names: dict[Variable, str] = field(default_factory=dict)
    variable_lists: dict[Variable, str] = field(default_factory=dict)  # "*weights", for one of a list made in a loop
    spec_names: dict[Graphlike, str] = field(default_factory=dict)
    iterators: dict[Iterator_, IteratorPlan] = field(default_factory=dict)
    elements: dict[Statement, Iterator_] = field(
        default_factory=dict
    )  # `x, y = iterator.get_next()` of such an iterator
    iterator_names: dict[Iterator_, str] = field(default_factory=dict)
    summary_functions: dict[tuple[Writer, Summary], str] = field(default_factory=dict)
    summary_objects: dict[Run, str] = field(default_factory=dict)  # the objects whose functions write them
    handed_out: dict[Graphlike, str] = field(default_factory=dict)  # attributes added for what only locals name
    reached: dict[tuple[Scope, Graphlike], str] = field(default_factory=dict)
    initial_values: dict[Variable, str] = field(default_factory=dict)  # names that keep them, for later initializers
    initial_texts: dict[tuple[Scope, Variable], str] = field(default_factory=dict)  # what others call these names
    initial_attributes: set[Variable] = field(default_factory=set)  # those of them that are attributes of the object
    savers: dict[Saver, SaverPlan] = field(default_factory=dict)
    step_of: dict[Run, StepFunction] = field(default_factory=dict)
    replicated: dict[StepFunction, Replication] = field(default_factory=dict)  # where a strategy shares out the batch
    aggregations: dict[Variable, str] = field(default_factory=dict)  # of variables that a replicated step assigns
    builders: dict[Scope, Instance] = field(default_factory=dict)  # methods that build the graph of their object
    drivers: set[cst.CSTNode] = field(default_factory=set)  # functions (and modules) that build or run the graph
    unsplit: set[cst.FunctionDef] = field(default_factory=set)  # helpers without a form of their own: to be inlined
    rebound: dict[tuple[Scope, str], None] = field(default_factory=dict)  # names that mean another thing too soon
    removed: dict[Statement, None] = field(default_factory=dict)  # in the order in which the program comes to them
    removed_names: set[str] = field(default_factory=set)  # bound by what is removed
    fed_names: frozenset[str] = frozenset()  # names that mean a placeholder and nothing else
    refusals: dict[Finding, None] = field(default_factory=dict)  # each once, as they were found
    notes: dict[Finding, None] = field(default_factory=dict)

    def listed(self, variable: Variable, scope: Scope | None) -> str | None:
        """What a list in the scope holds for a variable: itself, or all of those that it was made with."""
        if scope is not None and (scope, variable) in self.reached:
            return self.reached[scope, variable]
        return self.variable_lists.get(variable) or self.text(variable, scope)

    def text(self, value: Graphlike, scope: Scope | None) -> str | None:
        """What code in the scope calls a variable, a layer or an optimizer."""
        reached = self.reached.get((scope, value)) if scope is not None else None
        if reached is not None:
            return reached
        if isinstance(value, Variable):
            held = self.reached.get((scope, value.layer)) if scope is not None and value.layer is not None else None
            return f"{held}.{value.attribute}" if held is not None else self.variable_names.get(value)
        if isinstance(value, Layer):
            return self.layer_names.get(value)
        return self.optimizer_names.get(value) if isinstance(value, Optimizer) else None
