"""tf.nn.fused_batch_norm."""

from __future__ import annotations

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.expressions import call, fill, is_none, parse


class NormalizeByFusedKernel(Rule):
    """Calls the kernel that `tf.nn.fused_batch_norm` is; its first three results are 1.15's.

    before  tf.nn.fused_batch_norm(x, gamma, beta)
    after   tf.raw_ops.FusedBatchNormV3(x=x, scale=gamma, offset=beta, mean=[], variance=[], epsilon=0.001)[:3]

    Source: tensorflow/python/ops/nn_impl.py (1.15), `fused_batch_norm`.
    """

    symbols = ("nn.fused_batch_norm",)

    def rewrite(self, call_: BoundCall, context: Context) -> Rewritten | Refused:
        mean, variance = call_.get("mean"), call_.get("variance")
        empty = parse("[]")
        kernel = call(
            f"{context.tf}.raw_ops.FusedBatchNormV3",
            x=call_.get("x"),
            scale=call_.get("scale"),
            offset=call_.get("offset"),
            mean=empty if mean is None or is_none(mean) else mean,
            variance=empty if variance is None or is_none(variance) else variance,
            epsilon=call_.get("epsilon") or parse("0.001"),
            data_format=call_.get("data_format"),
            is_training=call_.get("is_training"),
        )
        return Rewritten(fill("KERNEL[:3]", KERNEL=kernel))
