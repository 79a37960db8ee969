# One run is fed different dictionaries: literals that differ, placeholders with defaults that only some of them hold.
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None])
scale = tf.placeholder(tf.float32, [])
keep = tf.placeholder_with_default(1.0, [])
training = tf.placeholder_with_default(False, [])
scaled = tf.reduce_sum(x * scale)
kept = tf.cond(training, lambda: tf.reduce_sum(x) * keep, lambda: tf.reduce_sum(x) - keep)
X = np.ones(3)
deciding = len(X) > 2


def run(session, feed):
    return session.run(scaled, feed)


with tf.Session() as sess:
    if deciding:
        feed = {x: X, scale: 0.5}
    else:
        feed = {x: X, scale: 1.0}
    print(sess.run(scaled, feed))
    print(run(sess, {x: X, scale: 0.125}), run(sess, {x: X, scale: 2.0}))
    for train in [True, False]:
        feed = {x: X}
        if train:
            feed[training] = True
            feed[keep] = 0.25
        print(sess.run(kept, feed_dict=feed))
    for extra in ({}, {keep: 0.5}, {training: True}, {training: True, keep: 3.0}):
        feed = {x: X}
        feed.update(extra)
        print(sess.run(kept, feed))
    print([sess.run(kept, {x: X * i, keep: 0.0}) for i in range(3)])
