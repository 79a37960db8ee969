"""The findings that this stage emits."""

from __future__ import annotations

from tfmigrate.model import Reason, Severity

_ERROR = Severity.ERROR

RULE_REASONS: tuple[Reason, ...] = (
    Reason(
        "TFM201",
        "Symbol without a counterpart",
        _ERROR,
        "TensorFlow 2 has no symbol of that meaning and no rule writes it out.",
        "tf.contrib.crf.crf_log_likelihood(scores, tags, lengths)",
        "Replace the call by one of TensorFlow 2 by hand, or write a rule (see CONTRIBUTING.md).",
    ),
    Reason(
        "TFM202",
        "Unpacked arguments",
        _ERROR,
        "The call unpacks its arguments (*args, **kwargs), so it is not known which parameter each of them reaches.",
        "tf.nn.dropout(*options)",
        "Write the arguments out in the call.",
    ),
    Reason(
        "TFM203",
        "Arguments that TensorFlow 1.15 rejects",
        _ERROR,
        "The arguments do not fit TensorFlow 1.15's signature: the call fails there, or is older than 1.0.",
        "tf.nn.relu(x, alpha=0.2)",
        "Correct the call first.",
    ),
    Reason(
        "TFM204",
        "Argument without a counterpart",
        _ERROR,
        "TensorFlow 2 has the symbol but not that argument, or another default for it.",
        "tf.nn.embedding_lookup(tables, ids, partition_strategy='div')",
        "See the symbol's page in TensorFlow's documentation for the way to write it now.",
    ),
    Reason(
        "TFM205",
        "Symbol whose meaning changed",
        _ERROR,
        "TensorFlow 2 has a symbol of that name with another meaning; keeping it would change results silently.",
        "tf.where(mask, rows, other_rows)",
        "See the message for what changed.",
    ),
)
