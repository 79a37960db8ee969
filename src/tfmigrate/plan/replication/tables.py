"""The ops of TensorFlow 1 by what they do with the rows of a batch; see `ops`."""

from __future__ import annotations

from tfmigrate.plan.replication.kinds import Kind

_ELEMENTWISE = """
    nn.relu nn.relu6 nn.elu nn.selu nn.leaky_relu nn.sigmoid nn.tanh nn.softplus nn.softsign
    nn.bias_add nn.dropout nn.swish nn.sigmoid_cross_entropy_with_logits
    nn.weighted_cross_entropy_with_logits nn.local_response_normalization nn.lrn layers.dropout
    contrib.layers.dropout sigmoid tanh exp expm1 log log1p sqrt rsqrt square abs pow maximum
    minimum sign round rint floor ceil sin cos tan asin acos atan clip_by_value squared_difference
    equal not_equal greater greater_equal less less_equal logical_and logical_or logical_not
    logical_xor where select ones_like zeros_like floordiv floormod mod floor_div reciprocal is_nan
    is_finite is_inf erf lgamma digamma to_int32 to_int64 to_bfloat16 div_no_nan
"""
ELEMENTWISE = frozenset(_ELEMENTWISE.split())
LINEAR = frozenset({"identity", "stop_gradient", "negative", "to_float", "to_double"})
PER_EXAMPLE = {
    "nn.conv1d": 3,
    "nn.conv2d": 4,
    "nn.conv3d": 5,
    "nn.depthwise_conv2d": 4,
    "nn.separable_conv2d": 4,
    "nn.atrous_conv2d": 4,
    "nn.max_pool": 4,
    "nn.avg_pool": 4,
    "nn.max_pool3d": 5,
    "nn.avg_pool3d": 5,
    "nn.xw_plus_b": 2,
    "nn.relu_layer": 2,
    "layers.conv1d": 3,
    "layers.conv2d": 4,
    "layers.conv3d": 5,
    "layers.conv2d_transpose": 4,
    "layers.separable_conv2d": 4,
    "layers.max_pooling2d": 4,
    "layers.average_pooling2d": 4,
    "layers.max_pooling1d": 3,
    "layers.average_pooling1d": 3,
    "layers.flatten": 2,
    "contrib.layers.flatten": 2,
    "contrib.layers.conv2d": 4,
    "contrib.layers.convolution2d": 4,
    "contrib.layers.max_pool2d": 4,
    "contrib.layers.avg_pool2d": 4,
    "contrib.layers.conv2d_transpose": 4,
    "image.resize_bilinear": 4,
    "image.resize_nearest_neighbor": 4,
    "image.resize_images": 4,
    "image.resize_bicubic": 4,
    "nn.in_top_k": 1,
    "nn.nce_loss": 1,
    "nn.sampled_softmax_loss": 1,
}
DENSE = frozenset({"layers.dense", "contrib.layers.fully_connected", "contrib.layers.linear", "contrib.layers.relu"})
REDUCTIONS = {
    "reduce_mean": Kind.MEAN,
    "reduce_sum": Kind.SUM,
    "reduce_max": None,
    "reduce_min": None,
    "reduce_prod": None,
    "reduce_any": None,
    "reduce_all": None,
    "reduce_logsumexp": None,
    "count_nonzero": Kind.SUM,
}
LOSSES = frozenset(
    "losses." + name
    for name in (
        "mean_squared_error",
        "softmax_cross_entropy",
        "sparse_softmax_cross_entropy",
        "sigmoid_cross_entropy",
        "absolute_difference",
        "huber_loss",
        "log_loss",
        "hinge_loss",
    )
)
PARTS = frozenset({"nn.top_k"})  # what these give in several parts has a row an example in each
TWICE = frozenset({"py_func", "numpy_function", "Print", "print", "Assert"})
