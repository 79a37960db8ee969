import numpy as np
import tensorflow as tf

rng = np.random.RandomState(39)
X = rng.rand(8, 4).astype(np.float32)
T = rng.rand(8, 2).astype(np.float32)
W = rng.randn(4, 2).astype(np.float32)


class Net:
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None, 4])
        self.t = tf.placeholder(tf.float32, [None, 2])
        self.lr = tf.placeholder(tf.float32)
        self.keep_prob = tf.placeholder_with_default(1.0, shape=())
        self.w = tf.Variable(W)
        self.y = tf.matmul(tf.nn.dropout(self.x, self.keep_prob), self.w)
        self.loss = tf.reduce_mean(tf.square(self.y - self.t))
        self.train_op = tf.train.GradientDescentOptimizer(self.lr).minimize(self.loss)

    def feed(self, x, t, lr, keep_prob=1.0):
        return {self.x: x, self.t: t, self.lr: lr, self.keep_prob: keep_prob}


net = Net()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(3):
        sess.run(net.train_op, feed_dict=net.feed(X, T, 0.1 / (i + 1), 1.0))
        print(sess.run(net.loss, feed_dict={net.x: X, net.t: T}))
