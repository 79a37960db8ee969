import numpy as np
import tensorflow as tf

rng = np.random.RandomState(86)
X = rng.rand(8, 4).astype(np.float32)
T = rng.rand(8, 2).astype(np.float32)
W = rng.randn(4, 2).astype(np.float32)


class Net:
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None, 4])
        self.w = tf.Variable(W)
        self.n = tf.Variable(0.0, trainable=False)
        self.tick = self.n.assign_add(1.0)
        with tf.control_dependencies([self.tick]):
            self.y = tf.reduce_sum(tf.matmul(self.x, self.w)) * self.n.read_value()
        self.z = tf.reduce_sum(self.x)


net = Net()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(net.z, {net.x: X}), sess.run(net.n))
    print(sess.run(net.y, {net.x: X}), sess.run(net.n))
    print(sess.run([net.y, net.z], {net.x: X})[0], sess.run(net.n))
