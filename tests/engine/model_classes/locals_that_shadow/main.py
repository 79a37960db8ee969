import numpy as np
import tensorflow as tf

rng = np.random.RandomState(36)
X = rng.rand(8, 4).astype(np.float32)
T = rng.rand(8, 2).astype(np.float32)
W = rng.randn(4, 2).astype(np.float32)


class Net:
    def __init__(self, loss='mse', w=2.0):
        self.kind = loss
        self.factor = w
        x = tf.placeholder(tf.float32, [None, 4])
        t = tf.placeholder(tf.float32, [None, 2])
        self.x, self.t = x, t
        x = x * w
        self.w = tf.Variable(W)
        y = tf.matmul(x, self.w)
        self.y = y
        y = y - t
        self.loss = tf.reduce_mean(tf.square(y))
        loss = self.loss + 1.0
        self.train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
        self.shifted = loss


net = Net()
print(net.kind, net.factor)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(3):
        print(sess.run([net.train_op, net.loss, net.shifted], {net.x: X, net.t: T})[1:])
    print(sess.run(net.y, {net.x: X[:1]}))
