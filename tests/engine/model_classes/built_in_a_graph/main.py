import numpy as np
import tensorflow as tf

rng = np.random.RandomState(45)
X = rng.rand(8, 4).astype(np.float32)
T = rng.rand(8, 2).astype(np.float32)
W = rng.randn(4, 2).astype(np.float32)


class Net:
    def __init__(self):
        with tf.Graph().as_default():
            self._build()
            self.sess = tf.Session()
            self.sess.run(tf.global_variables_initializer())

    def _build(self):
        self.x = tf.placeholder(tf.float32, [None, 4])
        self.t = tf.placeholder(tf.float32, [None, 2])
        self.w = tf.Variable(W)
        self.y = tf.matmul(self.x, self.w)
        self.loss = tf.reduce_mean(tf.square(self.y - self.t))
        self.train_op = tf.train.GradientDescentOptimizer(0.1).minimize(self.loss)

    def fit(self, x, t):
        return self.sess.run([self.loss, self.train_op], {self.x: x, self.t: t})[0]


net = Net()
print(net.fit(X, T))
print(net.fit(X, T))
