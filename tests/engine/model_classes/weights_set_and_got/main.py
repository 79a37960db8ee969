import numpy as np
import tensorflow as tf

rng = np.random.RandomState(85)
X = rng.rand(8, 4).astype(np.float32)
T = rng.rand(8, 2).astype(np.float32)
W = rng.randn(4, 2).astype(np.float32)


class Net:
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None, 4])
        self.t = tf.placeholder(tf.float32, [None, 2])
        self.w = tf.Variable(W)
        self.y = tf.matmul(self.x, self.w)
        self.loss = tf.reduce_mean(tf.square(self.y - self.t))
        self.train_op = tf.train.GradientDescentOptimizer(0.1).minimize(self.loss)
        self.new_w = tf.placeholder(tf.float32, [4, 2])
        self.set_op = self.w.assign(self.new_w)

    def set_weights(self, sess, w):
        sess.run(self.set_op, {self.new_w: w})

    def get_weights(self, sess):
        return sess.run(self.w)


net = Net()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    old = net.get_weights(sess)
    sess.run(net.train_op, {net.x: X, net.t: T})
    print(net.get_weights(sess))
    net.set_weights(sess, old)
    print(net.get_weights(sess), old)
