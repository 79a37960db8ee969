"""Symbols whose meaning did not change, only their name or the names of their arguments.

A row names the 1.15 symbol (its shortest name), the target's, the arguments with another name there, and the arguments
that have no effect on results and are left out. Symbols that keep one of their 1.15 names need no row.
Source: TensorFlow's `rename_v2.py` and `all_renames_v2.py`, each row checked against both signatures.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Rename:
    """One row."""

    symbol: str
    target: str
    arguments: dict[str, str] = field(default_factory=dict)
    dropped: tuple[str, ...] = ()


_AXIS = {"reduction_indices": "axis", "keep_dims": "keepdims"}
_SPARSE_AXIS = {"reduction_axes": "axis", "keep_dims": "keepdims"}
_POOL = {"value": "input"}
_CONV = {"filter": "filters", "value": "input", "dilation_rate": "dilations"}
_PATH = {"filename": "path", "dirname": "path"}


def _same(symbol: str, arguments: dict[str, str] | None = None, dropped: tuple[str, ...] = ()) -> Rename:
    return Rename(symbol, symbol, arguments or {}, dropped)


MATH = (
    *(_same(f"reduce_{name}", _AXIS) for name in ("sum", "mean", "max", "min", "prod", "all", "any", "logsumexp")),
    Rename("count_nonzero", "math.count_nonzero", {**_AXIS, "input_tensor": "input"}),
    _same("argmax", {"dimension": "axis"}),
    _same("argmin", {"dimension": "axis"}),
    Rename("arg_max", "argmax", {"dimension": "axis"}),
    Rename("arg_min", "argmin", {"dimension": "axis"}),
    _same("norm", {"keep_dims": "keepdims"}),
    Rename("sparse_matmul", "linalg.matmul"),
    Rename("floordiv", "math.floordiv"),
    Rename("floor_div", "math.floordiv"),
    Rename("set_random_seed", "random.set_seed"),
    Rename("multinomial", "random.categorical", {"output_dtype": "dtype"}),
)
ARRAYS = (
    _same("expand_dims", {"dim": "axis"}),
    _same("squeeze", {"squeeze_dims": "axis"}),
    _same("ones_like", {"tensor": "input"}, ("optimize",)),
    _same("zeros_like", {"tensor": "input"}, ("optimize",)),
    _same("convert_to_tensor", {"preferred_dtype": "dtype_hint"}),
    _same("reverse_sequence", {"seq_dim": "seq_axis", "batch_dim": "batch_axis"}),
    _same("batch_to_space", {"block_size": "block_shape"}),
    Rename("batch_to_space_nd", "batch_to_space"),
    _same("constant", {}, ("verify_shape",)),
    Rename("setdiff1d", "raw_ops.ListDiff", {"index_dtype": "out_idx"}),
    _same("device", {"device_name_or_function": "device_name"}),
)
NEURAL = (
    _same("nn.softmax", {"dim": "axis"}),
    _same("nn.log_softmax", {"dim": "axis"}),
    Rename("nn.l2_normalize", "nn.l2_normalize", {"dim": "axis"}),
    _same("nn.moments", {"keep_dims": "keepdims"}),
    _same("nn.weighted_moments", {"keep_dims": "keepdims"}),
    _same("nn.sufficient_statistics", {"keep_dims": "keepdims"}),
    *(_same(f"nn.{name}", _CONV, ("use_cudnn_on_gpu",)) for name in ("conv1d", "conv2d")),
    *(_same(f"nn.{name}", _CONV) for name in ("conv3d", "convolution", "conv2d_transpose", "conv3d_transpose")),
    _same("nn.depthwise_conv2d", {"rate": "dilations"}),
    _same("nn.separable_conv2d", {"rate": "dilations"}),
    _same("nn.max_pool", _POOL),
    _same("nn.avg_pool", _POOL),
    Rename("nn.max_pool_v2", "nn.max_pool"),
    Rename("nn.avg_pool_v2", "nn.avg_pool"),
    Rename("nn.depthwise_conv2d_native", "nn.depthwise_conv2d"),
    _same("nn.pool", {"dilation_rate": "dilations"}),
    _same("nn.max_pool_with_argmax", {"Targmax": "output_dtype"}),
    _same("nn.weighted_cross_entropy_with_logits", {"targets": "labels"}),
)
CHECKS = (
    *(_same(name, {}, ("data",)) for name in ("assert_equal", "assert_greater", "assert_less")),
    *(
        Rename(name, f"debugging.{name}", {}, ("data",))
        for name in (
            "assert_greater_equal",
            "assert_less_equal",
            "assert_near",
            "assert_negative",
            "assert_non_negative",
            "assert_non_positive",
            "assert_none_equal",
            "assert_positive",
        )
    ),
    _same("assert_rank", {}, ("data", "summarize")),
    Rename("assert_rank_at_least", "debugging.assert_rank_at_least", {}, ("data", "summarize")),
    Rename("assert_rank_in", "debugging.assert_rank_in", {}, ("data", "summarize")),
    Rename("verify_tensor_all_finite", "debugging.assert_all_finite", {"t": "x", "msg": "message"}),
)  # `data` is only printed when the check fails
STRINGS = (
    Rename("string_to_hash_bucket", "strings.to_hash_bucket", {"string_tensor": "input"}),
    Rename("string_to_number", "strings.to_number", {"string_tensor": "input"}),
    Rename("reduce_join", "strings.reduce_join", _AXIS),
    Rename("substr", "strings.substr"),
    Rename("decode_raw", "io.decode_raw", {"bytes": "input_bytes"}),
    Rename("py_func", "numpy_function"),
)
SPARSE = (
    Rename("sparse_add", "sparse.add", {"thresh": "threshold"}),
    Rename("sparse_concat", "sparse.concat", {"concat_dim": "axis", "expand_nonconcat_dim": "expand_nonconcat_dims"}),
    Rename("sparse_reduce_max", "sparse.reduce_max", _SPARSE_AXIS),
    Rename("sparse_reduce_sum", "sparse.reduce_sum", _SPARSE_AXIS),
)
IMAGES = (
    Rename("extract_image_patches", "image.extract_patches", {"ksizes": "sizes"}),
    _same("image.crop_and_resize", {"box_ind": "box_indices"}),
    _same("image.sample_distorted_bounding_box", {}, ("seed2",)),
)
FILES = (
    Rename("gfile.FastGFile", "io.gfile.GFile"),
    Rename("gfile.Exists", "io.gfile.exists", _PATH),
    Rename("gfile.MakeDirs", "io.gfile.makedirs", _PATH),
    Rename("gfile.MkDir", "io.gfile.mkdir", _PATH),
    Rename("gfile.Remove", "io.gfile.remove", _PATH),
    Rename("gfile.DeleteRecursively", "io.gfile.rmtree", _PATH),
    Rename("gfile.IsDirectory", "io.gfile.isdir", _PATH),
    Rename("gfile.ListDirectory", "io.gfile.listdir", _PATH),
    Rename("gfile.Stat", "io.gfile.stat", _PATH),
    Rename("gfile.Glob", "io.gfile.glob", {"filename": "pattern"}),
    Rename("gfile.Copy", "io.gfile.copy", {"oldpath": "src", "newpath": "dst"}),
    Rename("gfile.Rename", "io.gfile.rename", {"oldname": "src", "newname": "dst"}),
    Rename("gfile.Walk", "io.gfile.walk", {"in_order": "topdown"}),
)
CONTRIB = (Rename("contrib.framework.nest.is_sequence", "nest.is_nested", {"o": "seq"}),)

RENAMES: dict[str, Rename] = {
    row.symbol: row
    for group in (MATH, ARRAYS, NEURAL, CHECKS, STRINGS, SPARSE, IMAGES, FILES, CONTRIB)
    for row in group
}
"""By 1.15's shortest name."""
