"""Learning-rate decays that Keras lacks."""

from __future__ import annotations

import libcst as cst

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.expressions import fill, is_none, is_word, parse

_PLAIN = "RATE * TF.exp(-DECAY * TF.cast(STEP, TF.float32) / STEPS)"
_STAIRS = "RATE * TF.exp(-DECAY * TF.floor(TF.cast(STEP, TF.float32) / STEPS))"
_COSINE = (
    "RATE * ((ALPHA + 1.0 - TF.minimum(TF.cast(STEP, TF.float32), STEPS) / STEPS) "
    "* 0.5 * (1.0 + TF.cos(CIRCLES * TF.minimum(TF.cast(STEP, TF.float32), STEPS) / STEPS)) + BETA)"
)
_PI = "3.141592653589793"


class DecayByFormula(Rule):
    """Writes out the decays that Keras has no schedule for.

    before  tf.train.natural_exp_decay(0.1, step, 100, 0.5)
    after   0.1 * tf.exp(-0.5 * tf.cast(step, tf.float32) / 100)

    Source: tensorflow/python/keras/optimizer_v2/legacy_learning_rate_decay.py (1.15).
    """

    symbols = ("train.natural_exp_decay", "train.linear_cosine_decay")

    def rewrite(self, call: BoundCall, context: Context) -> Rewritten | Refused:
        step = call.get("global_step")
        if step is None or is_none(step):
            return Refused("TFM203", f"tf.{call.symbol} needs the global step")
        holes: dict[str, cst.BaseExpression | str] = {
            "TF": context.tf,
            "RATE": call.arguments["learning_rate"],
            "STEP": step,
            "STEPS": call.arguments["decay_steps"],
        }
        if call.symbol == "train.linear_cosine_decay":
            periods = call.get("num_periods") or parse("0.5")
            holes["ALPHA"] = call.get("alpha") or parse("0.0")
            holes["BETA"] = call.get("beta") or parse("0.001")
            holes["CIRCLES"] = fill(f"2.0 * {_PI} * PERIODS", PERIODS=periods)
            return Rewritten(fill(_COSINE, **holes))
        staircase = call.get("staircase")
        if staircase is not None and not (is_word(staircase, "True") or is_word(staircase, "False")):
            return Refused("TFM204", "tf.train.natural_exp_decay with a staircase that is not seen")
        holes["DECAY"] = call.arguments["decay_rate"]
        return Rewritten(fill(_STAIRS if is_word(staircase, "True") else _PLAIN, **holes))
