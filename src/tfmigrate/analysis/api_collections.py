"""Collections of the graph: what is put into them, by calls and by losses, and what reading them gives.

Source: tensorflow/python/framework/ops.py (GraphKeys, get_collection: its scope is matched as a regular expression at
the beginning of the names) and ops/losses/util.py of TensorFlow 1.15.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis.api import Args, handles, operation
from tfmigrate.analysis.api_variables import text
from tfmigrate.analysis.facts import CollectionUse
from tfmigrate.analysis.values import (
    Graphlike,
    Host,
    Operation,
    Sequence,
    Tensor,
    Value,
    Variable,
)

if TYPE_CHECKING:
    from tfmigrate.analysis.interpreter import Interpreter

LOSSES, REGULARIZATION = "losses", "regularization_losses"
MEMBERS = {  # of tf.GraphKeys whose string is not their own name in small letters
    "GLOBAL_VARIABLES": "variables",
    "VARIABLES": "variables",
    "TABLE_INITIALIZERS": "table_initializer",
}
SYMBOLS = {
    "trainable_variables": "trainable_variables",
    "global_variables": "variables",
    "all_variables": "variables",
    "local_variables": "local_variables",
    "model_variables": "model_variables",
    "moving_average_variables": "moving_average_variables",
}
OF_VARIABLES = frozenset({"trainable_variables", "variables", "local_variables", "model_variables"})
KNOWN_ELSEWHERE = frozenset({"update_ops", "moving_average_variables"})  # filled by the analysis itself
UNSEEN = frozenset({"model_variables", "weights", "biases", "activations", "queue_runners", "savers", "summaries"})


def key_of(value: Value | None) -> str | None:
    """The name of a collection: a string, or a member of tf.GraphKeys."""
    if isinstance(value, Host) and isinstance(value.literal, str):
        return value.literal
    name = getattr(value, "name", None)
    if isinstance(name, str) and name.startswith("GraphKeys."):
        member = name.split(".")[1]
        return MEMBERS.get(member, member.lower())
    return None


@handles(*SYMBOLS, "get_collection", "get_collection_ref")
def collection(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """The contents of a collection at this moment."""
    values = {name: interp.eval(argument) for name, argument in args.items()}
    key = SYMBOLS.get(symbol) or key_of(values.get("key"))
    if symbol == "get_collection_ref" and key in OF_VARIABLES:
        interp.refuse("TFM124", node, "a collection itself, to be changed in place")
    if key is None:
        interp.refuse("TFM124", node, "a collection whose name is not known statically")
    found = _contents(interp, node, key)
    filtered = "scope" in args and not (isinstance(values["scope"], Host) and values["scope"].literal is None)
    if filtered:
        found = _named_like(interp, node, found, text(values["scope"]))
    value = Sequence(found)
    interp.facts.collected[node] = value
    _record(interp, node, key, "filtered" if filtered else "read", value)
    return value


def _contents(interp: Interpreter, node: cst.Call, key: str | None) -> list[Value]:
    if key in UNSEEN and not interp.collections.get(key):
        interp.refuse("TFM124", node, f"the collection {key}, which TensorFlow 1's own functions fill")
    if key not in OF_VARIABLES:
        return list(interp.collections.get(key, [])) if key is not None else []
    if interp.loop_stack and key in ("trainable_variables", "variables"):
        interp.facts.late_collections.add(node)
    if key == "variables" and interp.facts.slotted:
        interp.facts.with_slots.add(node)
    kept = {
        "trainable_variables": [v for v in interp.graph_variables if not v.local and v.trainable],
        "variables": [v for v in interp.graph_variables if not v.local],
        "local_variables": [v for v in interp.graph_variables if v.local],
    }
    found: list[Value] = list(kept.get(key or "", []))
    if any(v.made_in_loop for v in found if isinstance(v, Variable)):
        interp.refuse("TFM143", node, "variables made in a loop are listed through a collection")
    return found


def _named_like(interp: Interpreter, node: cst.Call, found: list[Value], scope: str | None) -> list[Value]:
    """The items whose names match at their beginning, as `tf.get_collection` filters."""
    if scope is None:
        interp.refuse("TFM124", node, "a collection is filtered by a scope that is not known statically")
        return found
    names = {id(v): v.legacy_name for v in found if isinstance(v, Graphlike)}
    if any(names.get(id(v)) is None for v in found):
        interp.refuse("TFM124", node, "a collection is filtered by names, and one of them is not known statically")
        return found
    pattern = re.compile(scope)
    return [v for v in found if pattern.match(f"{names[id(v)]}:0")]


@handles("add_to_collection", "losses.add_loss")
def add_to_collection(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """Put something into a collection."""
    values = {name: interp.eval(argument) for name, argument in args.items()}
    if symbol == "losses.add_loss":
        key = key_of(values["loss_collection"]) if "loss_collection" in values else LOSSES
        value = values.get("loss")
    else:
        key, value = key_of(values.get("name")), values.get("value")
    if key is None:
        interp.refuse("TFM124", node, "a collection whose name is not known statically")
    elif value is not None:
        if key in OF_VARIABLES:
            interp.refuse("TFM124", node, f"something is put into the graph's own collection {key}")
        _add(interp, key, value)
        _record(interp, node, key, "add", value)
    interp.facts.additions[node] = value if value is not None else Host()
    return Operation(kind="no_op")


@handles(
    *(
        f"losses.{name}"
        for name in (
            "absolute_difference",
            "compute_weighted_loss",
            "cosine_distance",
            "hinge_loss",
            "huber_loss",
            "log_loss",
            "mean_pairwise_squared_error",
            "mean_squared_error",
            "sigmoid_cross_entropy",
            "softmax_cross_entropy",
            "sparse_softmax_cross_entropy",
        )
    )
)
def loss(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """A loss of tf.losses: a tensor, and a member of the collection of losses."""
    value = operation(interp, symbol, node, [interp.eval(a.value) for a in node.args])
    given = interp.facts.values.get(args["loss_collection"]) if "loss_collection" in args else Host(LOSSES)
    key = key_of(given)
    if key is not None:
        _add(interp, key, value)
        _record(interp, node, key, "made", value)
    elif not (isinstance(given, Host) and given.literal is None):
        interp.refuse("TFM124", node, "a collection whose name is not known statically")
    return value


@handles("losses.get_losses", "losses.get_total_loss")
@handles("losses.get_regularization_losses", "losses.get_regularization_loss")
def losses(interp: Interpreter, symbol: str, node: cst.Call, args: Args) -> Value:
    """The collected losses, or their sum."""
    values = {name: interp.eval(argument) for name, argument in args.items()}
    keys = [REGULARIZATION] if "regularization" in symbol else [LOSSES]
    if symbol == "losses.get_total_loss":
        included = values.get("add_regularization_losses", Host(True))
        if not (isinstance(included, Host) and isinstance(included.literal, bool)):
            interp.refuse("TFM124", node, "whether the regularization losses are counted is not known statically")
        elif included.literal:
            keys.append(REGULARIZATION)
    if symbol == "losses.get_losses" and "loss_collection" in values:
        keys = [key_of(values["loss_collection"]) or ""]
    scoped = "scope" in values and not (isinstance(values["scope"], Host) and values["scope"].literal is None)
    found: list[Value] = []
    for key in keys:
        held = list(interp.collections.get(key, []))
        found.extend(held)
        _record(interp, node, key, "filtered" if scoped else "read", Sequence(held))
    if symbol.endswith("losses"):
        value = Sequence(found)
        interp.facts.collected[node] = value
        return value
    made = Tensor(step=True, inputs=tuple(found))
    interp.made(made, node)
    return made


def _add(interp: Interpreter, key: str, value: Value) -> None:
    held = interp.collections.setdefault(key, [])
    if value not in held:
        held.append(value)


def _record(interp: Interpreter, node: cst.Call, key: str | None, kind: str, value: Value) -> None:
    if key is None or key in OF_VARIABLES | KNOWN_ELSEWHERE:
        return
    use = CollectionUse(node, interp.statement, key, interp.graph, kind, value, bool(interp.uncalled))
    if not any(u.call is node and u.graph == use.graph and u.key == key for u in interp.facts.collection_uses):
        interp.facts.collection_uses.append(use)


__all__ = ["collection", "key_of"]
