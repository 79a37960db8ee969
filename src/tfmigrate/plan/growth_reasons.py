"""What makes the graph grow while the program runs."""

from __future__ import annotations

# code, title, sentence, advice
GROWTH = (
    (
        "TFM301",
        "Saver in the loop",
        "A Saver is made in a loop: each turn adds all its save and restore ops to the graph.",
        "Make it once, before the loop.",
    ),
    (
        "TFM302",
        "Summary in the loop",
        "A summary is made or merged in a loop: each turn adds its ops, and later merges run them all.",
        "Make and merge the summaries once, before the loop.",
    ),
    (
        "TFM303",
        "Training ops in the loop",
        "An optimizer, gradients or a train op is made in a loop.",
        "Make the train op once, before the loop.",
    ),
    ("TFM304", "Variable in the loop", "A variable is made in a loop.", "Make it once, before the loop."),
    (
        "TFM305",
        "Session in the loop",
        "A session is made in a loop: each sets up the graph's execution anew.",
        "Make one session.",
    ),
    (
        "TFM306",
        "Iterator in the loop",
        "An iterator is made, or get_next() is called, in a loop.",
        "Call get_next() once, before the loop.",
    ),
    ("TFM307", "Placeholder in the loop", "A placeholder is made in a loop.", "Make it once, before the loop."),
    ("TFM308", "Initializer in the loop", "An initializer op is made in a loop.", "Make the op once, before the loop."),
    (
        "TFM309",
        "Op in the loop",
        "An op is made in a loop: each turn adds it, and its constants, to the graph.",
        "Make the op once, feed what changes.",
    ),
    (
        "TFM310",
        "Assignment in the loop",
        "An assignment is made in a loop: each turn adds its op and its constant to the graph.",
        "Make the assignment once with a placeholder for the value.",
    ),
)
