import numpy as np
import tensorflow as tf

rng = np.random.RandomState(13)
X = rng.rand(8, 4).astype(np.float32)
T = rng.rand(8, 1).astype(np.float32)
KS = [rng.randn(4, 5).astype(np.float32), rng.randn(5, 3).astype(np.float32), rng.randn(3, 1).astype(np.float32)]


class DeepNet:
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None, 4])
        self.t = tf.placeholder(tf.float32, [None, 1])
        h1 = self.fc(self.x, KS[0], 'fc1', tf.nn.relu)
        h2 = self.fc(h1, KS[1], 'fc2', tf.nn.relu)
        self.y = self.fc(h2, KS[2], 'out')
        self.loss, self.train_op = self.add_training(self.y, self.t)
        self.init = tf.global_variables_initializer()

    def fc(self, x, kernel, name, act=None):
        with tf.variable_scope(name):
            w = tf.get_variable('w', initializer=tf.constant(kernel))
            b = tf.get_variable('b', [kernel.shape[1]], initializer=tf.zeros_initializer())
            z = tf.nn.bias_add(tf.matmul(x, w), b)
            if act is not None:
                z = act(z)
            return z

    def add_training(self, y, t):
        loss = tf.reduce_mean(tf.abs(y - t))
        train_op = tf.train.AdamOptimizer(0.01).minimize(loss)
        return loss, train_op


net = DeepNet()
sess = tf.Session()
sess.run(net.init)
for i in range(5):
    sess.run(net.train_op, {net.x: X, net.t: T})
    print(sess.run(net.loss, {net.x: X, net.t: T}))
print(sess.run(net.y, {net.x: X[:2]}))
sess.close()
