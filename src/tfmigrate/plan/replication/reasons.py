"""Why a program is not converted for a strategy: what the replicas compute cannot be put together again."""

from __future__ import annotations

# code, title, sentence, example, advice (where empty: by hand)
REPLICAS = (
    (
        "TFM152",
        "Not a mean, not a sum",
        "With a strategy each replica computes a part of the batch, and what must be put together again is not known "
        "to be a mean or a sum over the examples, or to have a row an example.",
        "loss = tf.sqrt(tf.reduce_mean(tf.square(error)))",
        "Convert with --strategy default, or fetch the mean itself and compute the rest on the host.",
    ),
    (
        "TFM153",
        "Done on each replica",
        "With a strategy each replica would do this once: an assignment of different values, a print, a Python "
        "function.",
        "tf.py_func(count, [x], tf.float32)",
        "Convert with --strategy default, or take it out of the training step.",
    ),
    (
        "TFM154",
        "Strategy in several files",
        "Variables are made in several files, and a program has one strategy.",
        "",
        "Make the variables in the file that trains.",
    ),
    (
        "TFM155",
        "Layers made late",
        "With a strategy, layers make their variables before replicas call them, and what they are called with is not "
        "known before.",
        "for n in sizes: sess.run(train_op)",
        "Feed the value through a placeholder.",
    ),
)
