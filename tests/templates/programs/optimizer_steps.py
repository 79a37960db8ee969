"""Ten steps of every optimizer, run as a script by TensorFlow 1.15 (before) and by TensorFlow 2 (after).

    optimizer_steps.py FOLDER OUTPUT.npz      FOLDER holds the rendered fused_optimizers.py

Valid from Python 3.6 on. Writes, for each case, the variable after each step: (10, rows, columns).
"""

import itertools
import sys

import numpy as np
import tensorflow as tf

STEPS, ROWS, COLUMNS = 10, 6, 3

# name of the case, TensorFlow 1's class and settings, the generated class and settings
OPTIMIZERS = [
    ("gradient_descent", "GradientDescentOptimizer", {}, "GradientDescent", {}),
    ("momentum", "MomentumOptimizer", {"momentum": 0.9}, "Momentum", {"momentum": 0.9}),
    (
        "momentum_nesterov",
        "MomentumOptimizer",
        {"momentum": 0.8, "use_nesterov": True},
        "Momentum",
        {"momentum": 0.8, "nesterov": True},
    ),
    ("adam", "AdamOptimizer", {}, "Adam", {}),
    (
        "adam_settings",
        "AdamOptimizer",
        {"beta1": 0.5, "beta2": 0.9, "epsilon": 1e-2},
        "Adam",
        {"beta_1": 0.5, "beta_2": 0.9, "epsilon": 1e-2},
    ),
    ("rmsprop", "RMSPropOptimizer", {}, "RMSProp", {}),
    (
        "rmsprop_momentum",
        "RMSPropOptimizer",
        {"decay": 0.8, "momentum": 0.9, "epsilon": 1e-3},
        "RMSProp",
        {"rho": 0.8, "momentum": 0.9, "epsilon": 1e-3},
    ),
    ("rmsprop_centered", "RMSPropOptimizer", {"centered": True}, "RMSProp", {"centered": True}),
    (
        "rmsprop_centered_momentum",
        "RMSPropOptimizer",
        {"decay": 0.7, "momentum": 0.5, "centered": True},
        "RMSProp",
        {"rho": 0.7, "momentum": 0.5, "centered": True},
    ),
    ("adagrad", "AdagradOptimizer", {}, "Adagrad", {}),
    (
        "adagrad_accumulator",
        "AdagradOptimizer",
        {"initial_accumulator_value": 1.5},
        "Adagrad",
        {"initial_accumulator_value": 1.5},
    ),
    ("adadelta", "AdadeltaOptimizer", {}, "Adadelta", {}),
    (
        "adadelta_settings",
        "AdadeltaOptimizer",
        {"rho": 0.7, "epsilon": 1e-3},
        "Adadelta",
        {"rho": 0.7, "epsilon": 1e-3},
    ),
    ("ftrl", "FtrlOptimizer", {}, "Ftrl", {}),
    (
        "ftrl_settings",
        "FtrlOptimizer",
        {
            "learning_rate_power": -0.7,
            "initial_accumulator_value": 0.3,
            "l1_regularization_strength": 0.01,
            "l2_regularization_strength": 0.02,
        },
        "Ftrl",
        {
            "learning_rate_power": -0.7,
            "initial_accumulator_value": 0.3,
            "l1_regularization_strength": 0.01,
            "l2_regularization_strength": 0.02,
        },
    ),
    (
        "ftrl_shrinkage",
        "FtrlOptimizer",
        {"l2_regularization_strength": 0.02, "l2_shrinkage_regularization_strength": 0.03},
        "Ftrl",
        {"l2_regularization_strength": 0.02, "l2_shrinkage_regularization_strength": 0.03},
    ),
]
RATES = {"constant": np.full(STEPS, 0.1), "changing": 0.2 * 0.7 ** np.arange(STEPS)}
DTYPES = ["float32", "float64", "float16"]
FORMS = ["dense", "sparse"]


def inputs(dtype):
    """The initial value, a dense gradient a step, and rows with repeats and their gradients a step."""
    rng = np.random.RandomState(7)
    start = rng.randn(ROWS, COLUMNS).astype(dtype)
    dense = rng.randn(STEPS, ROWS, COLUMNS).astype(dtype)
    rows = rng.randint(0, ROWS - 1, (STEPS, 5))  # never the last row: only decay may touch it
    rows[:, 1] = rows[:, 0]
    return start, dense, rows, rng.randn(STEPS, 5, COLUMNS).astype(dtype)


def run_legacy(name, settings, form, rates, dtype):
    """Ten steps of TensorFlow 1.15's own optimizer."""
    start, dense, rows, parts = inputs(dtype)
    with tf.Graph().as_default(), tf.Session() as session:
        variable = tf.get_variable("variable", initializer=start)
        rate = tf.placeholder(tf.float32, [])
        values, indices = tf.placeholder(dtype, [None, COLUMNS]), tf.placeholder(tf.int64, [None])
        gradient = tf.IndexedSlices(values, indices, tf.constant([ROWS, COLUMNS])) if form == "sparse" else values
        train = getattr(tf.train, name)(rate, **settings).apply_gradients([(gradient, variable)])
        session.run(tf.global_variables_initializer())
        results = []
        for step in range(STEPS):
            feed = {rate: rates[step], values: parts[step] if form == "sparse" else dense[step], indices: rows[step]}
            session.run(train, feed)
            results.append(session.run(variable))
    return np.stack(results)


def run_converted(name, settings, form, rates, dtype):
    """Ten steps of the generated optimizer."""
    import fused_optimizers

    start, dense, rows, parts = inputs(dtype)
    variable = tf.Variable(start)
    optimizer = getattr(fused_optimizers, name)(float(rates[0]), **settings)
    optimizer.build([variable])

    @tf.function(
        input_signature=[
            tf.TensorSpec([None, COLUMNS], dtype),
            tf.TensorSpec([None], tf.int64),
            tf.TensorSpec([], tf.float32),
        ]
    )
    def step_once(values, indices, rate):
        optimizer.learning_rate.assign(rate)
        gradient = tf.IndexedSlices(values, indices, tf.constant([ROWS, COLUMNS])) if form == "sparse" else values
        optimizer.apply_gradients([(gradient, variable)])

    step_once = step_once.get_concrete_function()
    results = []
    for step in range(STEPS):
        step_once(parts[step] if form == "sparse" else dense[step], rows[step], rates[step].astype("float32"))
        results.append(variable.numpy())
    return np.stack(results)


def main(folder, output):
    legacy = tf.__version__.startswith("1.")
    sys.path.insert(0, folder)
    results = {}
    for (case, old, old_settings, new, new_settings), form, (kind, rates), dtype in itertools.product(
        OPTIMIZERS, FORMS, sorted(RATES.items()), DTYPES
    ):
        if dtype != "float32" and kind == "constant":
            continue  # the changing rate covers it
        if dtype == "float16" and case in ("adadelta", "adam"):
            continue  # their epsilon is 0 in float16: nothing moves, or 0 / 0
        run, name, settings = (run_legacy, old, old_settings) if legacy else (run_converted, new, new_settings)
        results["/".join([case, form, kind, dtype])] = run(name, settings, form, rates, dtype)
    np.savez(output, **results)


if __name__ == "__main__":
    main(*sys.argv[1:])
