"""Why a program is not converted: what it feeds, fetches, names or passes on is not known or has no place."""

from __future__ import annotations

# code, title, sentence, example, advice (where empty: by hand)
VALUES = (
    (
        "TFM107",
        "Feed that is not known",
        "The dictionary that is fed is built in a way that cannot be followed, or lacks a placeholder.",
        "sess.run(loss, feed_dict=make_feed())",
        "Write the dictionary at the call, or in a function of the tree that returns it.",
    ),
    (
        "TFM108",
        "Fetch that is not known",
        "What is fetched is not known to be one thing of the graph.",
        "sess.run(ops[name])",
        "Fetch by a plain name.",
    ),
    (
        "TFM109",
        "Tensor by name",
        "A tensor is taken by a name that no statement of the program gives.",
        "sess.run('scope/Add:0')",
        "Use the Python object instead of its name.",
    ),
    (
        "TFM110",
        "Tensor given away",
        "A tensor of the graph is given to a function whose source is not in the tree.",
        "helper(logits)",
        "Convert the tree that holds the function together with this file.",
    ),
    (
        "TFM111",
        "Host code reads the graph",
        "Host code looks at a tensor itself (its static shape, its name) rather than at its value.",
        "n = int(hidden.get_shape()[1])",
        "Compute the number from the sizes that the program knows.",
    ),
    (
        "TFM169",
        "Variables of a layer that is never called",
        "A Keras layer makes its variables when it is first called. Here they are read, and nothing that is run calls "
        "the layer.",
        "tf.layers.dense(x, 3)\nsess.run(tf.trainable_variables())",
        "Run what the layer computes once, or make its variables by tf.get_variable.",
    ),
    (
        "TFM113",
        "Tensor put away",
        "A tensor of the graph is put into an object whose contents are not known.",
        "holder.x = tensor",
        "",
    ),
    (
        "TFM114",
        "Tensors compared",
        "Tensors are compared with == or !=, which TensorFlow 1 decides by identity, TensorFlow 2 element by element.",
        "if a == b:",
        "Write `a is b` where identity is meant, tf.equal where the elements are.",
    ),
    (
        "TFM130",
        "Variable from the graph",
        "A variable's value begins with something that is only known in a step.",
        "tf.Variable(tf.zeros_like(x))",
        "",
    ),
    (
        "TFM165",
        "Moving average",
        "An ExponentialMovingAverage is used in a way that cannot be followed, or keeps averages of tensors.",
        "ema.apply([loss])",
        "",
    ),
    (
        "TFM142",
        "Computed name",
        "The name of a variable or of a scope is not known statically.",
        "tf.get_variable(name % i, [1])",
        "Use a literal name.",
    ),
    (
        "TFM143",
        "Variables out of reach",
        "A list of variables is needed, and one of them cannot be reached by a name (it was made in a loop, say).",
        "for i in range(n): w = tf.Variable(...)",
        "Give each variable a name, or keep your own list and pass it as var_list.",
    ),
    (
        "TFM144",
        "Assignment",
        "An assignment goes to something that is not known to be one variable.",
        "tf.assign(pick(), 1.)",
        "",
    ),
)
