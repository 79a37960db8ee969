import numpy as np
import tensorflow as tf

rng = np.random.RandomState(54)
X = rng.rand(8, 4).astype(np.float32)
T = rng.rand(8, 2).astype(np.float32)
W = rng.randn(4, 2).astype(np.float32)


class Net:
    def __init__(self, activation=tf.nn.tanh):
        self.act = activation
        self.scale = lambda v: v * 2.0
        self.x = tf.placeholder(tf.float32, [None, 4])
        self.t = tf.placeholder(tf.float32, [None, 2])
        self.w = tf.Variable(W)
        self.y = self.scale(self.act(tf.matmul(self.x, self.w)))
        self.loss = tf.reduce_mean(tf.square(self.y - self.t))
        self.train_op = tf.train.GradientDescentOptimizer(0.1).minimize(self.loss)


net = Net()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(3):
        sess.run(net.train_op, {net.x: X, net.t: T})
        print(sess.run(net.loss, {net.x: X, net.t: T}))
