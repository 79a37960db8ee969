# Random ops: a new draw each run, shapes and bounds are what counts.
import numpy as np
import tensorflow as tf

tf.set_random_seed(5)
n = tf.placeholder(tf.int32, [])
u = tf.random_uniform([n, 2], -1.0, 1.0, seed=1)
g = tf.random_normal([1000], mean=3.0, stddev=0.5, seed=2)
t = tf.truncated_normal([100], stddev=1.0)
s = tf.random_shuffle(tf.range(10), seed=4)
with tf.Session() as sess:
    a, b = sess.run(u, {n: 3}), sess.run(u, {n: 3})
    print(a.shape, bool(np.abs(a).max() <= 1.0), bool((a != b).any()))
    v = sess.run(g)
    print(bool(abs(v.mean() - 3.0) < 0.1), bool(abs(v.std() - 0.5) < 0.1))
    print(bool(np.abs(sess.run(t)).max() <= 2.0))
    print(sorted(sess.run(s).tolist()))
