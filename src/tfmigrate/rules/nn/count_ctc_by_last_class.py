"""tf.nn.ctc_loss."""

from __future__ import annotations

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.expressions import call, is_word, parse


class CountCtcByLastClass(Rule):
    """Names the last class as the blank, which 1.15's `tf.nn.ctc_loss` always did.

    before  tf.nn.ctc_loss(labels, logits, lengths)
    after   tf.nn.ctc_loss(labels, logits, label_length=None, logit_length=lengths, blank_index=-1)

    Source: tensorflow/python/ops/ctc_ops.py (2.x), `ctc_loss_v2` with sparse labels.
    """

    symbols = ("nn.ctc_loss",)

    def rewrite(self, call_: BoundCall, context: Context) -> Rewritten | Refused:
        for name, usual in (
            ("preprocess_collapse_repeated", "False"),
            ("ctc_merge_repeated", "True"),
            ("ignore_longer_outputs_than_inputs", "False"),
        ):
            value = call_.get(name)
            if value is not None and not is_word(value, usual):
                return Refused("TFM204", f"tf.nn.ctc_loss: TensorFlow 2 has no {name}")
        logits = call_.get("inputs") or call_.get("logits")
        if logits is None:
            return Refused("TFM203", "tf.nn.ctc_loss takes inputs or logits")
        return Rewritten(
            call(
                f"{context.tf}.nn.ctc_loss",
                call_.arguments["labels"],
                logits,
                label_length=parse("None"),
                logit_length=call_.get("sequence_length"),
                logits_time_major=call_.get("time_major"),
                blank_index=parse("-1"),
            )
        )
