"""Initializers whose spread follows the number of inputs and outputs."""

from __future__ import annotations

from decimal import Decimal

import libcst as cst

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.expressions import UNKNOWN, call, fill, is_word, literal, parse

_TRUNCATION = Decimal("1.3") * Decimal("0.87962566103423978") ** 2
"""contrib widens the normal by sqrt(1.3), Keras by 1 / 0.87962566…: both make up for cutting it at two deviations."""


class ScaleByFans(Rule):
    """Writes contrib's Xavier and variance-scaling initializers, and the unit scaling one, in Keras' terms.

    before  tf.contrib.layers.xavier_initializer()
    after   tf.keras.initializers.GlorotUniform()

    before  tf.contrib.layers.variance_scaling_initializer(uniform=True)
    after   tf.keras.initializers.VarianceScaling(scale=2.0, mode="fan_in", distribution="uniform")

    Source: tensorflow/contrib/layers/python/layers/initializers.py and tensorflow/python/ops/init_ops.py (1.15).
    """

    symbols = (
        "contrib.layers.xavier_initializer",
        "contrib.layers.variance_scaling_initializer",
        "uniform_unit_scaling_initializer",
    )

    def rewrite(self, call_: BoundCall, context: Context) -> Rewritten | Refused:
        seed = call_.get("seed")
        if call_.symbol == "uniform_unit_scaling_initializer":
            factor = call_.get("factor")
            scale = parse("1.0") if factor is None else fill("FACTOR ** 2", FACTOR=factor)
            return _scaled(context, scale, "fan_in", "uniform", seed)
        uniform = (
            literal(call_.get("uniform"))
            if "uniform" in call_.arguments
            else call_.symbol.endswith("xavier_initializer")
        )
        if uniform not in (True, False):
            return Refused("TFM204", f"tf.{call_.symbol}: whether it is uniform is not seen in the call")
        if call_.symbol == "contrib.layers.xavier_initializer":
            if uniform:
                return Rewritten(call(f"{context.tf}.keras.initializers.GlorotUniform", seed=seed))
            return _scaled(context, _widened(parse("1.0")), "fan_avg", "truncated_normal", seed)
        mode = literal(call_.get("mode")) if "mode" in call_.arguments else "FAN_IN"
        if mode is UNKNOWN or mode not in ("FAN_IN", "FAN_OUT", "FAN_AVG"):
            return Refused("TFM204", f"tf.{call_.symbol}: its mode is not seen in the call")
        factor = call_.get("factor") or parse("2.0")
        scale = factor if uniform else _widened(factor)
        return _scaled(context, scale, str(mode).lower(), "uniform" if uniform else "truncated_normal", seed)

    def reference(self, symbol: str, context: Context) -> Rewritten | Refused | None:
        if symbol == "contrib.layers.xavier_initializer":
            return Rewritten(parse(f"{context.tf}.keras.initializers.GlorotUniform"))
        return None


def _widened(factor: cst.BaseExpression) -> cst.BaseExpression:
    number = literal(factor)
    if isinstance(number, (int, float)) and not is_word(factor, "True"):
        return parse(format(Decimal(str(number)) * _TRUNCATION, ".8f").rstrip("0"))
    return fill("FACTOR * " + format(_TRUNCATION, ".8f").rstrip("0"), FACTOR=factor)


def _scaled(
    context: Context, scale: cst.BaseExpression, mode: str, distribution: str, seed: cst.BaseExpression | None
) -> Rewritten:
    made = call(
        f"{context.tf}.keras.initializers.VarianceScaling",
        scale=scale,
        mode=parse(f'"{mode}"'),
        distribution=parse(f'"{distribution}"'),
        seed=seed,
    )
    return Rewritten(made)
