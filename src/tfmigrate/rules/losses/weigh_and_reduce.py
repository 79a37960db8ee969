"""How the losses of `tf.losses` are weighted and reduced."""

from __future__ import annotations

import libcst as cst

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten
from tfmigrate.rules.expressions import code, fill, literal

_BY_NONZERO = ("weighted_sum_by_nonzero_weights", "SUM_BY_NONZERO_WEIGHTS", "SUM_OVER_NONZERO_WEIGHTS")


def reduced(
    call: BoundCall, losses: cst.BaseExpression, context: Context, support: tuple[str, ...] = ()
) -> Rewritten | Refused:
    """The element losses, weighted by the call's `weights` and reduced as its `reduction` says (1.15's default else).

    Source: tensorflow/python/ops/losses/losses_impl.py (1.15), `compute_weighted_loss`.
    """
    weights = call.get("weights")
    number = 1.0 if weights is None else literal(weights)
    reduction = call.get("reduction")
    kind = "SUM_BY_NONZERO_WEIGHTS" if reduction is None else str(literal(reduction))
    if reduction is not None and not isinstance(literal(reduction), str):
        kind = code(reduction).rpartition(".")[2]
    plain = isinstance(number, (int, float)) and number != 0
    if plain and (number == 1 or weights is None):
        weighted = losses
    elif weights is not None:
        weighted = fill("LOSSES * WEIGHTS", LOSSES=losses, WEIGHTS=weights)
    if kind in _BY_NONZERO and not plain and weights is not None:
        text = "weighted_mean(LOSSES, WEIGHTS)"
        return _supported(fill(text, LOSSES=losses, WEIGHTS=weights), (*support, "legacy_losses:weighted_mean"))
    if kind in (*_BY_NONZERO, "SUM_OVER_BATCH_SIZE", "weighted_sum_over_batch_size"):
        return _supported(fill("TF.reduce_mean(LOSSES)", TF=context.tf, LOSSES=weighted), support)
    if kind in ("SUM", "weighted_sum"):
        return _supported(fill("TF.reduce_sum(LOSSES)", TF=context.tf, LOSSES=weighted), support)
    if kind in ("NONE", "none"):
        return _supported(weighted, support)
    return Refused("TFM204", f"tf.{call.symbol}: the reduction {kind} is not written out")


def _supported(expression: cst.BaseExpression, support: tuple[str, ...]) -> Rewritten:
    imports = tuple(f"from {file} import {part}" for file, part in (entry.split(":") for entry in support))
    return Rewritten(expression, support=support, imports=imports)


def as_float(value: cst.BaseExpression, context: Context) -> cst.BaseExpression:
    """The value cast to float32, as `tf.losses` does first; a cast or a one-hot that is one already stays."""
    if isinstance(value, cst.Call):
        function = code(value.func)
        dtype = any(arg.keyword is not None and arg.keyword.value == "dtype" for arg in value.args)
        if function == f"{context.tf}.cast" and code(value.args[-1].value) == f"{context.tf}.float32":
            return value
        if function == f"{context.tf}.one_hot" and not dtype and len(value.args) <= 2:
            return value
    return fill("TF.cast(VALUE, TF.float32)", TF=context.tf, VALUE=value)
