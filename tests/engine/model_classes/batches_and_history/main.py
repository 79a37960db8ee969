import numpy as np
import tensorflow as tf

rng = np.random.RandomState(84)
X = rng.rand(8, 4).astype(np.float32)
T = rng.rand(8, 2).astype(np.float32)
W = rng.randn(4, 2).astype(np.float32)


class Net:
    def __init__(self, n_epochs=2, batch=4):
        self.n_epochs, self.batch = n_epochs, batch
        self.x = tf.placeholder(tf.float32, [None, 4])
        self.t = tf.placeholder(tf.float32, [None, 2])
        self.w = tf.Variable(W)
        self.y = tf.matmul(self.x, self.w)
        self.loss = tf.reduce_mean(tf.square(self.y - self.t))
        self.train_op = tf.train.GradientDescentOptimizer(0.1).minimize(self.loss)
        self.history = []

    def batches(self, x, t):
        for k in range(0, len(x), self.batch):
            yield x[k:k + self.batch], t[k:k + self.batch]

    def fit(self, x, t):
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for e in range(self.n_epochs):
                total = 0.0
                for bx, bt in self.batches(x, t):
                    feed = {self.x: bx, self.t: bt}
                    _, l = sess.run([self.train_op, self.loss], feed)
                    total += l
                self.history.append(total)
                print(e, total)
            self.final = sess.run(self.w)
        return self


net = Net().fit(X, T)
print(net.final, net.history)
