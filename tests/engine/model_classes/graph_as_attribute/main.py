import numpy as np
import tensorflow as tf

rng = np.random.RandomState(44)
X = rng.rand(8, 4).astype(np.float32)
T = rng.rand(8, 2).astype(np.float32)
W = rng.randn(4, 2).astype(np.float32)


class Net:
    def __init__(self):
        self.graph = tf.Graph()
        with self.graph.as_default():
            self.x = tf.placeholder(tf.float32, [None, 4])
            self.t = tf.placeholder(tf.float32, [None, 2])
            self.w = tf.Variable(W)
            self.y = tf.matmul(self.x, self.w)
            self.loss = tf.reduce_mean(tf.square(self.y - self.t))
            self.train_op = tf.train.GradientDescentOptimizer(0.1).minimize(self.loss)
            self.init = tf.global_variables_initializer()
            self.saver = tf.train.Saver()
        self.sess = tf.Session(graph=self.graph)
        self.sess.run(self.init)

    def train(self, n):
        for i in range(n):
            _, loss = self.sess.run([self.train_op, self.loss], {self.x: X, self.t: T})
            print(loss)


Net().train(3)
