import numpy as np
import tensorflow as tf

rng = np.random.RandomState(76)
X = rng.rand(8, 4).astype(np.float32)
T = rng.rand(8, 2).astype(np.float32)
W = rng.randn(4, 2).astype(np.float32)


class Net:
    def __init__(self):
        with tf.variable_scope('net'):
            self._build()
        self.vars = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope='net')
        self.train_op = tf.train.GradientDescentOptimizer(0.1).minimize(self.loss, var_list=self.vars)

    def _build(self):
        self.x = tf.placeholder(tf.float32, [None, 4])
        self.t = tf.placeholder(tf.float32, [None, 2])
        self.w = tf.get_variable('w', initializer=tf.constant(W))
        self.y = tf.matmul(self.x, self.w) * other
        self.loss = tf.reduce_mean(tf.square(self.y - self.t))


other = tf.get_variable('other', initializer=2.0)

net = Net()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(3):
        _, l = sess.run([net.train_op, net.loss], {net.x: X, net.t: T})
        print(l)
    print(sess.run(net.w))
    print(sess.run(other))
