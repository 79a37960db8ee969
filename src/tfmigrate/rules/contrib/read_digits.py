"""The data sets of tf.contrib.learn."""

from __future__ import annotations

from tfmigrate.rules.base import BoundCall, Context, Refused, Rewritten, Rule
from tfmigrate.rules.expressions import call as call_of
from tfmigrate.rules.expressions import literal, parse


class ReadDigits(Rule):
    """Reads MNIST by the tutorials' reader, from the folder that `load_dataset` reads; other data sets are refused.

    before  tf.contrib.learn.datasets.load_dataset("mnist")
    after   read_data_sets("MNIST-data")

    Source: tensorflow/contrib/learn/python/learn/datasets/mnist.py (1.15), `load_mnist`.
    """

    symbols = ("contrib.learn.datasets.load_dataset",)

    def rewrite(self, call: BoundCall, context: Context) -> Rewritten | Refused:
        if literal(call.get("name")) != "mnist" or set(call.arguments) != {"name"}:
            return Refused("TFM119", "a data set of tf.contrib.learn other than MNIST")
        made = call_of("read_data_sets", parse('"MNIST-data"'))
        return Rewritten(made, support=("input_data:read_data_sets",))
