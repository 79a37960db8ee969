# A feed is cast to the placeholder's dtype, whatever it comes as.
import numpy as np
import tensorflow as tf

f = tf.placeholder(tf.float32, [None, 2])
i = tf.placeholder(tf.int32, [None])
b = tf.placeholder(tf.bool, [])
picked = tf.reduce_sum(tf.gather(f, i), 1)
out = tf.where(b, f * 2.0, f - 1.0)
with tf.Session() as sess:
    print(sess.run(picked, {f: np.array([[1, 2], [3, 4]], dtype=np.float64), i: [1, 0, 1]}))
    print(sess.run(picked, {f: [(1, 2), (3, 4)], i: np.array([0], dtype=np.int64)}))
    print(sess.run(out, {f: [[1.5, 2.5]], b: True}), sess.run(out, {f: [[1.5, 2.5]], b: False}))
    flag = len("abc") > 2
    print(sess.run(out, {f: np.ones((1, 2)), b: flag}))
    print(sess.run(tf.reduce_sum(f), {f: [[1, 2]]}))
