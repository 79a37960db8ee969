"""contrib.layers (slim): the layers with weights."""

from __future__ import annotations

import libcst as cst

from tfmigrate.rules.base import BoundCall, Context, LayerForm, Refused, Rule
from tfmigrate.rules.expressions import UNKNOWN, is_none, literal, parse
from tfmigrate.rules.layers.keras_form import Form, layer, padding

_WEIGHTS = (("weights", "kernel", True), ("biases", "bias", True))
_ARGUMENTS = {
    "weights_initializer": "kernel_initializer",
    "weights_regularizer": "kernel_regularizer",
    "biases_initializer": "bias_initializer",
    "biases_regularizer": "bias_regularizer",
    "activation_fn": "activation",
    "trainable": "trainable",
}
_CONV = {**_ARGUMENTS, "stride": "strides", "padding": "padding", "rate": "dilation_rate", "data_format": "data_format"}
_FORMS = {
    "contrib.layers.fully_connected": Form("Dense", "fully_connected", ("num_outputs",), _WEIGHTS, _ARGUMENTS),
    "contrib.layers.conv2d": Form("Conv2D", "Conv", ("num_outputs", "kernel_size"), _WEIGHTS, _CONV),
    "contrib.layers.conv2d_transpose": Form(
        "Conv2DTranspose", "Conv2d_transpose", ("num_outputs", "kernel_size"), _WEIGHTS, _CONV
    ),
}
_FORMATS = {
    "NHWC": "channels_last",
    "NCHW": "channels_first",
    "channels_last": "channels_last",
    "channels_first": "channels_first",
}


class MakeContribLayer(Rule):
    """Makes contrib's layers as Keras layers with contrib's own defaults: ReLU, SAME padding, Xavier weights.

    before  tf.contrib.layers.fully_connected(x, 64)
    after   tf.keras.layers.Dense(64, activation=tf.nn.relu) called with x

    Source: tensorflow/contrib/layers/python/layers/layers.py (1.15).
    """

    symbols = tuple(_FORMS)

    def rewrite(self, call: BoundCall, context: Context) -> LayerForm | Refused:
        normalizer = call.get("normalizer_fn")
        if normalizer is not None and not is_none(normalizer):
            return Refused("TFM208", f"tf.{call.symbol} with a normalizer_fn makes two layers")
        arguments = {k: v for k, v in call.arguments.items() if k not in ("normalizer_fn", "normalizer_params")}
        plain = BoundCall(call.symbol, arguments, call.node)
        changed: dict[str, cst.BaseExpression] = {}
        if "activation_fn" not in arguments:
            changed["activation"] = parse(f"{context.tf}.nn.relu")
        if "biases_initializer" in arguments and is_none(arguments["biases_initializer"]):
            del arguments["biases_initializer"]
            changed["use_bias"] = parse("False")
        if call.symbol != "contrib.layers.fully_connected":
            pad = padding(call.get("padding")) or parse('"same"')
            if isinstance(pad, Refused):
                return pad
            changed["padding"] = pad
            order = literal(call.get("data_format"))
            if order is UNKNOWN and not is_none(call.get("data_format")):
                return Refused("TFM204", f"tf.{call.symbol}: its data_format is not seen in the call")
            if isinstance(order, str):
                changed["data_format"] = parse(f'"{_FORMATS[order]}"')
        form = _FORMS[call.symbol]
        return layer(plain, context, form, changed)
