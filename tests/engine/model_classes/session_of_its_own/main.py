import numpy as np
import tensorflow as tf

rng = np.random.RandomState(1)
X = rng.rand(16, 4).astype(np.float32)
Y = rng.rand(16, 1).astype(np.float32)
W0 = rng.randn(4, 1).astype(np.float32)


class Regressor(object):
    def __init__(self, learning_rate):
        self.learning_rate = learning_rate
        self._build()
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())

    def _build(self):
        self.X = tf.placeholder(tf.float32, [None, 4])
        self.Y = tf.placeholder(tf.float32, [None, 1])
        self.W = tf.Variable(W0, name='W')
        self.pred = tf.matmul(self.X, self.W)
        self.cost = tf.reduce_mean(tf.square(self.pred - self.Y))
        self.train = tf.train.AdamOptimizer(self.learning_rate).minimize(self.cost)

    def fit(self, x, y):
        cost, _ = self.sess.run((self.cost, self.train), feed_dict={self.X: x, self.Y: y})
        return cost

    def predict(self, x):
        return self.sess.run(self.pred, feed_dict={self.X: x})

    def weights(self):
        return self.sess.run(self.W)


r = Regressor(0.05)
for i in range(6):
    print(i, r.fit(X, Y))
print(r.predict(X[:3]))
print(r.weights())
