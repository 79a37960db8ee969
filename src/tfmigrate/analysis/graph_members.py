"""Attributes and methods of things in the graph and of containers, and the builtins that matter."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import libcst as cst

from tfmigrate.analysis import api_training, api_variables, runs
from tfmigrate.analysis.frames import element
from tfmigrate.analysis.values import (
    Config,
    Context,
    Dataset,
    Gradients,
    Graph,
    Graphlike,
    Host,
    Iterator_,
    Layer,
    Mapping,
    MappingEntry,
    Method,
    Operation,
    Optimizer,
    Placeholder,
    Saver,
    Sequence,
    Session,
    Symbol,
    Tensor,
    Unknown,
    Value,
    Variable,
    Writer,
    is_graph,
    is_step,
    leaves,
)

if TYPE_CHECKING:
    from tfmigrate.analysis.expressions import Expressions
    from tfmigrate.analysis.interpreter import Interpreter

SHAPE = frozenset({"shape", "get_shape"})
STATIC = frozenset({"shape", "get_shape", "dtype", "name", "op", "device", "graph", "consumers", "set_shape"})


def attribute(interp: Expressions, receiver: Value, name: str, node: cst.Attribute) -> Value:
    """The value of `receiver.name`."""
    if isinstance(receiver, (Sequence, Mapping)):
        return Method(receiver, name)
    if isinstance(receiver, Session):
        if name == "graph":
            return Graph()
        return Method(receiver, name)
    if isinstance(receiver, Config):
        return Config(settings=receiver.settings) if name.endswith("options") else Host()
    if isinstance(receiver, Iterator_) and name == "initializer":
        made = Operation(kind="iterator", iterator=receiver, step=True)
        interp.made(made, node)
        return made
    if isinstance(receiver, Variable):
        if name == "name" and receiver.legacy_name is not None:
            return Host(receiver.legacy_name + ":0")
        if name == "initializer":
            return Operation(kind="initializer", members=(receiver,), legacy_name="initializer")
        if name == "op":
            return _Op(receiver)
        if name == "shape":
            return _shape(receiver)
        if name in ("dtype", "device"):
            return Host()
        return Method(receiver, name)
    if isinstance(receiver, _Op):
        if name == "name" and isinstance(receiver.of, Variable) and receiver.of.legacy_name is not None:
            return Host(receiver.of.legacy_name)
        return Host()
    if isinstance(receiver, (Tensor, Placeholder, Gradients)):
        if name in ("shape", "dtype", "name", "op", "device", "graph"):
            _static_read(interp, receiver, name, node)
            return _shape(receiver) if name == "shape" else Host()
        if name in ("values", "indices", "dense_shape"):
            return Tensor(step=receiver.step, inputs=(receiver,))
        return Method(receiver, name)
    if isinstance(receiver, Operation):
        return Method(receiver, name) if name == "run" else Host()
    return Method(receiver, name)


class _Op(Graphlike):
    """The op behind a variable."""

    def __init__(self, of: Variable) -> None:
        super().__init__()
        self.of = of


def _shape(value: Value) -> Value:
    shape = getattr(value, "shape", None)
    if shape is None:
        return Host()
    return Sequence([Host(d) if d is not None else Host(None) for d in shape], tuple_=True)


def _static_read(interp: Expressions, receiver: Graphlike, name: str, node: cst.BaseExpression) -> None:
    """Host code looks at a tensor itself rather than at its value."""
    if receiver.step:
        interp.statement.reads_step.append(receiver)
        interp.facts.static_reads[node] = receiver


def set_attribute(interp: Expressions, receiver: Graphlike, name: str, value: Value, target: cst.Attribute) -> None:
    """`receiver.name = value`."""
    if isinstance(receiver, Config):
        receiver.settings[_dotted(target)] = target
        interp.facts.config_settings.append((receiver, target))
        return
    if isinstance(receiver, (Session, Graph)):
        return
    interp.refuse("TFM113", target, "an attribute of something in the graph is set")


def _dotted(node: cst.BaseExpression) -> str:
    names: list[str] = []
    while isinstance(node, cst.Attribute):
        names.append(node.attr.value)
        node = node.value
    return ".".join(reversed(names))


def parts(value: Graphlike, count: int) -> list[Value]:
    """What unpacking something of the graph gives."""
    if isinstance(value, Gradients):
        sources = list(leaves(value.sources)) if value.sources is not None else []
        if not value.pairs and len(sources) == count:
            return [Tensor(step=True, inputs=(value, s)) for s in sources]
        return [Tensor(step=True, inputs=(value,)) for _ in range(count)]
    if isinstance(value, (Variable, Tensor, Placeholder)):
        step = value.step or isinstance(value, (Variable, Placeholder))
        nested = isinstance(value, Tensor) and value.nested
        return [Tensor(step=step, inputs=(value,), nested=nested) for _ in range(count)]
    return [Unknown("a part") for _ in range(count)]


def keywords(items: list[tuple[str, Value]]) -> Mapping:
    """The dict of a function's **kwargs."""
    return Mapping([MappingEntry(Host(key), value, None) for key, value in items])


def call(interp: Interpreter, method: Method, node: cst.Call) -> Value:
    """The value of a method call."""
    receiver, name = method.receiver, method.name
    if isinstance(receiver, Session):
        return _session(interp, receiver, name, node)
    if isinstance(receiver, Optimizer):
        return _optimizer(interp, receiver, name, node)
    if isinstance(receiver, Saver):
        return runs.saver(interp, receiver, name, node)
    if isinstance(receiver, Writer):
        return runs.writer(interp, receiver, name, node)
    if isinstance(receiver, Dataset):
        if name.startswith("make_"):
            kind = "one_shot" if "one_shot" in name else "initializable"
            return api_training.iterator(interp, receiver, node, kind)
        return api_training.dataset_method(interp, receiver, name, node)
    if isinstance(receiver, Iterator_):
        return _iterator(interp, receiver, name, node)
    if isinstance(receiver, Variable):
        return _variable(interp, receiver, name, node)
    if isinstance(receiver, (Tensor, Placeholder, Gradients, Operation)):
        return _tensor(interp, receiver, name, node)
    if isinstance(receiver, Graph):
        return _graph(interp, receiver, name, node)
    if isinstance(receiver, Context):
        for argument in node.args:
            interp.eval(argument.value)
        return Host()
    values = [interp.eval(argument.value) for argument in node.args]
    if isinstance(receiver, Sequence):
        return _sequence(interp, receiver, name, node, values)
    if isinstance(receiver, Mapping):
        return _mapping(interp, receiver, name, node, values)
    if any(isinstance(v, Session) for value in values for v in leaves(value)):
        interp.refuse("TFM112", node, "a session is given to a function whose source is not in the tree")
    elif any(is_step(v) for v in values) and not (isinstance(receiver, Host) and isinstance(receiver.literal, str)):
        interp.refuse("TFM110", node, f"a tensor is given to {name}(), whose source is not in the tree")
    if isinstance(receiver, Host) and name in (
        "startswith",
        "endswith",
        "split",
        "replace",
        "lower",
        "format",
        "strip",
        "find",
    ):
        return _string(receiver, name, values)
    return Host(random=True)


def _string(receiver: Host, name: str, values: list[Value]) -> Value:
    arguments = [v.literal if isinstance(v, Host) else None for v in values]
    if isinstance(receiver.literal, str) and all(isinstance(v, Host) and v.known for v in values):
        try:
            result: Any = getattr(receiver.literal, name)(*arguments)
        except (TypeError, ValueError, IndexError, KeyError):
            return Host()
        return Sequence([Host(p) for p in result]) if isinstance(result, list) else Host(result)
    return Host()


def _session(interp: Interpreter, receiver: Session, name: str, node: cst.Call) -> Value:
    if name == "run":
        return runs.session_run(interp, receiver, node)
    if name in ("as_default", "__enter__"):
        return Context("session", value=receiver)
    for argument in node.args:
        interp.eval(argument.value)
    if name in ("partial_run", "partial_run_setup", "make_callable"):
        interp.refuse("TFM115", node, f"Session.{name} evaluates a graph in pieces")
    if name in ("close", "__exit__"):
        interp.facts.dropped_calls.add(node)
    return Host()


def _optimizer(interp: Interpreter, receiver: Optimizer, name: str, node: cst.Call) -> Value:
    if name == "minimize":
        return api_training.minimize(interp, receiver, node)
    if name == "compute_gradients":
        return api_training.compute_gradients(interp, receiver, node)
    if name == "apply_gradients":
        return api_training.apply_gradients(interp, receiver, node)
    for argument in node.args:
        interp.eval(argument.value)
    interp.refuse("TFM131", node, f"Optimizer.{name}")
    return Host()


def _iterator(interp: Interpreter, receiver: Iterator_, name: str, node: cst.Call) -> Value:
    for argument in node.args:
        interp.eval(argument.value)
    if name == "get_next":
        made = Tensor(step=True, inputs=(receiver,), nested=True)
        interp.made(made, node)
        interp.facts.nexts[node] = receiver
        return made
    interp.refuse("TFM127", node, f"Iterator.{name}")
    return Host()


def _variable(interp: Interpreter, receiver: Variable, name: str, node: cst.Call) -> Value:
    if name == "eval":
        return runs.evaluate(interp, receiver, node)
    values: dict[str, Value] = {}
    for argument in node.args:
        values[str(len(values))] = interp.eval(argument.value)
    if name in (
        "assign",
        "assign_add",
        "assign_sub",
        "scatter_update",
        "scatter_add",
        "scatter_sub",
        "scatter_nd_update",
    ):
        return api_variables.assignment(interp, node, receiver, {"ref": receiver, **values})
    if name == "load":
        return runs.load(interp, receiver, node)
    if name in ("initialized_value", "read_value", "value"):
        made = Tensor(step=name != "initialized_value", inputs=(receiver,), shape=receiver.shape)
        interp.made(made, node)
        return made
    if name == "get_shape":
        return _shape(receiver)
    if name == "set_shape":
        interp.refuse("TFM111", node, "the static shape of a variable is set")
    return Host()


def _tensor(interp: Interpreter, receiver: Graphlike, name: str, node: cst.Call) -> Value:
    if name in ("eval", "run"):
        return runs.evaluate(interp, receiver, node)
    for argument in node.args:
        interp.eval(argument.value)
    if name == "get_shape":
        _static_read(interp, receiver, name, node)
        return _shape(receiver)
    if name == "set_shape":
        interp.facts.shape_sets.append(node)
        interp.statement.effect = True
        for leaf in [receiver]:
            receiver_node = node.func.value if isinstance(node.func, cst.Attribute) else None
            if receiver_node is not None:
                interp.mutated(receiver_node)
            del leaf
        return Operation(kind="no_op", step=True)
    made = Tensor(step=receiver.step or isinstance(receiver, Placeholder), inputs=(receiver,))
    interp.made(made, node)
    return made


def _graph(interp: Interpreter, receiver: Graph, name: str, node: cst.Call) -> Value:
    values = [interp.eval(a.value) for a in node.args]
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


def _sequence(interp: Interpreter, receiver: Sequence, name: str, node: cst.Call, values: list[Value]) -> Value:
    target = node.func.value if isinstance(node.func, cst.Attribute) else None
    if name in ("append", "insert", "extend", "add", "reverse", "remove", "pop", "sort", "clear", "update"):
        if name in ("append", "add") and values:
            if values[0] not in receiver.items:
                receiver.items.append(values[0])
        elif name == "insert" and len(values) > 1:
            receiver.items.insert(0, values[1])
            receiver.open_ |= not (isinstance(values[0], Host) and values[0].literal == 0)
        elif name in ("extend", "update") and values:
            items = values[0].items if isinstance(values[0], Sequence) else [element(values[0])]
            receiver.items.extend(i for i in items if i not in receiver.items)
        elif name == "reverse":
            receiver.items.reverse()
        else:
            receiver.open_ = True
        receiver.open_ |= bool(interp.loop_stack)
        if target is not None:
            interp.mutated(target)
        if name == "pop":
            return element(receiver)
        return receiver if is_graph(receiver) else Host(None)
    if name in ("as_list", "copy"):
        return Sequence(list(receiver.items), open_=receiver.open_)
    if name == "num_elements":
        return Host()
    return Host()


def _mapping(interp: Interpreter, receiver: Mapping, name: str, node: cst.Call, values: list[Value]) -> Value:
    if name == "items":
        return Sequence([Sequence([e.key, e.value], True) for e in receiver.entries], open_=receiver.open_)
    if name == "values":
        return Sequence([e.value for e in receiver.entries], open_=receiver.open_)
    if name == "keys":
        return Sequence([e.key for e in receiver.entries], open_=receiver.open_)
    if name == "update":
        for value in values:
            if isinstance(value, Mapping):
                receiver.entries.extend(MappingEntry(e.key, e.value, None) for e in value.entries)
        if isinstance(node.func, cst.Attribute):
            interp.mutated(node.func.value)
        return Host(None)
    if name == "copy":
        return Mapping(list(receiver.entries), receiver.open_)
    if name == "get" and receiver.entries:
        return element(Sequence([e.value for e in receiver.entries]))
    return Host()


_CONVERSIONS: dict[str, Callable[[Any], Any]] = {"int": int, "float": float, "str": str, "bool": bool, "abs": abs}


def builtin(interp: Expressions, name: str, node: cst.Call) -> Value:
    """A call of a Python builtin."""
    values = [interp.eval(argument.value) for argument in node.args]
    first = values[0] if values else Host()
    if name in ("list", "tuple", "sorted", "reversed", "set", "iter"):
        if isinstance(first, Gradients):
            return first
        if isinstance(first, Sequence):
            items = list(reversed(first.items)) if name == "reversed" else list(first.items)
            return Sequence(items, name == "tuple", first.open_)
        if isinstance(first, Mapping):
            return Sequence([e.key for e in first.entries], open_=first.open_)
        return (
            first
            if values and is_graph(first)
            else (
                Sequence([])
                if not values and name in ("list", "set", "tuple")
                else Host(element=first.element if isinstance(first, Host) else None)
            )
        )
    if name == "zip":
        return _zip(values, any(a.star == "*" for a in node.args))
    if name == "enumerate":
        if isinstance(first, Sequence):
            return Sequence([Sequence([Host(), i], True) for i in first.items], open_=first.open_)
        return Host(element=Sequence([Host(), element(first)], True))
    if name == "dict":
        return _dict(values, node, interp)
    if name == "len":
        return Host(len(first.items)) if isinstance(first, Sequence) and not first.open_ else Host()
    if name == "isinstance":
        return _isinstance(values)
    if name in ("map", "filter") and len(values) > 1 and is_graph(values[1]):
        if name == "filter":
            return Sequence(list(leaves(values[1])), open_=True)
        interp.refuse("TFM190", node, "map() over things of the graph")
    if name in ("int", "float", "str", "bool", "round", "abs", "min", "max", "sum"):
        if name in ("sum", "abs") and is_graph(first):
            return interp.tensor([first], node)
        if (
            len(values) == 1
            and isinstance(first, Host)
            and first.known
            and name in ("int", "float", "str", "bool", "abs")
        ):
            try:
                return Host(_CONVERSIONS[name](first.literal))
            except (TypeError, ValueError):
                return Host()
        if any(isinstance(v, (Tensor, Placeholder)) and v.step for v in values):
            interp.refuse("TFM111", node, f"{name}() of a tensor of the graph")
        return Host()
    if name in ("print", "repr", "type", "id", "hasattr", "format", "vars", "dir"):
        for value in values:
            for leaf in leaves(value):
                if isinstance(leaf, Graphlike) and (leaf.step or isinstance(leaf, (Operation, Session, Graph))):
                    interp.statement.reads_step.append(leaf)
                    interp.facts.printed[node] = leaf
        return Host()
    if name == "range" or name == "xrange":
        if all(isinstance(v, Host) and isinstance(v.literal, int) for v in values) and values:
            numbers = range(*[v.literal for v in values if isinstance(v, Host)])
            return Sequence([Host(n) for n in numbers]) if 0 < len(numbers) <= 8 and _plain_numbers(node) else Host()
        return Host()
    if name in ("exec", "eval", "execfile", "compile"):
        interp.refuse("TFM191", node, f"{name}() runs code that cannot be analysed")
    if name in ("super", "open", "input", "raw_input", "getattr", "setattr"):
        if name in ("getattr", "setattr") and any(is_graph(v) for v in values):
            interp.refuse("TFM190", node, f"{name}() on things of the graph")
        return Unknown(f"{name}()")
    if any(is_step(v) for v in values):
        interp.refuse("TFM110", node, f"a tensor is given to {name}()")
    return Host()


def _plain_numbers(node: cst.Call) -> bool:
    return all(isinstance(a.value, cst.Integer) for a in node.args)


def _zip(values: list[Value], starred: bool) -> Value:
    if starred:
        if len(values) == 1 and isinstance(values[0], Gradients):
            source = values[0]
            variables = list(leaves(source.sources)) if source.sources is not None else []
            grads = [Tensor(step=True, inputs=(source, v)) for v in variables]
            return Sequence([Sequence(list(grads), True), Sequence(list(variables), True)])
        if (
            len(values) == 1
            and isinstance(values[0], Sequence)
            and all(isinstance(i, Sequence) for i in values[0].items)
        ):
            columns = [
                list(c) for c in zip(*(i.items for i in values[0].items if isinstance(i, Sequence)), strict=False)
            ]
            return Sequence([Sequence(c, True, values[0].open_) for c in columns])
        return Host()
    if all(isinstance(v, Sequence) and not v.open_ for v in values) and values:
        rows = zip(*(v.items for v in values if isinstance(v, Sequence)), strict=False)
        return Sequence([Sequence(list(row), True) for row in rows])
    if any(is_graph(v) for v in values):
        firsts = [
            v.items
            if isinstance(v, Sequence)
            else list(leaves(v.sources))
            if isinstance(v, Gradients) and v.sources
            else None
            for v in values
        ]
        lengths = {len(f) for f in firsts if f is not None}
        if len(lengths) == 1:
            count = lengths.pop()
            rows2 = [
                [
                    f[i] if f is not None and not isinstance(values[k], Gradients) else _one(values[k])
                    for k, f in enumerate(firsts)
                ]
                for i in range(count)
            ]
            return Sequence(
                [Sequence(row, True) for row in rows2], open_=any(isinstance(v, Sequence) and v.open_ for v in values)
            )
    return Host(element=Sequence([element(v) for v in values], True))


def _one(value: Value) -> Value:
    return Tensor(step=True, inputs=(value,)) if isinstance(value, Gradients) else element(value)


def _dict(values: list[Value], node: cst.Call, interp: Expressions) -> Value:
    mapping = Mapping()
    for argument, value in zip(node.args, values, strict=True):
        if argument.keyword is not None:
            mapping.entries.append(MappingEntry(Host(argument.keyword.value), value, argument.value))
        elif isinstance(value, Mapping):
            mapping.entries.extend(
                MappingEntry(e.key, e.value, e.value_node if argument.star != "**" else None) for e in value.entries
            )
            mapping.open_ |= value.open_
        elif isinstance(value, Sequence) and all(isinstance(i, Sequence) and len(i.items) == 2 for i in value.items):
            mapping.entries.extend(
                MappingEntry(i.items[0], i.items[1], None) for i in value.items if isinstance(i, Sequence)
            )
            mapping.open_ |= value.open_
        else:
            mapping.open_ = True
    return mapping


def _isinstance(values: list[Value]) -> Value:
    if len(values) == 2 and isinstance(values[1], Symbol):
        first, cls = values[0], values[1].name
        if cls in ("Tensor", "Variable") and isinstance(first, (Tensor, Placeholder, Variable)):
            return Host(
                (cls == "Tensor" and isinstance(first, (Tensor, Placeholder)))
                or (isinstance(first, Variable) and cls == "Variable")
            )
        if cls in ("Tensor", "Variable") and isinstance(first, (Host, Sequence)) and not isinstance(first, Unknown):
            return Host(False) if not (isinstance(first, Host) and not first.known) else Host()
        if cls.startswith("builtins.") and isinstance(first, Host) and first.known:
            kind = {
                "str": str,
                "int": int,
                "float": float,
                "bool": bool,
                "list": list,
                "tuple": tuple,
                "dict": dict,
            }.get(cls[9:])
            return Host(isinstance(first.literal, kind)) if kind else Host()
        if cls in ("builtins.list", "builtins.tuple") and isinstance(first, Sequence):
            return Host(first.tuple_ is (cls == "builtins.tuple"))
        if cls.startswith("builtins.") and isinstance(first, Graphlike):
            return Host(False)
    return Host()


__all__ = ["Layer", "attribute", "builtin", "call", "keywords", "parts", "set_attribute"]
