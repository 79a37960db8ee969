import numpy as np
import tensorflow as tf

rng = np.random.RandomState(52)
X = rng.rand(8, 4).astype(np.float32)
T = rng.rand(8, 2).astype(np.float32)
W = rng.randn(4, 2).astype(np.float32)


class Counter:
    def __init__(self):
        self.count = tf.Variable(0, trainable=False)
        self.best = tf.Variable(100.0, trainable=False)
        self.value = tf.placeholder(tf.float32, [])
        self.inc = tf.assign_add(self.count, 1)
        self.update_best = tf.assign(self.best, tf.minimum(self.best, self.value))
        self.both = tf.group(self.inc, self.update_best)


c = Counter()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for v in (5.0, 3.0, 9.0):
        sess.run(c.both, {c.value: v})
        print(sess.run([c.count, c.best]))
    print(sess.run(c.inc))
    print(sess.run(c.count))
