"""tf.string_split."""

from __future__ import annotations

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.expressions import UNKNOWN, call, fill, is_none, literal, parse


class SplitIntoSparse(Rule):
    """Splits by the kernel of `tf.string_split`: a sparse tensor, empty pieces left out, each character a delimiter.

    before  tf.string_split(lines)
    after   tf.SparseTensor(*tf.raw_ops.StringSplit(input=lines, delimiter=" "))

    Source: tensorflow/python/ops/ragged/ragged_string_ops.py (1.15), `string_split`.
    """

    symbols = ("string_split",)

    def rewrite(self, call_: BoundCall, context: Context) -> Rewritten | Refused:
        result = call_.get("result_type")
        if result is not None and literal(result) != "SparseTensor":
            return Refused("TFM204", "tf.string_split with a ragged result")
        delimiter = call_.get("delimiter") or call_.get("sep")
        if delimiter is None or is_none(delimiter):
            delimiter = parse('" "')
        elif literal(delimiter) is UNKNOWN and call_.get("skip_empty") is not None:
            return Refused("TFM204", "tf.string_split with a delimiter that is not seen and skip_empty")
        split = call(
            f"{context.tf}.raw_ops.StringSplit",
            input=call_.get("source"),
            delimiter=delimiter,
            skip_empty=call_.get("skip_empty"),
        )
        return Rewritten(fill("TF.SparseTensor(*SPLIT)", TF=context.tf, SPLIT=split))
