import numpy as np
import tensorflow as tf

rng = np.random.RandomState(46)
X = rng.rand(8, 4).astype(np.float32)
T = rng.rand(8, 2).astype(np.float32)
W = rng.randn(4, 2).astype(np.float32)

import os
import tempfile


class Net:
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None, 4])
        self.t = tf.placeholder(tf.float32, [None, 2])
        self.w = tf.Variable(W)
        self.y = tf.matmul(self.x, self.w)
        self.loss = tf.reduce_mean(tf.square(self.y - self.t))
        self.train_op = tf.train.GradientDescentOptimizer(0.1).minimize(self.loss)

    def train(self, path):
        saver = tf.train.Saver(max_to_keep=2)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for i in range(3):
                sess.run(self.train_op, {self.x: X, self.t: T})
            saver.save(sess, path)
            for i in range(3):
                sess.run(self.train_op, {self.x: X, self.t: T})
            print(sess.run(self.loss, {self.x: X, self.t: T}))

    def test(self, path):
        saver = tf.train.Saver()
        with tf.Session() as sess:
            saver.restore(sess, path)
            print(sess.run(self.loss, {self.x: X, self.t: T}))


with tempfile.TemporaryDirectory() as d:
    net = Net()
    net.train(os.path.join(d, 'model'))
    net.test(os.path.join(d, 'model'))
