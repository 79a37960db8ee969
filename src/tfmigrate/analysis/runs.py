"""Run sites: Session.run, eval, run, save, restore, add_summary; what is fetched and what is fed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.comprehensions import bound_inside
from tfmigrate.analysis.facts import Feed, Fetch, Run, Structure
from tfmigrate.analysis.session_turns import take_turn
from tfmigrate.analysis.signatures import arguments
from tfmigrate.analysis.values import (
    Context,
    Function,
    Gradients,
    Graph,
    Graphlike,
    Host,
    Layer,
    Mapping,
    Method,
    Operation,
    Placeholder,
    Saver,
    Sequence,
    Session,
    Summary,
    SummaryResult,
    Tensor,
    Value,
    Variable,
    Writer,
    is_step,
    leaves,
)
from tfmigrate.model import SiteKind

if TYPE_CHECKING:
    from tfmigrate.analysis.interpreter import Interpreter


def session_run(interp: Interpreter, receiver: Session, node: cst.Call) -> Value:
    """`sess.run(fetches, feed_dict)`."""
    args = arguments("session.run", node)
    for option in ("options", "run_metadata"):
        if option in args:
            value = interp.eval(args[option])
            if not (isinstance(value, Host) and value.literal is None):
                interp.note("TFM502", args[option], "run options and metadata have no counterpart; use the profiler")
    if "fetches" not in args:
        interp.refuse("TFM108", node, "the fetches are not given in the call")
        return Host()
    return _run(interp, node, args["fetches"], args.get("feed_dict"), receiver)


def evaluate(interp: Interpreter, receiver: Graphlike, node: cst.Call) -> Value:
    """`tensor.eval(feed_dict)`, `op.run(feed_dict)` and `variable.eval(session)`."""
    args = arguments("variable.eval" if isinstance(receiver, Variable) else "tensor.eval", node)
    assert isinstance(node.func, cst.Attribute)
    if "session" in args:
        interp.eval(args["session"])
    return _run(interp, node, node.func.value, args.get("feed_dict"), None)


def load(interp: Interpreter, receiver: Variable, node: cst.Call) -> Value:
    """`variable.load(value, sess)`: an assignment by the host."""
    args = arguments("variable.load", node)
    for name, argument in args.items():
        if name != "value":
            interp.eval(argument)
    run = _site(interp, node, SiteKind.ASSIGN)
    run.extra.update(args)
    return Host(None)


def record_read(interp: Interpreter, call: cst.Call, node: cst.BaseExpression, value: Variable) -> None:
    """A variable's value read by the host."""
    run = _site(interp, call, SiteKind.READ)
    run.fetch = Structure("leaf", Fetch(value, node, {}))


def _site(interp: Interpreter, node: cst.Call, kind: SiteKind) -> Run:
    run = interp.facts.runs.get(node)
    if run is None:
        run = Run(node, interp.statement, kind)
        interp.facts.runs[node] = run
    run.visits += 1
    interp.run_count += 1
    interp.statement.runs = True
    loops = tuple(interp.loop_stack)
    if len(loops) > len(run.loops):
        run.loops = loops
    return run


def _run(
    interp: Interpreter,
    call: cst.Call,
    fetches: cst.BaseExpression,
    feed: cst.BaseExpression | None,
    session: Session | None,
) -> Value:
    known = interp.facts.runs.get(call)
    before = known.fetch if known is not None else None
    structure = _structure(interp, fetches)
    feeds, feed_node = _feeds(interp, feed, call)
    kind = _kind(interp, structure, feeds, call)
    run = _site(interp, call, kind)
    if before is not None and not _same(before, structure):
        run.conflicting = True
    run.kind, run.fetch, run.session = kind, structure, session
    current = session or (interp.sessions[-1] if interp.sessions else interp.interactive)
    if current is not None:
        run.sessions.add(current)
        take_turn(interp, current, call)
    run.feeds = feeds if run.visits == 1 else _union(interp, run.feeds, feeds, call)
    if (
        run.visits > 1
        and (feed_node is None) is not (run.feed_node is None)
        and any(_may_default(f) for f in run.feeds)
    ):
        interp.refuse("TFM107", call, "what is fed here is None in some of the calls, and a placeholder has a default")
    run.feed_node = feed_node or run.feed_node
    if kind is SiteKind.INITIALIZER:
        interp.facts.initialized.append(run)
    return _result(structure)


def _union(interp: Interpreter, first: list[Feed], second: list[Feed], call: cst.Call) -> list[Feed]:
    """What is fed in one visit or in another; what is not in both is optional, and what differs has no expression."""
    found: list[Feed] = []
    for feed in second:
        before = next((f for f in first if _same_value(f.key, feed.key)), None)
        if before is None:
            feed = _optional(interp, feed, call)
        elif before.optional or before.node is not feed.node:
            feed = replace(feed, node=None, value=Host(), optional=before.optional)
        found.append(feed)
    missing = [f for f in first if not any(_same_value(f.key, feed.key) for feed in second)]
    return found + [_optional(interp, feed, call) for feed in missing]


def _optional(interp: Interpreter, feed: Feed, call: cst.Call) -> Feed:
    if not isinstance(feed.key, Placeholder):
        interp.refuse("TFM107", call, "a tensor that is computed is fed in some of the calls only")
    return replace(feed, node=None, value=Host(), optional=True)


def _may_default(feed: Feed) -> bool:
    return feed.optional and isinstance(feed.key, Placeholder) and feed.key.default is not None


def _same(first: Structure, second: Structure) -> bool:
    one, other = list(first.leaves()), list(second.leaves())
    return len(one) == len(other) and all(_same_value(a.value, b.value) for a, b in zip(one, other, strict=True))


def _same_value(first: Value, second: Value) -> bool:
    if isinstance(first, Sequence) and isinstance(second, Sequence) and len(first.items) == len(second.items):
        return all(_same_value(a, b) for a, b in zip(first.items, second.items, strict=True))
    place = _place_of(first)
    return first is second or (place is not None and place is _place_of(second))


def _place_of(value: Value) -> object:
    """The expression that made a value: in the second pass over a loop it makes another one, which means the same."""
    return value.expression if isinstance(value, Graphlike) and not isinstance(value, Variable) else None


def _result(structure: Structure) -> Value:
    if structure.kind == "leaf":
        assert structure.leaf is not None
        if isinstance(structure.leaf.value, Operation):
            return Host(None)
        if isinstance(structure.leaf.value, Summary):
            return SummaryResult(summary=structure.leaf.value)
        return Host(random=True)
    if structure.kind == "dict":
        return Host(random=True)
    return Sequence([_result(item) for item in structure.items], structure.kind == "tuple")


def _structure(interp: Interpreter, node: cst.BaseExpression) -> Structure:
    if isinstance(node, (cst.List, cst.Tuple)) and not any(isinstance(e, cst.StarredElement) for e in node.elements):
        interp.facts.visited.add(node)
        return Structure(
            "tuple" if isinstance(node, cst.Tuple) else "list",
            items=[_structure(interp, e.value) for e in node.elements],
        )
    if isinstance(node, cst.Dict) and all(isinstance(e, cst.DictElement) for e in node.elements):
        items = [_structure(interp, e.value) for e in node.elements]
        keys = [e.key for e in node.elements if isinstance(e, cst.DictElement)]
        for key in keys:
            interp.eval(key)
        return Structure("dict", items=items, keys=keys)
    value, uses = interp.collect(node)
    local = bound_inside(node)
    uses = {key: defs for key, defs in uses.items() if key[1] not in local}
    return _of_value(interp, value, node, uses)


def _of_value(interp: Interpreter, value: Value, node: cst.BaseExpression | None, uses: dict) -> Structure:  # type: ignore[type-arg]
    if isinstance(value, Sequence):
        if value.open_ or (node is not None and not _named(value)):
            return Structure("leaf", Fetch(value, node, uses))
        return Structure(
            "tuple" if value.tuple_ else "list", items=[_of_value(interp, v, None, uses) for v in value.items]
        )
    if isinstance(value, Mapping):
        interp.refuse("TFM108", node or cst.Name("x"), "a dict of fetches that is built elsewhere")
        return Structure("leaf", Fetch(value, node, uses))
    if isinstance(value, Host) and isinstance(value.literal, str):
        found = by_name(interp, value, node or cst.Name("x"))
        if found is not None:
            return Structure("leaf", Fetch(found, None, uses))
    elif not isinstance(value, (Graphlike,)) and not interp.uncalled:
        interp.refuse("TFM108", node or cst.Name("x"), "what is fetched here is not known to be one thing of the graph")
    return Structure("leaf", Fetch(value, node, uses))


def _named(value: Sequence) -> bool:
    """Whether each part can be fetched by a name of its own."""
    return all(
        _named(v)
        if isinstance(v, Sequence)
        else isinstance(v, Graphlike) and (v.name is not None or isinstance(v, (Variable, Operation)))
        for v in value.items
    )


def by_name(interp: Interpreter, value: Value, node: cst.BaseExpression) -> Graphlike | None:
    """The tensor of that name ("x:0"), where one was made with it."""
    if isinstance(value, Host) and isinstance(value.literal, str):
        found = interp.named.get(value.literal.split(":")[0])
        if found is None:
            found = next((v for v in interp.graph_variables if v.legacy_name == value.literal.split(":")[0]), None)
        if found is not None:
            return found
    if not interp.uncalled:
        interp.refuse("TFM109", node, "a tensor is taken by a name that no statement of the program gives")
    return None


def _feeds(
    interp: Interpreter, node: cst.BaseExpression | None, call: cst.Call
) -> tuple[list[Feed], cst.BaseExpression | None]:
    if node is None:
        return [], None
    value = interp.eval(node)
    if isinstance(value, Host) and value.literal is None:
        return [], None
    if not isinstance(value, Mapping):
        if not interp.uncalled:
            interp.refuse("TFM107", node, "what is fed here is not known statically")
        return [], node
    inline = isinstance(node, cst.Dict)
    feeds: list[Feed] = []
    for entry in value.entries:
        key: Value | None = entry.key
        if isinstance(key, Host) and isinstance(key.literal, str):
            key = by_name(interp, key, node)
        if not isinstance(key, Graphlike):
            if not interp.uncalled:
                interp.refuse("TFM107", node, "something is fed that is not known to be a tensor of the graph")
            continue
        feed = Feed(key, entry.value_node, entry.value, inline)
        if any(f.key is key for f in feeds):
            feeds = [f for f in feeds if f.key is not key]
            feed = replace(feed, node=None, value=Host())  # of two branches, or of two updates
        feeds.append(feed)
    if value.open_ and any(isinstance(f.key, Tensor) for f in feeds):
        interp.refuse("TFM107", node, "what is fed here depends on the flow of control")
    if value.open_:
        feeds = [replace(feed, node=None, value=Host(), optional=True) for feed in feeds]
    return feeds, node


def _kind(interp: Interpreter, structure: Structure, feeds: list[Feed], call: cst.Call) -> SiteKind:
    values = [leaf.value for leaf in structure.leaves()]
    operations = [v for v in values if isinstance(v, Operation)]
    if values and all(isinstance(v, Operation) and _initializes(v) for v in values):
        if any(v.kind == "iterator" for v in operations):
            return SiteKind.ITERATOR
        mine = {m for o in operations for m in _members(o)}
        again = (
            bool(interp.loop_stack)
            or _from_elsewhere(interp, call, mine)
            or any(mine & seen for other, seen in interp.initialized_members.items() if other is not call)
        )
        interp.initialized_members[call] = mine
        return SiteKind.REINITIALIZER if again and not _only_tables(operations) else SiteKind.INITIALIZER
    if values and all(isinstance(v, Variable) for v in values) and not feeds:
        return SiteKind.READ
    if (
        values
        and all(isinstance(v, (Tensor, Variable)) and not is_step(v) for v in values)
        and not any(f.key in values for f in feeds)
    ):
        return SiteKind.READ
    if values and not feeds and all(_host_assignment(interp, leaf) for leaf in structure.leaves()):
        return SiteKind.ASSIGN
    return SiteKind.CALL


def _from_elsewhere(interp: Interpreter, call: cst.Call, members: set[Value]) -> bool:
    """Whether another call of the function around initializes variables again that it does not make itself."""
    came = interp.initializer_calls.setdefault(call, tuple(interp.call_sites))
    lasting = any(
        isinstance(m, Variable) and m.scope is not None and m.scope.node not in interp.calling for m in members
    )
    return came != tuple(interp.call_sites) and lasting


def _members(operation: Operation) -> set[Value]:
    found: set[Value] = set()
    for member in operation.members:
        found |= _members(member) if isinstance(member, Operation) else {member}
    return found


def _only_tables(operations: list[Operation]) -> bool:
    return all(o.legacy_name in ("tables", "local") for o in operations)


def _initializes(value: Operation) -> bool:
    if value.kind in ("initializer", "iterator"):
        return True
    return (
        value.kind == "group"
        and bool(value.members)
        and all(isinstance(m, Operation) and _initializes(m) for m in value.members)
    )


def _host_assignment(interp: Interpreter, leaf: Fetch) -> bool:
    """An assignment of a host value that is made in the run's own arguments: the host can do it directly."""
    value = leaf.value
    if not (isinstance(value, Tensor) and value.effect and leaf.node is not None and value.expression is leaf.node):
        return False
    return not any(is_step(v) or (isinstance(v, Variable) and i > 0) for i, v in enumerate(value.inputs))


def saver(interp: Interpreter, receiver: Saver, name: str, node: cst.Call) -> Value:
    """`saver.save(...)`, `saver.restore(...)`."""
    kind = {"save": SiteKind.SAVE, "restore": SiteKind.RESTORE}.get(name)
    if kind is None:
        for argument in node.args:
            interp.eval(argument.value)
        if name not in ("last_checkpoints", "as_saver_def"):
            interp.refuse("TFM126", node, f"Saver.{name}")
        return Host()
    args = arguments(f"saver.{name}", node)
    run_values = {key: interp.eval(argument) for key, argument in args.items()}
    run = _site(interp, node, kind)
    run.saver = receiver
    run.extra, run.values = args, run_values
    if isinstance(node.func, cst.Attribute):
        run.receiver_node = node.func.value
    return Host(random=True)


def writer(interp: Interpreter, receiver: Writer, name: str, node: cst.Call) -> Value:
    """`writer.add_summary(...)` and the like."""
    args = arguments(f"writer.{name}", node)
    values = {key: interp.eval(argument) for key, argument in args.items()}
    if name == "add_summary":
        run = _site(interp, node, SiteKind.SUMMARY)
        run.extra, run.values, run.saver = args, values, receiver
        if isinstance(node.func, cst.Attribute):
            run.receiver_node = node.func.value
    elif name == "add_graph":
        interp.facts.dropped_calls.add(node)
    elif name not in ("close", "flush", "get_logdir", "reopen"):
        interp.refuse("TFM125", node, f"FileWriter.{name}")
    return Host()


__all__ = [
    "Context",
    "Function",
    "Gradients",
    "Graph",
    "Layer",
    "Method",
    "Summary",
    "by_name",
    "evaluate",
    "leaves",
    "load",
    "saver",
    "session_run",
    "writer",
]
