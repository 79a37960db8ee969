"""Which refusal a symbol without a counterpart gets: the code tells what kind of API it belongs to."""

from __future__ import annotations

from tfmigrate import symbols
from tfmigrate.rules.base import Refused

_PREFIXES: tuple[tuple[str, str, str], ...] = (
    ("losses.get_", "TFM207", "collects losses from the graph"),
    ("losses.add_loss", "TFM207", "puts a loss into a collection of the graph"),
    ("contrib.losses.get_", "TFM207", "collects losses from the graph"),
    ("contrib.losses.add_loss", "TFM207", "puts a loss into a collection of the graph"),
    ("metrics.", "TFM206", "keeps its counts in local variables"),
    ("contrib.metrics.", "TFM206", "keeps its counts in local variables"),
    ("contrib.slim.arg_scope", "TFM209", "gives defaults to calls elsewhere"),
    ("contrib.framework.arg_scope", "TFM209", "gives defaults to calls elsewhere"),
    ("contrib.layers.", "TFM208", "is a layer that no rule writes out"),
    ("contrib.slim.", "TFM208", "is part of TF-Slim"),
    ("layers.", "TFM208", "is a layer that no rule writes out"),
    ("estimator.", "TFM210", "belongs to Estimator, which TensorFlow 2.16 removed"),
    ("contrib.estimator.", "TFM210", "belongs to Estimator, which TensorFlow 2.16 removed"),
    ("contrib.learn.", "TFM210", "belongs to contrib.learn, the forerunner of Estimator"),
    ("feature_column.", "TFM210", "belongs to feature columns, the inputs of Estimator"),
    ("train.Session", "TFM210", "is a hook of a monitored session"),
    ("train.batch", "TFM211", "reads through a queue of the graph"),
    ("train.shuffle_batch", "TFM211", "reads through a queue of the graph"),
    ("train.maybe_", "TFM211", "reads through a queue of the graph"),
    ("train.slice_input_producer", "TFM211", "reads through a queue of the graph"),
    ("train.string_input_producer", "TFM211", "reads through a queue of the graph"),
    ("train.range_input_producer", "TFM211", "reads through a queue of the graph"),
    ("train.input_producer", "TFM211", "reads through a queue of the graph"),
    ("contrib.seq2seq.", "TFM212", "belongs to contrib.seq2seq"),
    ("contrib.legacy_seq2seq.", "TFM212", "belongs to contrib.legacy_seq2seq"),
    ("nn.rnn_cell.", "TFM213", "is a recurrent cell"),
    ("nn.dynamic_rnn", "TFM213", "is a recurrent network"),
    ("nn.static_", "TFM213", "is a recurrent network"),
    ("nn.raw_rnn", "TFM213", "is a recurrent network"),
    ("nn.bidirectional_dynamic_rnn", "TFM213", "is a recurrent network"),
    ("contrib.rnn.", "TFM213", "is a recurrent cell or network"),
    ("distributions.", "TFM214", "moved to TensorFlow Probability"),
    ("contrib.distributions.", "TFM214", "moved to TensorFlow Probability"),
    ("contrib.bayesflow.", "TFM214", "moved to TensorFlow Probability"),
    ("contrib.opt.", "TFM215", "is an optimizer whose exact form no rule writes"),
    ("train.Proximal", "TFM215", "is an optimizer whose exact form no rule writes"),
    ("train.AdagradDA", "TFM215", "is an optimizer whose exact form no rule writes"),
    ("train.SyncReplicas", "TFM216", "belongs to distribution by parameter servers"),
    ("contrib.tpu.", "TFM216", "belongs to the TPU API of TensorFlow 1"),
    ("contrib.distribute.", "TFM216", "belongs to an early form of tf.distribute"),
    ("contrib.", "TFM217", "belongs to tf.contrib, which TensorFlow 2 has not"),
)
"""The first match counts."""


def refusal(name: str) -> Refused:
    """The refusal of a symbol that no rule covers and the target does not have."""
    plain = name.removeprefix("compat.v1.")
    for prefix, code, what in _PREFIXES:
        if plain.startswith(prefix) or symbols.canonical(plain).startswith(prefix):
            return Refused(code, f"tf.{plain} {what}")
    return Refused("TFM201", f"tf.{plain} has no counterpart in TensorFlow 2 that keeps its meaning")
