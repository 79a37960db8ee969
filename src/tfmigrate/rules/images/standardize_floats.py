"""tf.image.per_image_standardization."""

from __future__ import annotations

from dataclasses import replace

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.keeping import amend, keep_reference

_NOTE = "for images of integers 1.15 gave integers again (clipped), TensorFlow 2 gives floats; for floats they agree"


class StandardizeFloats(Rule):
    """Keeps the standardization of float images, and tells that images of integers now give floats.

    before  tf.image.per_image_standardization(image)
    after   tf.image.per_image_standardization(image)

    Source: tensorflow/python/ops/image_ops_impl.py (1.15 and 2.21), `per_image_standardization`.
    """

    symbols = ("image.per_image_standardization",)

    def rewrite(self, call: BoundCall, context: Context) -> Rewritten | Refused:
        result = amend(call, "image.per_image_standardization", context)
        return result if isinstance(result, Refused) else replace(result, notes=(("TFM218", _NOTE),))

    def reference(self, symbol: str, context: Context) -> Rewritten | Refused | None:
        return keep_reference(symbol, context)
