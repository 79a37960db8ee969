"""Initializers that Keras or TensorFlow 2 has with the same draw."""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.keeping import amend


@dataclass(frozen=True)
class _Form:
    target: str
    defaults: tuple[tuple[str, str], ...] = ()  # 1.15's defaults that the target does not share


_FORMS: dict[str, _Form] = {
    "zeros_initializer": _Form("zeros_initializer"),
    "ones_initializer": _Form("ones_initializer"),
    "constant_initializer": _Form("constant_initializer"),
    "random_normal_initializer": _Form("random_normal_initializer", (("stddev", "1.0"),)),
    "random_uniform_initializer": _Form("random_uniform_initializer", (("minval", "0.0"), ("maxval", "1.0"))),
    "truncated_normal_initializer": _Form("keras.initializers.TruncatedNormal", (("stddev", "1.0"),)),
    "glorot_uniform_initializer": _Form("keras.initializers.GlorotUniform"),
    "glorot_normal_initializer": _Form("keras.initializers.GlorotNormal"),
    "orthogonal_initializer": _Form("keras.initializers.Orthogonal"),
    "variance_scaling_initializer": _Form("keras.initializers.VarianceScaling"),
    "initializers.he_normal": _Form("keras.initializers.HeNormal"),
    "initializers.he_uniform": _Form("keras.initializers.HeUniform"),
    "initializers.lecun_normal": _Form("keras.initializers.LecunNormal"),
    "initializers.lecun_uniform": _Form("keras.initializers.LecunUniform"),
}


class NameByKeras(Rule):
    """Names the initializer of the same draw; defaults that changed are written out, the dtype is the variable's.

    before  tf.random_normal_initializer(seed=1)
    after   tf.random_normal_initializer(seed=1, stddev=1.0)

    before  tf.truncated_normal_initializer(stddev=0.1, dtype=tf.float32)
    after   tf.keras.initializers.TruncatedNormal(stddev=0.1)

    Source: tensorflow/python/ops/init_ops.py (1.15); keras/src/initializers/random_initializers.py.
    """

    symbols = tuple(_FORMS)

    def rewrite(self, call: BoundCall, context: Context) -> Rewritten | Refused:
        form = _FORMS[call.symbol]
        added = {name: cst.parse_expression(text) for name, text in form.defaults if name not in call.arguments}
        if call.symbol == "random_uniform_initializer" and "minval" in call.arguments and "maxval" in call.arguments:
            added = {}
        return amend(call, form.target, context, added=added, dropped=("dtype", "verify_shape"))

    def reference(self, symbol: str, context: Context) -> Rewritten | Refused | None:
        form = _FORMS[symbol]
        return None if form.defaults else Rewritten(cst.parse_expression(f"{context.tf}.{form.target}"))
