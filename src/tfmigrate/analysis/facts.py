"""The graph program: what the interpreter found out about every statement, value and run site."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.dimensions import Dimension
from tfmigrate.analysis.values import (
    Function,
    Gradients,
    Graphlike,
    Instance,
    Iterator_,
    Layer,
    Mapping,
    Operation,
    Placeholder,
    Session,
    Summary,
    Value,
    Variable,
)
from tfmigrate.model import Finding, SiteKind

if TYPE_CHECKING:
    from tfmigrate.analysis.api_queues import QueueCall

Node = cst.SimpleStatementLine | cst.BaseCompoundStatement


class Binding(Enum):
    """When a statement's work is done (see docs/architecture.md, binding times)."""

    HOST = "host"
    CONSTANT = "constant"  # a tensor with nothing of the graph behind it: evaluated eagerly, where it stands
    RANDOM = "random"  # draws: in the build part where an initial value needs it, in a step where a fetch does
    BUILD = "build"
    STEP = "step"
    DROP = "drop"  # sessions, initializers, graphs: gone


@dataclass(eq=False)
class Scope:
    """A module or a function: where names live."""

    node: cst.Module | cst.FunctionDef | cst.Lambda | cst.ClassDef
    path: str
    parent: Scope | None
    name: str = ""
    statements: list[Statement] = field(default_factory=list)
    bound: set[str] = field(default_factory=set)

    @property
    def is_module(self) -> bool:
        """Whether this is a module's scope."""
        return isinstance(self.node, cst.Module)

    @property
    def place(self) -> str:
        """The scope's file and names, which stay when its node is made anew."""
        return ":".join([self.path, *(s.name for s in self.ancestors())])

    def ancestors(self) -> Iterator[Scope]:
        """This scope and those around it."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent


Uses = dict[tuple[Scope, str], set["Statement"]]


@dataclass(eq=False)
class Lift:
    """A build-once expression inside a step statement: it gets a statement of its own before it."""

    expression: cst.Call
    value: Graphlike


@dataclass(eq=False)
class Statement:
    """One statement (a simple line or a compound) of a scope, with all that its evaluations showed."""

    node: Node
    scope: Scope
    parent: Statement | None
    order: int
    block: str = "body"
    uses: Uses = field(default_factory=dict)
    defines: set[str] = field(default_factory=set)
    mutates: set[str] = field(default_factory=set)
    value: Value | None = None
    values: list[Value] = field(default_factory=list)
    made: list[Graphlike] = field(default_factory=list)
    lifts: dict[cst.Call, Lift] = field(default_factory=dict)
    controls: list[Value] = field(default_factory=list)
    runs: bool = False
    reads_step: list[Graphlike] = field(default_factory=list)
    effect: bool = False
    session_with: bool = False
    transparent: bool = False  # a `with` that only named or placed things
    visits: int = 0
    escapes: bool = False  # return, break, continue, raise, yield

    @property
    def loops(self) -> tuple[Statement, ...]:
        """The loops around this statement within its scope, outermost first."""
        found: list[Statement] = []
        at = self.parent
        while at is not None:
            if isinstance(at.node, (cst.For, cst.While)):
                found.append(at)
            at = at.parent
        return tuple(reversed(found))

    def within(self, other: Statement) -> bool:
        """Whether this statement is `other` or stands inside it."""
        at: Statement | None = self
        while at is not None:
            if at is other:
                return True
            at = at.parent
        return False


@dataclass(eq=False)
class Fetch:
    """One leaf of a fetch structure: its value, the expression that names it and what that expression uses."""

    value: Value
    node: cst.BaseExpression | None
    uses: Uses


@dataclass(eq=False)
class Structure:
    """The shape of a fetch: a leaf, or list, tuple or dict of structures."""

    kind: str  # leaf | list | tuple | dict
    leaf: Fetch | None = None
    items: list[Structure] = field(default_factory=list)
    keys: list[cst.BaseExpression] = field(default_factory=list)

    def leaves(self) -> Iterator[Fetch]:
        """All leaves, in order."""
        if self.leaf is not None:
            yield self.leaf
        for item in self.items:
            yield from item.leaves()


@dataclass(eq=False)
class Feed:
    """One entry of a feed: the thing fed, the value's expression at the run site, or the expression to look it up.

    `node` is None where the value is not the same expression in every call.
    """

    key: Graphlike
    node: cst.BaseExpression | None
    value: Value
    inline: bool  # the dict stands in the call itself
    optional: bool = False  # not in every dict that is fed here


@dataclass(eq=False)
class AttributeWrite:
    """`self.loss = …`: an object's attribute bound by a statement."""

    target: cst.Attribute
    receiver: str  # the text before the dot
    name: str
    instance: Instance
    value: Value
    statement: Statement


@dataclass(eq=False)
class Run:
    """A run site."""

    call: cst.Call
    statement: Statement
    kind: SiteKind
    fetch: Structure | None = None
    feeds: list[Feed] = field(default_factory=list)
    feed_node: cst.BaseExpression | None = None
    session: Session | None = None
    visits: int = 0
    loops: tuple[Statement, ...] = ()
    conflicting: bool = False
    saver: Graphlike | None = None
    receiver_node: cst.BaseExpression | None = None
    extra: dict[str, cst.BaseExpression] = field(default_factory=dict)
    values: dict[str, Value] = field(default_factory=dict)
    sessions: set[Session] = field(default_factory=set)


@dataclass(eq=False)
class CallFact:
    """A call of a user's function that touches the graph: which function, with what, what it made."""

    call: cst.Call
    function: Function
    statement: Statement
    arguments: dict[str, Value]
    argument_nodes: dict[str, cst.BaseExpression]
    result: Value
    made: list[Graphlike]
    layer: Layer | None = None
    runs: bool = False


@dataclass(eq=False)
class CollectionUse:
    """A call that fills or reads a collection of the graph with this number.

    kind: add | made (a loss that puts itself there) | regularizer | read | filtered (read by a part of the names).
    """

    call: cst.Call
    statement: Statement
    key: str
    graph: int
    kind: str
    value: Value
    uncalled: bool = False  # it stands in a function that nothing calls


@dataclass(eq=False)
class Facts:
    """All facts of one program, over its files."""

    scopes: dict[cst.CSTNode, Scope] = field(default_factory=dict)
    statements: dict[cst.CSTNode, Statement] = field(default_factory=dict)
    symbols: dict[cst.CSTNode, str] = field(default_factory=dict)  # Name or Attribute -> resolved API name
    values: dict[cst.CSTNode, Value] = field(default_factory=dict)  # expressions of interest
    runs: dict[cst.Call, Run] = field(default_factory=dict)
    calls: dict[cst.Call, list[CallFact]] = field(default_factory=dict)
    variables: list[Variable] = field(default_factory=list)
    placeholders: list[Placeholder] = field(default_factory=list)
    refusals: dict[Finding, None] = field(default_factory=dict)  # each once, as they were found
    of_graphs: set[Finding] = field(default_factory=set)  # refusals of what an eager program may do
    notes: dict[Finding, None] = field(default_factory=dict)
    functions: dict[cst.CSTNode, list[CallFact]] = field(default_factory=dict)
    visited: set[cst.CSTNode] = field(default_factory=set)
    collected: dict[cst.Call, Value] = field(default_factory=dict)  # get_collection and the like: what they gave
    late_collections: set[cst.Call] = field(default_factory=set)
    with_slots: set[cst.Call] = field(default_factory=set)
    collection_uses: list[CollectionUse] = field(default_factory=list)
    additions: dict[cst.Call, Value] = field(default_factory=dict)
    gradients: dict[cst.Call, Gradients] = field(default_factory=dict)
    trained: dict[Graphlike, tuple[Variable, ...]] = field(default_factory=dict)
    layers: dict[tuple[cst.Call, str | None], Layer] = field(default_factory=dict)
    shared_layers: dict[str, Layer] = field(default_factory=dict)
    layer_calls: dict[cst.Call, Layer] = field(default_factory=dict)
    layer_results: dict[cst.Call, Layer] = field(default_factory=dict)
    made_layers: list[Layer] = field(default_factory=list)
    summaries: dict[cst.Call, Summary] = field(default_factory=dict)
    reused: list[tuple[cst.Call, Variable]] = field(default_factory=list)
    nexts: dict[cst.Call, Iterator_] = field(default_factory=dict)
    static_reads: dict[cst.CSTNode, Graphlike] = field(default_factory=dict)
    shape_sets: list[cst.Call] = field(default_factory=list)
    queues: dict[cst.Call, QueueCall] = field(default_factory=dict)
    printed: dict[cst.Call, Graphlike] = field(default_factory=dict)
    callbacks: set[cst.CSTNode] = field(default_factory=set)
    default_initializers: dict[cst.Call, cst.BaseExpression] = field(default_factory=dict)  # of variable scopes
    picked: set[cst.Call] = field(default_factory=set)  # run sites of which one value is taken by a literal index
    dropped_calls: set[cst.Call] = field(default_factory=set)
    config_settings: list[tuple[Graphlike, cst.Attribute]] = field(default_factory=list)
    initialized: list[Run] = field(default_factory=list)
    checkpoint_reads: list[cst.Call] = field(default_factory=list)  # names or values of a checkpoint read by the host
    meta_reads: list[cst.BaseExpression] = field(default_factory=list)  # text that names a .meta file
    attribute_writes: list[AttributeWrite] = field(default_factory=list)
    instances: dict[cst.ClassDef, list[Instance]] = field(default_factory=dict)
    offered: set[cst.CSTNode] = field(default_factory=set)  # methods of the program's objects that nothing calls
    dimensions: dict[cst.Subscript, Dimension] = field(default_factory=dict)  # read off static shapes of tensors
    eager: bool = False  # the program is eager already: only its symbols change
    slotted: bool = False  # an optimizer has made slot variables
    averaging: dict[Statement, Operation] = field(default_factory=dict)  # which call ExponentialMovingAverage.apply
    restored: dict[cst.Call, Mapping] = field(default_factory=dict)  # what variables_to_restore() gave

    @cached_property
    def names_made(self) -> dict[cst.BaseExpression | None, set[str | None]]:
        """The names of the variables that each place makes; asked for once all is interpreted."""
        found: dict[cst.BaseExpression | None, set[str | None]] = {}
        for variable in self.variables:
            found.setdefault(variable.expression, set()).add(variable.legacy_name)
        return found

    loops: dict[Graphlike, tuple[Statement, ...]] = field(default_factory=dict)  # around the making, over all calls
