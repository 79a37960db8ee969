# Feeds as literal, variable, dict(...), item assignments, helper and zip.
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None])
k = tf.placeholder(tf.float32, [])
out = tf.reduce_sum(x) * k
values = np.arange(4)


def make_feed(scale):
    return {x: values, k: scale}


with tf.Session() as sess:
    print(sess.run(out, {x: [1, 2], k: 2}))
    feed = {x: values, k: 1.5}
    print(sess.run(out, feed_dict=feed))
    feed2 = dict()
    feed2[x] = values * 2
    feed2[k] = 0.5
    print(sess.run(out, feed2))
    print(sess.run(out, make_feed(3.0)))
    print(sess.run(out, dict(zip([x, k], [values, 4.0]))))
    print(sess.run(out, {p: q for p, q in zip((x, k), ([5.0], 6.0))}))
    print(sess.run(out, dict([(x, [1.0]), (k, 7.0)])))
    feed[k] = 10.0
    print(sess.run(out, feed))
