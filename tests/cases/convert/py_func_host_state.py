# py_func calls back into Python at every run.
# refused for now: TFM111
import numpy as np
import tensorflow as tf

calls = []


def host(a, b):
    calls.append(float(a.sum()))
    return (a * b + len(calls)).astype(np.float32)


x = tf.placeholder(tf.float32, [2])
out = tf.py_func(host, [x, tf.constant(2.0)], tf.float32)
out.set_shape([2])
total = tf.reduce_sum(out)
with tf.Session() as sess:
    print(sess.run(out, {x: [1.0, 2.0]}))
    print(sess.run([out, total], {x: [3.0, 4.0]}))
print(calls)
