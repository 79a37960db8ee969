"""The optimizers of tf.train."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import libcst as cst

from tfmigrate.rules.base import BoundCall, Context, OptimizerForm, Refused, Rule
from tfmigrate.rules.expressions import UNKNOWN, is_word, literal, parse


@dataclass(frozen=True)
class _Form:
    """How one optimizer is written: `arguments` by 1.15's name, `keras` what plain Keras needs to come close."""

    fused: str
    keras: str
    arguments: Mapping[str, str]
    slots: tuple[str, ...]
    defaults: Mapping[str, str] = field(default_factory=dict)  # 1.15's defaults that the class does not share
    keras_defaults: Mapping[str, str] = field(default_factory=dict)


_SHRINKAGE = "l2_shrinkage_regularization_strength"
_FORMS: dict[str, _Form] = {
    "train.GradientDescentOptimizer": _Form("", "SGD", {}, ()),
    "train.MomentumOptimizer": _Form(
        "Momentum", "SGD", {"momentum": "momentum", "use_nesterov": "nesterov"}, ("Momentum",)
    ),
    "train.AdamOptimizer": _Form(
        "Adam",
        "Adam",
        {"beta1": "beta_1", "beta2": "beta_2", "epsilon": "epsilon"},
        ("Adam", "Adam_1"),
        keras_defaults={"epsilon": "1e-8"},
    ),
    "train.RMSPropOptimizer": _Form(
        "RMSProp",
        "RMSprop",
        {"decay": "rho", "momentum": "momentum", "epsilon": "epsilon", "centered": "centered"},
        ("RMSProp", "RMSProp_1"),
        keras_defaults={"epsilon": "1e-10"},
    ),
    "train.AdagradOptimizer": _Form(
        "Adagrad",
        "Adagrad",
        {"initial_accumulator_value": "initial_accumulator_value"},
        ("Adagrad",),
        keras_defaults={"epsilon": "0.0"},
    ),
    "train.AdadeltaOptimizer": _Form(
        "Adadelta",
        "Adadelta",
        {"rho": "rho", "epsilon": "epsilon"},
        ("Adadelta", "Adadelta_1"),
        keras_defaults={"epsilon": "1e-8"},
    ),
    "train.FtrlOptimizer": _Form(
        "Ftrl",
        "Ftrl",
        {
            name: name
            for name in (
                "learning_rate_power",
                "initial_accumulator_value",
                "l1_regularization_strength",
                "l2_regularization_strength",
                _SHRINKAGE,
            )
        },
        ("Ftrl", "Ftrl_1"),
    ),
}


class ChooseTheClass(Rule):
    """Names the optimizer's class: the exact one on TensorFlow's training kernels, or Keras' own.

    before  tf.train.AdamOptimizer(1e-3, beta1=0.5)
    after   Adam(1e-3, beta_1=0.5)

    before  tf.train.GradientDescentOptimizer(0.1)
    after   tf.keras.optimizers.SGD(0.1)

    Source: tensorflow/python/training/*.py (1.15) and the kernels in core/kernels/training_ops.cc.
    """

    symbols = tuple(_FORMS)

    def rewrite(self, call: BoundCall, context: Context) -> OptimizerForm | Refused:
        form = _FORMS[call.symbol]
        rate = call.get("learning_rate")
        if rate is None:
            if call.symbol not in ("train.AdamOptimizer", "train.AdadeltaOptimizer"):
                return Refused("TFM203", f"tf.{call.symbol} needs a learning rate")
            rate = parse("0.001")
        keywords = {new: call.arguments[old] for old, new in form.arguments.items() if old in call.arguments}
        slots = _slots(call, form)
        if context.fused and form.fused:
            support = (f"fused_optimizers:{form.fused}",)
            return OptimizerForm(form.fused, rate, {**_parsed(form.defaults), **keywords}, support, (), slots)
        defaults = _parsed(form.keras_defaults)
        return OptimizerForm(
            f"{context.tf}.keras.optimizers.{form.keras}",
            rate,
            {**keywords, **_missing(defaults, keywords)},
            (),
            (),
            slots,
        )


def _parsed(texts: Mapping[str, str]) -> dict[str, cst.BaseExpression]:
    return {name: parse(text) for name, text in texts.items()}


def _missing(
    defaults: Mapping[str, cst.BaseExpression], given: Mapping[str, cst.BaseExpression]
) -> dict[str, cst.BaseExpression]:
    return {name: value for name, value in defaults.items() if name not in given}


def _slots(call: BoundCall, form: _Form) -> tuple[str, ...]:
    """The last parts of the slots' names in a checkpoint; they follow the optimizer's own name."""
    slots = form.slots
    if call.symbol == "train.RMSPropOptimizer" and is_word(call.get("centered"), "True"):
        slots = (*slots, "RMSProp_2")
    name = literal(call.get("name"))
    if name is UNKNOWN or not isinstance(name, str) or not slots:
        return slots
    return tuple(name + slot.removeprefix(slots[0]) for slot in slots)
