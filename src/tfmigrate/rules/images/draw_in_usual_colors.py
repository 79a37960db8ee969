"""tf.image.draw_bounding_boxes."""

from __future__ import annotations

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.expressions import parse
from tfmigrate.rules.keeping import amend


class DrawInUsualColors(Rule):
    """Names the colors, which TensorFlow 2 asks for: none given means the usual ones.

    before  tf.image.draw_bounding_boxes(images, boxes)
    after   tf.image.draw_bounding_boxes(images, boxes, colors=None)

    Source: tensorflow/python/ops/image_ops_impl.py (1.15), `draw_bounding_boxes`.
    """

    symbols = ("image.draw_bounding_boxes",)

    def rewrite(self, call: BoundCall, context: Context) -> Rewritten | Refused:
        added = {} if "colors" in call.arguments else {"colors": parse("None")}
        return amend(call, "image.draw_bounding_boxes", context, added=added)
