"""tf.image.resize_images."""

from __future__ import annotations

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.expressions import call


class ResizeOnOldGrid(Rule):
    """Resizes with 1.15's sampling grid, for one image or several, by a function written beside the program.

    before  tf.image.resize_images(image, [64, 64], align_corners=True)
    after   resize_images(image, [64, 64], align_corners=True)

    Source: tensorflow/python/ops/image_ops_impl.py (1.15), `resize_images`.
    """

    symbols = ("image.resize",)

    def rewrite(self, call_: BoundCall, context: Context) -> Rewritten | Refused:
        names = ("method", "align_corners", "preserve_aspect_ratio")
        options = {name: call_.get(name) for name in names}
        made = call("resize_images", call_.arguments["images"], call_.arguments["size"], **options)
        return Rewritten(
            made, support=("legacy_images:resize_images",), imports=("from legacy_images import resize_images",)
        )
