import numpy as np
import tensorflow as tf

rng = np.random.RandomState(33)
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
        self.w_sum = tf.reduce_sum(self.w)
        with tf.control_dependencies([self.train_op]):
            self.after = tf.reduce_mean(tf.square(tf.matmul(self.x, self.w) - self.t))


net = Net()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(3):
        before, after, _ = sess.run([net.loss, net.after, net.train_op], {net.x: X, net.t: T})
        print(before, after)
    print(sess.run(net.w_sum))
