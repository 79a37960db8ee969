"""Programs for TensorFlow 1 of any length: how the time of a conversion grows with a file."""

from __future__ import annotations

from collections.abc import Callable

HEAD = """\
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 8])
y = tf.placeholder(tf.float32, [None, 8])
data = np.ones((4, 8), np.float32)
"""
TRAINED = """\
loss = tf.reduce_mean(tf.square({output} - y))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(10):
        _, value = sess.run([train, loss], feed_dict={{x: data, y: data}})
        print(value)
"""
SESSION = """\
sess = tf.Session()
sess.run(tf.global_variables_initializer())
"""


def one_step(lines: int) -> str:
    """One deep network, its loss and one train op: a single step function as long as the file."""
    layers = max(1, (lines - HEAD.count("\n") - TRAINED.count("\n")) // 5)
    made = [HEAD]
    for i in range(layers):
        made.append(
            f"weights_{i} = tf.Variable(tf.random_normal([8, 8]))\n"
            f"bias_{i} = tf.Variable(tf.zeros([8]))\n"
            f"product_{i} = tf.matmul({f'layer_{i - 1}' if i else 'x'}, weights_{i})\n"
            f"sum_{i} = tf.add(product_{i}, bias_{i})\n"
            f"layer_{i} = tf.nn.relu(sum_{i})\n"
        )
    return "".join([*made, TRAINED.format(output=f"layer_{layers - 1}")])


def many_steps(lines: int) -> str:
    """Many small things that are fetched one by one: a step function for each three lines."""
    body = "weights = tf.Variable(tf.ones([8, 8]))\nhidden = tf.matmul(x, weights)\n"
    fetches = max(1, (lines - sum(part.count("\n") for part in (HEAD, body, SESSION))) // 3)
    graph = (
        f"scaled_{i} = tf.multiply(hidden, {i}.0)\ntotal_{i} = tf.reduce_sum(scaled_{i})\n" for i in range(fetches)
    )
    runs = (f"print(sess.run(total_{i}, feed_dict={{x: data}}))\n" for i in range(fetches))
    return "".join([HEAD, body, *graph, SESSION, *runs])


PROGRAMS: dict[str, Callable[[int], str]] = {"one step": one_step, "many steps": many_steps}
