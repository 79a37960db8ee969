"""How a call that makes a layer becomes a Keras layer made once, and its call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import libcst as cst

from tfmigrate.rules.base import BoundCall, Context, LayerForm, Refused
from tfmigrate.rules.expressions import call_with, is_none, is_word, literal, parse

VARIABLE_FREE = frozenset({"reuse", "inputs", "name", "scope", "outputs_collections", "variables_collections"})


@dataclass(frozen=True)
class Form:
    """One layer: `required` are passed by position to the Keras class, `arguments` by (1.15's name, Keras' name).

    `weights` as in LayerForm; `regularizers` names the arguments that add to the layer's losses.
    """

    keras: str
    base_name: str
    required: tuple[str, ...]
    weights: tuple[tuple[str, str, bool], ...]
    arguments: Mapping[str, str] = field(default_factory=dict)
    regularizers: tuple[str, ...] = ("kernel_regularizer", "bias_regularizer", "activity_regularizer")


def layer(
    call: BoundCall,
    context: Context,
    form: Form,
    changed: Mapping[str, cst.BaseExpression] | None = None,
    activation: cst.BaseExpression | None = None,
) -> LayerForm | Refused:
    """The form of this call; `changed` gives Keras' arguments that are not taken over as they are."""
    inputs = call.get("inputs")
    if inputs is None or any(name not in call.arguments for name in form.required):
        return Refused("TFM203", f"tf.{call.symbol} needs inputs, " + ", ".join(form.required))
    keywords: dict[str, cst.BaseExpression] = {}
    for old, value in call.arguments.items():
        if old in form.required or old in VARIABLE_FREE:
            continue
        new = form.arguments.get(old)
        if new is None:
            return Refused("TFM204", f"tf.{call.symbol}: Keras' layer has no argument for {old}")
        keywords[new] = value
    keywords.update(changed or {})
    keywords = {name: value for name, value in keywords.items() if name in ("bias_initializer",) or not is_none(value)}
    name = call.get("name") or call.get("scope")
    given = None if name is None or is_none(name) else name
    text = literal(given)
    if isinstance(text, str) and "/" not in text:
        keywords["name"] = parse(repr(text).replace("'", '"'))
    positional = [call.arguments[required] for required in form.required]
    weights = form.weights
    if is_word(keywords.get("use_bias"), "False"):
        weights = tuple(weight for weight in weights if weight[1] != "bias")
    if is_word(keywords.get("trainable"), "False"):
        weights = tuple((suffix, attribute, False) for suffix, attribute, _ in weights)
    return LayerForm(
        constructor=call_with(f"{context.tf}.keras.layers.{form.keras}", positional, keywords),
        inputs=inputs,
        base_name=form.base_name,
        name=given,
        weights=weights,
        regularized=any(name in keywords for name in form.regularizers),
        activation=activation,
    )


def padding(value: cst.BaseExpression | None) -> cst.BaseExpression | Refused | None:
    """The padding in Keras' lower case."""
    if value is None:
        return None
    text = literal(value)
    if isinstance(text, str):
        return parse(f'"{text.lower()}"')
    return cst.Call(func=cst.Attribute(value=value, attr=cst.Name("lower")))
