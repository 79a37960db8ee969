import numpy as np
import tensorflow as tf

rng = np.random.RandomState(58)
X = rng.rand(8, 4).astype(np.float32)
T = rng.rand(8, 2).astype(np.float32)
W = rng.randn(4, 2).astype(np.float32)


class Net:
    def __init__(self):
        self.global_step = tf.train.get_or_create_global_step()
        self.lr = tf.train.exponential_decay(0.2, self.global_step, 2, 0.5, staircase=True)
        self.x = tf.placeholder(tf.float32, [None, 4])
        self.t = tf.placeholder(tf.float32, [None, 2])
        self.w = tf.Variable(W)
        self.y = tf.matmul(self.x, self.w)
        self.loss = tf.reduce_mean(tf.square(self.y - self.t))
        self.train_op = tf.train.GradientDescentOptimizer(self.lr).minimize(self.loss, global_step=self.global_step)


net = Net()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(6):
        _, l, lr, s = sess.run([net.train_op, net.loss, net.lr, net.global_step], {net.x: X, net.t: T})
        print(l, lr, s)
    print(sess.run(net.lr), tf.train.global_step(sess, net.global_step))
