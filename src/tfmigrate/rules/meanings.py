"""Symbols that the target has too but with another meaning: never kept as they are."""

from __future__ import annotations

from tfmigrate import symbols
from tfmigrate.rules.base import Refused
from tfmigrate.rules.refusals import refusal

CHANGED: dict[str, str] = {
    "image.extract_glimpse": "offsets are counted from another corner in TensorFlow 2",
    "image.resize_image_with_pad": "it samples at half pixels in TensorFlow 2",
    "nn.ctc_beam_search_decoder": "TensorFlow 2 never merges repeated classes, 1.15 does by default",
}
"""By 1.15's shortest name: what changed (for what has no rule)."""

QUEUES = ("FIFOQueue", "PaddingFIFOQueue", "RandomShuffleQueue", "PriorityQueue", "io.match_filenames_once")
"""The target has them, but eager: they fill and run at other times than in a session."""

CHANGED_MODULES = ("losses.", "metrics.", "initializers.", "optimizers.", "summary.", "estimator.", "feature_column.")
"""Their names hold other objects in TensorFlow 2."""

_KEEPDIMS = (
    "reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_prod", "reduce_all", "reduce_any",
    "reduce_logsumexp",
    "math.reduce_sum", "math.reduce_mean", "math.reduce_max", "math.reduce_min", "math.reduce_prod", "math.reduce_all",
    "math.reduce_any", "math.reduce_logsumexp", "strings.reduce_join", "nn.moments", "nn.weighted_moments",
    "nn.sufficient_statistics",
)  # fmt: skip

EQUAL_DEFAULTS: frozenset[tuple[str, str]] = frozenset(
    {(name, "keepdims") for name in _KEEPDIMS}
    | {
        ("shape", "out_type"),
        ("size", "out_type"),
        ("nn.conv1d", "data_format"),
        ("nn.conv2d", "dilations"),
        ("nn.conv3d", "dilations"),
        ("nn.depthwise_conv2d", "data_format"),
        ("nn.depthwise_conv2d", "dilations"),
        ("nn.max_pool", "data_format"),
        ("nn.avg_pool", "data_format"),
        ("nn.max_pool_with_argmax", "output_dtype"),
        ("image.crop_and_resize", "extrapolation_value"),
        ("image.sample_distorted_bounding_box", "seed"),
        ("sparse.concat", "expand_nonconcat_dims"),
        ("sparse.add", "threshold"),
        ("nn.softmax_cross_entropy_with_logits", "axis"),
        ("raw_ops.Print", "message"),
        ("raw_ops.Print", "first_n"),
        ("raw_ops.Print", "summarize"),
    }
)
"""(target symbol, parameter) whose defaults are written differently and mean the same."""


def changed(name: str) -> Refused | None:
    """The refusal of a symbol whose meaning changed, or None."""
    plain = name.removeprefix("compat.v1.")
    short = symbols.canonical(name)
    if short in CHANGED:
        return Refused("TFM205", f"tf.{plain}: {CHANGED[short]}")
    if short in QUEUES:
        return Refused("TFM211", f"tf.{plain} is a queue of the graph, or made for one")
    if symbols.legacy(name) is None:
        return None
    if short.startswith(CHANGED_MODULES) or plain.startswith(CHANGED_MODULES):
        kind = refusal(name)
        return Refused("TFM205", f"tf.{plain} names another object in TensorFlow 2") if kind.code == "TFM201" else kind
    return None
