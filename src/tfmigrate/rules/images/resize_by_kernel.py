"""tf.image.resize_bilinear and its siblings."""

from __future__ import annotations

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.keeping import amend

_KERNELS = {
    "image.resize_bilinear": "raw_ops.ResizeBilinear",
    "image.resize_nearest_neighbor": "raw_ops.ResizeNearestNeighbor",
    "image.resize_bicubic": "raw_ops.ResizeBicubic",
    "image.resize_area": "raw_ops.ResizeArea",
}


class ResizeByKernel(Rule):
    """Calls the kernel with 1.15's sampling grid; `tf.image.resize` samples half a pixel aside.

    before  tf.image.resize_bilinear(images, [64, 64], align_corners=True)
    after   tf.raw_ops.ResizeBilinear(images=images, size=[64, 64], align_corners=True)

    Source: tensorflow/python/ops/image_ops_impl.py (1.15); the kernels' `half_pixel_centers` is False by default.
    """

    symbols = tuple(_KERNELS)

    def rewrite(self, call: BoundCall, context: Context) -> Rewritten | Refused:
        return amend(call, _KERNELS[call.symbol], context, named=("images", "size"))
