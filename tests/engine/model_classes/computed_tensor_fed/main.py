import numpy as np
import tensorflow as tf

rng = np.random.RandomState(82)
X = rng.rand(8, 4).astype(np.float32)
T = rng.rand(8, 2).astype(np.float32)
W = rng.randn(4, 2).astype(np.float32)


class Net:
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None, 4])
        self.w = tf.Variable(W)
        self.h = tf.matmul(self.x, self.w)
        self.y = tf.nn.sigmoid(self.h)
        self.z = self.y * 2.0


net = Net()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    h = sess.run(net.h, {net.x: X[:2]})
    print(sess.run(net.z, {net.h: h + 1.0}))
    print(sess.run(net.z, {net.x: X[:2]}))
