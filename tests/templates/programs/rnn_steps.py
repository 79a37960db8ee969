"""Recurrent networks of every kind on either side: outputs, states, gradients and ten training steps of each, as .npz.

    rnn_steps.py GENERATED OUTPUT.npz

Run under TensorFlow 1.15 it takes tf.nn.rnn_cell, else the generated legacy_rnn.py. Weights and the noise of dropout
are given.
"""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = ""
sys.path.insert(0, sys.argv[1])

import numpy as np
import tensorflow as tf

LEGACY = tf.__version__.startswith("1.")
BATCH, TIME, WIDTH, UNITS = 4, 5, 3, 4
LENGTHS = np.array([2, 5, 0, 3], np.int32)

if LEGACY:
    from tensorflow.python.ops import nn_ops

    tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR)
    cells, nn = tf.nn.rnn_cell, tf.nn
else:
    import legacy_rnn as cells

    nn = cells


def dropout(x, rate, noise_shape=None, seed=None, name=None):
    """Dropout whose noise is given: every third column is dropped."""
    keep = np.arange(int(x.shape[-1])) % 3 != 1
    return x * keep.astype(np.float32) / (1.0 - rate)


if LEGACY:
    nn_ops.dropout_v2 = dropout
else:
    tf.nn.dropout = dropout


def dynamic(cell, x, **options):
    if LEGACY:
        options["dtype"] = tf.float32
    return nn.dynamic_rnn(cell, x, **options)


def static(cell, x, **options):
    if LEGACY:
        options["dtype"] = tf.float32
    outputs, state = nn.static_rnn(cell, tf.unstack(x, axis=1), **options)
    return tf.stack(outputs, axis=1), state


def time_major(cell, x, **options):
    outputs, state = dynamic(cell, tf.transpose(x, [1, 0, 2]), time_major=True, **options)
    return tf.transpose(outputs, [1, 0, 2]), state


def both_dynamic(pair, x, **options):
    if LEGACY:
        options["dtype"] = tf.float32
    outputs, states = nn.bidirectional_dynamic_rnn(pair[0], pair[1], x, **options)
    return tf.concat(outputs, 2), states


def both_static(pair, x, **options):
    if LEGACY:
        options["dtype"] = tf.float32
    outputs, *states = nn.static_bidirectional_rnn(pair[0], pair[1], tf.unstack(x, axis=1), **options)
    return tf.stack(outputs, axis=1), states


def by_hand(cell, x, **options):
    state = cell.zero_state(BATCH, tf.float32)
    outputs = []
    for time in range(TIME):
        output, state = cell(x[:, time], state)
        outputs.append(output)
    return tf.stack(outputs, axis=1), state


def given_state(run):
    """The run from a state that is given: a structure of numbers like the cell's."""

    def call(cell, x, **options):
        numbers = np.random.RandomState(7)
        widths = tf.nest.map_structure(lambda width: int(width), cell.state_size)
        state = tf.nest.map_structure(lambda width: tf.constant(numbers.randn(BATCH, width).astype(np.float32)), widths)
        return run(cell, x, initial_state=state, **options)

    return call


def twice(run):
    """The same cell over the inputs and over its own outputs: its weights are shared."""

    def call(cell, x, **options):
        first, _ = run(cell, x, **options)
        if LEGACY:
            with tf.compat.v1.variable_scope("again"):
                return run(cell, first[:, :, :WIDTH] + x, **options)
        return run(cell, first[:, :, :WIDTH] + x, **options)

    return call


def basic(units=UNITS):
    return cells.BasicRNNCell(units)


def lstm(units=UNITS, **options):
    return cells.BasicLSTMCell(units, **options)


def stacked():
    return cells.MultiRNNCell([lstm(4, forget_bias=0.5), basic(3), cells.GRUCell(2)])


def dropped(cell):
    return cells.DropoutWrapper(cell, input_keep_prob=0.8, output_keep_prob=0.5, state_keep_prob=0.7)


CELLS = {
    "rnn": basic,
    "rnn_relu": lambda: cells.BasicRNNCell(UNITS, activation=tf.nn.relu),
    "basic_lstm": lstm,
    "basic_lstm_bias": lambda: lstm(forget_bias=0.3, activation=tf.sigmoid),
    "lstm": lambda: cells.LSTMCell(UNITS),
    "lstm_full": lambda: cells.LSTMCell(
        UNITS, use_peepholes=True, cell_clip=0.6, num_proj=3, proj_clip=0.4, forget_bias=0.7
    ),
    "lstm_peepholes": lambda: cells.LSTMCell(UNITS, use_peepholes=True),
    "gru": lambda: cells.GRUCell(UNITS),
    "gru_relu": lambda: cells.GRUCell(UNITS, activation=tf.nn.relu),
    "multi": stacked,
    "dropout": lambda: dropped(lstm()),
    "dropout_gru": lambda: dropped(cells.GRUCell(UNITS)),
    "multi_dropout": lambda: dropped(cells.MultiRNNCell([dropped(lstm(3)), lstm(UNITS)])),
    "residual": lambda: cells.ResidualWrapper(cells.GRUCell(WIDTH)),
}
PAIRS = {
    "lstm_gru": lambda: (lstm(), cells.GRUCell(UNITS)),
    "multi": lambda: (stacked(), cells.MultiRNNCell([basic(), basic(3)])),
}
RUNS = {
    "dynamic": dynamic,
    "static": static,
    "time_major": time_major,
    "by_hand": by_hand,
    "dynamic_state": given_state(dynamic),
    "static_state": given_state(static),
}
CASES = [(f"{c}/dynamic/lengths", CELLS[c], dynamic, "lengths") for c in CELLS]
CASES += [
    (f"{c}/{r}/{n}", CELLS[c], RUNS[r], n)
    for c, r, n in (
        ("rnn", "dynamic", "all"),
        ("lstm_full", "static", "all"),
        ("gru", "static", "lengths"),
        ("multi", "static", "all"),
        ("gru", "time_major", "lengths"),
        ("basic_lstm", "by_hand", "all"),
        ("multi", "by_hand", "all"),
        ("basic_lstm", "dynamic_state", "lengths"),
        ("multi", "dynamic_state", "all"),
        ("gru", "dynamic_state", "all"),
        ("multi", "static_state", "lengths"),
        ("multi_dropout", "static", "lengths"),
    )
]
CASES += [
    (f"pair_{c}/{r}/{n}", PAIRS[c], run, n)
    for c, n, r, run in (
        ("lstm_gru", "all", "dynamic", both_dynamic),
        ("lstm_gru", "lengths", "static", both_static),
        ("multi", "lengths", "dynamic", both_dynamic),
        ("multi", "all", "static", both_static),
    )
]
CASES += [("rnn/twice/all", basic, twice(dynamic), "all"), ("basic_lstm/twice/lengths", lstm, twice(static), "lengths")]


def values(index, shape):
    return (0.5 * np.random.RandomState(index + 11).randn(*shape)).astype(np.float32)


def compute(cell, run, lengths, x):
    """The outputs, the flat state, and a loss that every output and state takes part in."""
    options = {"sequence_length": tf.constant(LENGTHS)} if lengths == "lengths" else {}
    outputs, state = run(cell, x, **options)
    flat = tf.nest.flatten(state)
    loss = tf.reduce_sum(tf.square(outputs)) + tf.add_n([tf.reduce_sum(s * (0.1 + s)) for s in flat])
    return outputs, flat, loss


def legacy(case, x_value):
    _, make, run, lengths = case
    found = {}
    settings = tf.compat.v1.ConfigProto()
    settings.graph_options.rewrite_options.disable_meta_optimizer = True  # many small graphs, each run a few times
    with tf.Graph().as_default(), tf.compat.v1.Session(config=settings) as session:
        x = tf.constant(x_value)
        outputs, flat, loss = compute(make(), run, lengths, x)
        variables = tf.compat.v1.trainable_variables()
        gradients = tf.gradients(loss, variables + [x], gate_gradients=True)  # none moves while others are computed
        optimizer = tf.compat.v1.train.GradientDescentOptimizer(0.01)
        train = optimizer.apply_gradients(list(zip(gradients, variables)))
        session.run(tf.compat.v1.global_variables_initializer())
        found["biases"] = np.array([session.run(v).sum() for v in variables if "bias" in v.name])
        session.run([v.assign(values(i, v.shape.as_list())) for i, v in enumerate(variables)])
        found["outputs"], states, found["loss"], slopes = session.run([outputs, flat, loss, gradients])
        losses = [session.run([loss, train])[0] for _ in range(10)]
        after = session.run(variables)
    return found, states, slopes, losses, after


def current(case, x_value):
    _, make, run, lengths = case
    found = {}
    cell = make()
    pair = cell if isinstance(cell, tuple) else (cell,)
    x = tf.constant(x_value)

    @tf.function(autograph=False)
    def step(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            outputs, flat, loss = compute(cell, run, lengths, x)
        variables = [v for one in pair for v in one.trainable_variables]
        return outputs, flat, loss, tape.gradient(loss, [*variables, x])

    step = step.get_concrete_function(x)
    variables = [v for one in pair for v in one.trainable_variables]
    found["biases"] = np.array([v.numpy().sum() for v in variables if "bias" in v.name])
    for i, v in enumerate(variables):
        v.assign(values(i, v.shape))
    outputs, flat, loss, slopes = step(x)
    found["outputs"], found["loss"] = outputs.numpy(), loss.numpy()
    losses = []
    for _ in range(10):
        _, _, loss, gradients = step(x)
        for v, g in zip(variables, gradients):
            v.assign_sub(0.01 * g)
        losses.append(loss.numpy())
    return found, [s.numpy() for s in flat], [s.numpy() for s in slopes], losses, [v.numpy() for v in variables]


def main():
    x_value = np.random.RandomState(3).randn(BATCH, TIME, WIDTH).astype(np.float32)
    only = sys.argv[3] if len(sys.argv) > 3 else ""
    results = {}
    for case in CASES:
        if only not in case[0]:
            continue
        found, states, slopes, losses, after = (legacy if LEGACY else current)(case, x_value)
        found.update({"state%d" % i: v for i, v in enumerate(states)})
        found.update({"gradient%d" % i: v for i, v in enumerate(slopes)})
        found.update({"trained%d" % i: v for i, v in enumerate(after)})
        found["losses"] = np.array(losses)
        results.update({"%s/%s" % (case[0], key): value for key, value in found.items()})
    np.savez(sys.argv[2], **results)


main()
