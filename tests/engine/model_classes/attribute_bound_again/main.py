import numpy as np
import tensorflow as tf

rng = np.random.RandomState(34)
X = rng.rand(8, 4).astype(np.float32)
T = rng.rand(8, 2).astype(np.float32)
W = rng.randn(4, 2).astype(np.float32)


class Net:
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None, 4])
        self.t = tf.placeholder(tf.float32, [None, 2])
        self.w = tf.Variable(W)
        self.out = tf.matmul(self.x, self.w)
        self.first = self.out
        self.out = tf.nn.sigmoid(self.out)
        self.out = self.out * 2.0
        self.loss = tf.reduce_mean(tf.square(self.out - self.t))
        self.loss += 0.01 * tf.nn.l2_loss(self.w)
        self.train_op = tf.train.GradientDescentOptimizer(0.1).minimize(self.loss)


net = Net()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(3):
        _, l = sess.run([net.train_op, net.loss], {net.x: X, net.t: T})
        print(l)
    print(sess.run(net.first, {net.x: X[:1]}))
    print(sess.run(net.out, {net.x: X[:1]}))
