import numpy as np
import tensorflow as tf

rng = np.random.RandomState(31)
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
        self.train_op = tf.train.AdamOptimizer(0.1).minimize(self.loss)
        self.sess = tf.Session()

    def fit(self, n):
        self.sess.run(tf.global_variables_initializer())
        for i in range(n):
            _, l = self.sess.run([self.train_op, self.loss], feed_dict={self.x: X, self.t: T})
            print('step', i, l)

    def predict(self, x):
        return self.sess.run(self.y, feed_dict={self.x: x})


net = Net()
net.fit(3)
print(net.predict(X[:1]))
net.fit(2)
print(net.predict(X[:1]))
