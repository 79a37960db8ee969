"""Learning-rate decays that Keras has too."""

from __future__ import annotations

import libcst as cst

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.expressions import call, fill, is_none

_SCHEDULES: dict[str, tuple[str, tuple[str, ...]]] = {
    "train.exponential_decay": ("ExponentialDecay", ("learning_rate", "decay_steps", "decay_rate", "staircase")),
    "train.inverse_time_decay": ("InverseTimeDecay", ("learning_rate", "decay_steps", "decay_rate", "staircase")),
    "train.polynomial_decay": (
        "PolynomialDecay",
        ("learning_rate", "decay_steps", "end_learning_rate", "power", "cycle"),
    ),
    "train.cosine_decay": ("CosineDecay", ("learning_rate", "decay_steps", "alpha")),
    "train.cosine_decay_restarts": (
        "CosineDecayRestarts",
        ("learning_rate", "first_decay_steps", "t_mul", "m_mul", "alpha"),
    ),
    "train.piecewise_constant": ("PiecewiseConstantDecay", ("boundaries", "values")),
}


class DecayByKeras(Rule):
    """Computes the rate by Keras' schedule of the same formula, at the step that the program counts.

    before  tf.train.exponential_decay(0.1, step, 1000, 0.96, staircase=True)
    after   tf.keras.optimizers.schedules.ExponentialDecay(0.1, 1000, 0.96, staircase=True)(step)

    Source: tensorflow/python/keras/optimizer_v2/learning_rate_schedule.py (1.15), which 1.15's functions call.
    """

    symbols = tuple(_SCHEDULES)

    def rewrite(self, call_: BoundCall, context: Context) -> Rewritten | Refused:
        schedule, parameters = _SCHEDULES[call_.symbol]
        step = call_.get("x") if schedule == "PiecewiseConstantDecay" else call_.get("global_step")
        if step is None or is_none(step):
            return Refused("TFM203", f"tf.{call_.symbol} needs the global step")
        positional: list[cst.BaseExpression] = []
        named: dict[str, cst.BaseExpression] = {}
        by_name = False
        given = _positional_names(call_)
        for parameter in parameters:
            value = call_.get(parameter)
            if value is None:
                by_name = True
                continue
            by_name = by_name or parameter not in given
            if by_name:
                named["initial_learning_rate" if parameter == "learning_rate" else parameter] = value
            else:
                positional.append(value)
        made = call(f"{context.tf}.keras.optimizers.schedules.{schedule}", *positional, **named)
        return Rewritten(fill("SCHEDULE(STEP)", SCHEDULE=made, STEP=step))


def _positional_names(call_: BoundCall) -> list[str]:
    """The parameters whose arguments stand by position in the source."""
    count = sum(arg.keyword is None for arg in call_.node.args)
    return list(call_.arguments)[:count]
