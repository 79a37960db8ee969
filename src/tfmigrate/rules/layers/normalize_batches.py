"""Batch normalization."""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst

from tfmigrate.rules.base import BoundCall, Context, LayerForm, Refused, Rule
from tfmigrate.rules.expressions import call, is_none, is_word, literal, parse

_PLAIN = (
    "axis", "momentum", "epsilon", "center", "scale", "beta_initializer", "gamma_initializer",
    "moving_mean_initializer", "moving_variance_initializer", "beta_regularizer", "gamma_regularizer", "fused",
    "trainable",
)  # fmt: skip
_CONTRIB = {
    "decay": "momentum",
    "center": "center",
    "scale": "scale",
    "epsilon": "epsilon",
    "fused": "fused",
    "trainable": "trainable",
}
_OTHER = frozenset(
    {"inputs", "training", "is_training", "name", "scope", "reuse", "activation_fn", "updates_collections"}
    | {"outputs_collections", "variables_collections", "data_format"}
)


class NormalizeBatches(Rule):
    """Makes batch normalization with TensorFlow 1's arithmetic once; whether its averages move is the caller's.

    before  tf.layers.batch_normalization(x, training=is_training)
    after   BatchNormalization() called with x, training=is_training

    before  tf.contrib.layers.batch_norm(x, is_training=True)
    after   BatchNormalization(momentum=0.999, scale=False, fused=True) called with x, training=True

    Source: tensorflow/python/keras/layers/normalization.py and contrib/layers/python/layers/layers.py (1.15).
    """

    symbols = ("layers.batch_normalization", "contrib.layers.batch_norm")

    def rewrite(self, call_: BoundCall, context: Context) -> LayerForm | Refused:
        contrib = call_.symbol.startswith("contrib")
        names: Mapping[str, str] = _CONTRIB if contrib else {name: name for name in _PLAIN}
        unknown = [
            n for n, v in call_.arguments.items() if n not in names and n not in _OTHER and not _without_effect(v)
        ]
        if unknown:
            return Refused("TFM204", f"tf.{call_.symbol} with {', '.join(unknown)}")
        if call_.get("data_format") is not None and literal(call_.get("data_format")) != "NHWC":
            return Refused("TFM204", f"tf.{call_.symbol} with channels first")
        keywords = {names[n]: v for n, v in call_.arguments.items() if n in names and not is_none(v)}
        training = call_.get("is_training") if contrib else call_.get("training")
        if contrib:
            for name, text in (("momentum", "0.999"), ("scale", "False"), ("fused", "True")):
                keywords.setdefault(name, parse(text))
        given = call_.get("name") or call_.get("scope")
        label = literal(given)
        if isinstance(label, str) and "/" not in label:
            keywords["name"] = parse(f'"{label}"')
        in_place = "updates_collections" in call_.arguments and is_none(call_.arguments["updates_collections"])
        calls = {"training": training or parse("True" if contrib else "False")}
        activation = call_.get("activation_fn")
        return LayerForm(
            constructor=call("BatchNormalization", **keywords),
            inputs=call_.arguments["inputs"],
            base_name="BatchNorm" if contrib else "batch_normalization",
            name=None if is_none(given) else given,
            keywords={**calls, "updates": parse("True")} if in_place else calls,
            weights=_weights(contrib, keywords),
            updates=not in_place,
            regularized="beta_regularizer" in keywords or "gamma_regularizer" in keywords,
            activation=None if is_none(activation) else activation,
            support=("legacy_layers:BatchNormalization",),
        )


def _without_effect(value: cst.BaseExpression) -> bool:
    return is_none(value) or is_word(value, "False")


def _weights(contrib: bool, keywords: Mapping[str, cst.BaseExpression]) -> tuple[tuple[str, str, bool], ...]:
    """In the order of creation, which is contrib's own."""
    trainable = not is_word(keywords.get("trainable"), "False")
    gamma = () if is_word(keywords.get("scale"), "False") else (("gamma", "gamma", trainable),)
    beta = () if is_word(keywords.get("center"), "False") else (("beta", "beta", trainable),)
    both = (*beta, *gamma) if contrib else (*gamma, *beta)
    return (*both, ("moving_mean", "moving_mean", False), ("moving_variance", "moving_variance", False))
