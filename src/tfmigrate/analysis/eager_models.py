"""Keras models and layers of programs that are eager already.

Keras 3 computes in float32 whatever it is given, Keras of 1.15 in the type of a layer's first input: a model converts
where each of its inputs is known to be no float64. Its class may use just what both have and mean alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import libcst as cst

from tfmigrate.analysis import dtypes
from tfmigrate.analysis.values import (
    Class,
    Function,
    Host,
    Instance,
    Symbol,
    Tensor,
    Value,
    Variable,
    leaves,
)
from tfmigrate.rules.expressions import code

if TYPE_CHECKING:
    from tfmigrate.analysis.expressions import Expressions
    from tfmigrate.analysis.interpreter import Interpreter

MODELS = frozenset({"keras.Model", "keras.models.Model"})
LAYERS = (
    "Dense",
    "Conv1D",
    "Conv2D",
    "MaxPool2D",
    "MaxPooling2D",
    "AveragePooling2D",
    "AvgPool2D",
    "Flatten",
    "Reshape",
    "GlobalAveragePooling2D",
)
ARGUMENTS = frozenset(
    {
        "units",
        "filters",
        "kernel_size",
        "strides",
        "padding",
        "activation",
        "use_bias",
        "kernel_initializer",
        "bias_initializer",
        "pool_size",
        "target_shape",
    }
)
ACTIVATIONS = frozenset({"relu", "tanh", "sigmoid", "softmax", "linear"})
INITIALIZERS = frozenset({"zeros", "ones", "glorot_uniform", "glorot_normal", "he_normal", "he_uniform"})
READ = frozenset({"variables", "trainable_variables", "weights", "trainable_weights"})
OVERRIDDEN = frozenset({"__init__", "call", "predict"})
RESERVED = frozenset(
    {
        "activity_regularizer", "add_loss", "add_metric", "add_variable", "add_weight", "autocast", "build", "built",
        "call", "compile", "compiled", "compute_dtype", "compute_loss", "compute_mask", "compute_metrics",
        "count_params", "distribute_strategy", "dtype", "dtype_policy", "evaluate", "export", "fit", "from_config",
        "get_config", "get_layer", "get_weights", "input", "input_dtype", "input_spec", "inputs", "jit_compile",
        "layers", "load_weights", "loss", "losses", "metrics", "metrics_names", "metrics_variables", "name",
        "non_trainable_variables", "non_trainable_weights", "optimizer", "output", "outputs", "path", "predict",
        "predict_on_batch", "predict_step", "quantize", "reset_metrics", "run_eagerly", "save", "save_weights",
        "set_weights", "stateless_call", "stop_training", "summary", "supports_jit", "supports_masking",
        "symbolic_call", "test_on_batch", "test_step", "to_json", "train_on_batch", "train_step", "trainable",
        "trainable_variables", "trainable_weights", "variable_dtype", "variables", "weights",
    }
)  # fmt: skip  # names of Keras' own on a model


@dataclass(eq=False)
class KerasLayer(Value):
    """A layer of Keras, made once."""


def layer(interp: Interpreter, symbol: str, node: cst.Call) -> Value:
    """A layer that 1.15's Keras and Keras 3 compute alike."""
    interp.eval_arguments(node)
    problem = _unlike(interp, node)
    if problem:
        interp.refuse("TFM136", node, f"{problem} (tf.{symbol})")
    else:
        in_graphs_only(interp, "TFM136", node, f"Keras layers in a session's graph (tf.{symbol})")
    return KerasLayer()


def in_graphs_only(interp: Interpreter, code_: str, node: cst.CSTNode, message: str) -> None:
    """Refuse what an eager program may do."""
    before = dict(interp.facts.refusals)
    interp.refuse(code_, node, message)
    interp.facts.of_graphs.update(f for f in interp.facts.refusals if f not in before)


def _unlike(interp: Interpreter, node: cst.Call) -> str:
    """What of a layer's arguments is not known to mean the same in Keras 3."""
    for index, argument in enumerate(node.args):
        name = argument.keyword.value if argument.keyword is not None else ("units", "kernel_size")[min(index, 1)]
        value = interp.facts.values.get(argument.value)
        text = value.literal if isinstance(value, Host) and isinstance(value.literal, str) else None
        if argument.star or (argument.keyword is None and index > 0) or name not in ARGUMENTS:
            return f"an argument {name} of a Keras layer"
        if name == "activation" and not (
            text in ACTIVATIONS
            or (isinstance(value, Symbol) and value.name.rpartition(".")[2] in ACTIVATIONS)
            or (isinstance(value, Host) and value.known and value.literal is None)
        ):
            return "an activation that is not known statically"
        if name.endswith("_initializer") and text is not None and text not in INITIALIZERS:
            return f"the initializer {text} of 1.15's Keras"
    return ""


def is_model(cls: Class) -> bool:
    """Whether it is a class of Keras models."""
    return any(
        (isinstance(base, Symbol) and base.name in MODELS) or (isinstance(base, Class) and is_model(base))
        for base in cls.bases
    )


def model_class(interp: Interpreter, node: cst.ClassDef, message: str) -> None:
    """A class that extends tf.keras.Model: fine in an eager program where it uses what both Keras have."""
    problem = _beyond(node)
    if problem:
        interp.refuse("TFM102", node, f"{message} and {problem}")
    else:
        in_graphs_only(interp, "TFM102", node, message)


def _beyond(node: cst.ClassDef) -> str:
    """What of the class Keras 3 has or reads in its own way."""
    if len(node.bases) != 1 or node.keywords or node.decorators:
        return "another class"
    for item in node.body.body:
        if isinstance(item, cst.FunctionDef):
            name = item.name.value
            if item.decorators or (name not in OVERRIDDEN and (name in RESERVED or name.startswith("_"))):
                return f"has {name} of its own"
            names = {p.name.value for p in (*item.params.params, *item.params.kwonly_params)}
            if name == "call" and (names & {"training", "mask"} or item.params.star_kwarg is not None):
                return "its call takes training or mask"
        elif not (isinstance(item, cst.SimpleStatementLine) and isinstance(item.body[0], (cst.Expr, cst.Pass))):
            return "has members beside methods"
    finder = _Attributes()
    node.visit(finder)
    return finder.problem


class _Attributes(cst.CSTVisitor):
    """What is set on `self`, and how the base is initialised."""

    def __init__(self) -> None:
        super().__init__()
        self.problem = ""

    def visit_AssignTarget(self, node: cst.AssignTarget) -> None:
        target = node.target
        if isinstance(target, cst.Attribute) and (target.attr.value in RESERVED or target.attr.value.startswith("_")):
            self.problem = f"sets {target.attr.value}"

    def visit_Call(self, node: cst.Call) -> None:
        text = code(node.func)
        if text.startswith("super(") and (not text.endswith(".__init__") or node.args):
            self.problem = f"calls {text}"
        if text.startswith("self.") and text[5:] in RESERVED - OVERRIDDEN:
            self.problem = f"calls {text}"


def called(interp: Expressions, function: KerasLayer | Instance, node: cst.Call) -> Value:
    """A call of a layer or of a model, whose inputs must be known to be no float64."""
    values = interp.eval_arguments(node)
    known = [dtypes.of(interp, value) for value in values]
    if None in known or not known or any(a.keyword is not None or a.star for a in node.args):
        offered = any(at in interp.facts.offered for at in interp.calling)
        if not (interp.uncalled or offered):
            message = "a Keras model computes in float32, in 1.15 in the type of its input, which is not known here"
            interp.refuse("TFM136", node, message)
    if isinstance(function, Instance):
        return _through(interp, function, node)
    made = Tensor(step=True, inputs=tuple(values))
    interp.made(made, node)
    if known and known[0] == "float32":
        interp.dtypes[made] = "float32"
    return made


def _through(interp: Expressions, model: Instance, node: cst.Call) -> Value:
    """What the model's own `call` gives."""
    member = _member(model.cls, "call")
    if isinstance(member, Function):
        return interp.call_function(Function(member.node, member.path, member.frame, model, member.name), node)
    interp.refuse("TFM102", node, f"class {model.cls.node.name.value} has no method call")
    return Host()


def _member(cls: Class, name: str) -> Value | None:
    """A member of the class or of those of the program that it extends."""
    found = cls.members.get(name)
    for base in cls.bases:
        if found is None and isinstance(base, Class):
            found = _member(base, name)
    return found


def handed_on(interp: Expressions, values: list[Value], node: cst.Call) -> None:
    """A model that is given to what the program does not hold (a checkpoint, a library)."""
    for value in values:
        for leaf in leaves(value):
            if isinstance(leaf, KerasLayer) or (isinstance(leaf, Instance) and is_model(leaf.cls)):
                message = "a Keras model is given to a function that is not in the tree, or to TensorFlow"
                interp.refuse("TFM102", node, message)


def attribute(interp: Expressions, model: Instance, name: str, node: cst.Attribute) -> None:
    """An attribute that the model has from Keras."""
    if name not in READ and not interp.uncalled:
        interp.refuse("TFM102", node, f"{name} of a Keras model")


def settle(interp: Interpreter) -> None:
    """At the end: no model keeps a variable of its own, which Keras 3 would not know of."""
    for instances in interp.facts.instances.values():
        for model in instances:
            kept = [v for value in model.attributes.values() for v in leaves(value) if isinstance(v, Variable)]
            if is_model(model.cls) and kept:
                refusal = partial(interp.refuse, "TFM102", model.cls.node, "a Keras model keeps a plain variable")
                interp.within(model.cls.frame, model.cls.path, refusal)
