"""tf.layers: the layers with weights that Keras has with the same arithmetic."""

from __future__ import annotations

from tfmigrate.rules.base import BoundCall, Context, LayerForm, Refused, Rule
from tfmigrate.rules.layers.keras_form import Form, layer, padding

_BOTH = {
    name: name
    for name in (
        "activation", "use_bias", "bias_initializer", "bias_regularizer", "activity_regularizer", "bias_constraint",
        "trainable",
    )
}  # fmt: skip
_KERNEL = {**_BOTH, **{f"kernel_{name}": f"kernel_{name}" for name in ("initializer", "regularizer", "constraint")}}
_CONV = {**_KERNEL, **{name: name for name in ("strides", "padding", "data_format", "dilation_rate")}}
_SEPARABLE = {
    **_BOTH,
    **{name: name for name in ("strides", "padding", "data_format", "dilation_rate", "depth_multiplier")},
    **{
        f"{part}_{name}": f"{part}_{name}"
        for part in ("depthwise", "pointwise")
        for name in ("initializer", "regularizer", "constraint")
    },
}
_WEIGHTS = (("kernel", "kernel", True), ("bias", "bias", True))
_FILTERS = ("filters", "kernel_size")
_SEPARABLE_WEIGHTS = (
    ("depthwise_kernel", "depthwise_kernel", True),
    ("pointwise_kernel", "pointwise_kernel", True),
    ("bias", "bias", True),
)
_SEPARABLE_REGULARIZERS = ("depthwise_regularizer", "pointwise_regularizer", "bias_regularizer", "activity_regularizer")
_FORMS = {
    "layers.dense": Form("Dense", "dense", ("units",), _WEIGHTS, _KERNEL),
    "layers.conv1d": Form("Conv1D", "conv1d", _FILTERS, _WEIGHTS, _CONV),
    "layers.conv2d": Form("Conv2D", "conv2d", _FILTERS, _WEIGHTS, _CONV),
    "layers.conv3d": Form("Conv3D", "conv3d", _FILTERS, _WEIGHTS, _CONV),
    "layers.conv2d_transpose": Form("Conv2DTranspose", "conv2d_transpose", _FILTERS, _WEIGHTS, _CONV),
    "layers.conv3d_transpose": Form("Conv3DTranspose", "conv3d_transpose", _FILTERS, _WEIGHTS, _CONV),
    "layers.separable_conv1d": Form(
        "SeparableConv1D", "separable_conv1d", _FILTERS, _SEPARABLE_WEIGHTS, _SEPARABLE, _SEPARABLE_REGULARIZERS
    ),
    "layers.separable_conv2d": Form(
        "SeparableConv2D", "separable_conv2d", _FILTERS, _SEPARABLE_WEIGHTS, _SEPARABLE, _SEPARABLE_REGULARIZERS
    ),
}


class MakeKerasLayer(Rule):
    """Makes the Keras layer of the same arithmetic and weights once, and calls it where the function stood.

    before  tf.layers.dense(x, 10, activation=tf.nn.relu, name="fc")
    after   tf.keras.layers.Dense(10, activation=tf.nn.relu, name="fc") called with x

    Source: tensorflow/python/layers/core.py and convolutional.py (1.15), which are Keras layers.
    """

    symbols = tuple(_FORMS)

    def rewrite(self, call: BoundCall, context: Context) -> LayerForm | Refused:
        pad = padding(call.get("padding"))
        if isinstance(pad, Refused):
            return pad
        return layer(call, context, _FORMS[call.symbol], {} if pad is None else {"padding": pad})
