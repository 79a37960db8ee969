# Dictionaries that functions make for one run, drawing as they do: called once for each run, in the program's order.
import numpy as np
import tensorflow as tf

x, y = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [None])
unused = tf.placeholder(tf.float32, [])
difference = tf.reduce_sum(x - 2.0 * y)
total = tf.reduce_sum(x)
rng = np.random.RandomState(0)
numbers = iter(range(100))
calls = []


def fill(first, second):
    calls.append(len(calls))
    value = np.ones(3) * len(calls)
    return {first: value, second: value + rng.rand(3)}


with tf.Session() as sess:
    for step in range(2):
        print("%.5f" % sess.run(difference, feed_dict=fill(x, y)))
        value = sess.run([difference, total], fill(x, y))
        print("%.5f %.5f" % tuple(value), next(numbers), "%.5f" % sess.run(difference, fill(y, x)))
        print(["%.5f" % v for v in (sess.run(difference, fill(x, y)), sess.run(total, fill(x, y)))])
        print("%.5f" % sess.run(difference, {y: rng.rand(3), x: rng.rand(3)}))
        print("%.5f" % sess.run(total, {x: np.ones(3) * next(numbers), unused: next(numbers)}))
    while sess.run(total, fill(x, y)) < 60.0:
        pass
print(len(calls), next(numbers))
