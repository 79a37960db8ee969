import numpy as np
import tensorflow as tf

rng = np.random.RandomState(2)
X = rng.rand(16, 4).astype(np.float32)
Y = rng.rand(16, 1).astype(np.float32)
W0 = rng.randn(4, 1).astype(np.float32)


class Net(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None, 4])
        self.y = tf.placeholder(tf.float32, [None, 1])
        self.w = tf.Variable(W0)
        self.out = tf.matmul(self.x, self.w)
        self.loss = tf.reduce_mean(tf.square(self.out - self.y))
        self.opt = tf.train.AdamOptimizer(0.05).minimize(self.loss)

    def fit(self, n):
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for i in range(n):
                _, l = sess.run([self.opt, self.loss], feed_dict={self.x: X, self.y: Y})
                print('step', i, l)
            return sess.run(self.w)


net = Net()
print(net.fit(3))
print(net.fit(3))
