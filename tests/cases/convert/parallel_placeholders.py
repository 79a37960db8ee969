# Placeholders bound side by side in one assignment, at the module, in a function and in a method.
import numpy as np
import tensorflow as tf

(x, y), rate = (tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [None])), tf.placeholder(tf.float32, [])
mask, flag = tf.placeholder(tf.bool, [None]), tf.placeholder_with_default(True, [])
w = tf.Variable(0.5)
loss = tf.reduce_mean(tf.square(x * w - y))
train = tf.train.GradientDescentOptimizer(rate).minimize(loss)
chosen = tf.boolean_mask(x, tf.logical_and(mask, flag))


class Pair(object):
    def __init__(self):
        self.a, self.b = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.float32, [2])
        self.c = self.a * self.b


pair = Pair()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(5):
        _, l = sess.run([train, loss], {x: [1.0, 2.0], y: [3.0, 5.0], rate: 0.1 / (i + 1)})
        print("%.6f" % l)
    print(sess.run(chosen, {x: [1.0, 2.0, 3.0], mask: [True, False, True]}))
    print(sess.run(pair.c, {pair.a: [1.0, 2.0], pair.b: [3.0, 4.0]}))
