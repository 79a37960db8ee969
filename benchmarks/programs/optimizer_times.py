"""Median step times of one optimizer in one TensorFlow, for benchmarks/optimizers.py. Valid from Python 3.6 on.

optimizer_times.py session|keras|fused OPTIMIZER FOLDER      prints {"dense": ms, "sparse": ms} as JSON
"""

import json
import sys
import time

import numpy as np
import tensorflow as tf

FORM, NAME, FOLDER = sys.argv[1:]
STEPS, WARM_UP = 150, 30
SIZES = [784, 256, 256, 10]
rng = np.random.RandomState(0)
WEIGHTS = [rng.randn(a, b).astype("float32") * 0.05 for a, b in zip(SIZES, SIZES[1:])]
TABLE = rng.randn(50000, 64).astype("float32")
X, IDS = rng.rand(100, 784).astype("float32"), rng.randint(0, 50000, 256)
Y = np.eye(10, dtype="float32")[rng.randint(0, 10, 100)]
SETTINGS = {"Momentum": {"momentum": 0.9}}.get(NAME, {})


def dense_loss(x, y, variables):
    for number, weights in enumerate(variables):
        x = tf.matmul(x if number == 0 else tf.nn.relu(x), weights)
    return tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=x))


def median(step):
    times = []
    for number in range(WARM_UP + STEPS):
        start = time.perf_counter()
        step()
        times.append(time.perf_counter() - start)
    return 1000 * float(np.median(times[WARM_UP:]))


def session_steps():
    x, y, ids = (
        tf.placeholder(tf.float32, [None, 784]),
        tf.placeholder(tf.float32, [None, 10]),
        tf.placeholder(tf.int64, [None]),
    )
    make = getattr(tf.train, NAME + "Optimizer")
    loss = dense_loss(x, y, [tf.Variable(w) for w in WEIGHTS])
    train = make(0.01, **SETTINGS).minimize(loss)
    sparse_loss = tf.reduce_sum(tf.square(tf.gather(tf.Variable(TABLE), ids)))
    sparse_train = make(0.01, **SETTINGS).minimize(sparse_loss)
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    return (
        lambda: session.run([train, loss], {x: X, y: Y}),
        lambda: session.run([sparse_train, sparse_loss], {ids: IDS}),
    )


def training_step(optimizer, variables, compute):
    def step(*arguments):
        with tf.GradientTape() as tape:
            loss = compute(*arguments, variables)
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss

    return step


def function_steps():
    if FORM == "fused":
        sys.path.insert(0, FOLDER)
        import fused_optimizers as module

        settings = SETTINGS
    else:
        module = tf.keras.optimizers
        settings = SETTINGS
    name = (
        {"GradientDescent": "SGD", "Momentum": "SGD", "RMSProp": "RMSprop"}.get(NAME, NAME) if FORM == "keras" else NAME
    )
    steps = []
    for variables, specs, compute in (
        ([tf.Variable(w) for w in WEIGHTS], [tf.TensorSpec([None, 784]), tf.TensorSpec([None, 10])], dense_loss),
        (
            [tf.Variable(TABLE)],
            [tf.TensorSpec([None], tf.int64)],
            lambda ids, variables: tf.reduce_sum(tf.square(tf.gather(variables[0], ids))),
        ),
    ):
        optimizer = getattr(module, name)(0.01, **settings)
        optimizer.build(variables)

        step = training_step(optimizer, variables, compute)
        steps.append(tf.function(step, input_signature=specs, autograph=False).get_concrete_function())
    return lambda: steps[0](X, Y).numpy(), lambda: steps[1](IDS).numpy()


dense, sparse = session_steps() if FORM == "session" else function_steps()
print(json.dumps({"dense": median(dense), "sparse": median(sparse)}))
