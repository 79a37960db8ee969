import numpy as np
import tensorflow as tf

rng = np.random.RandomState(18)
X = rng.rand(8, 4).astype(np.float32)
T = rng.rand(8, 2).astype(np.float32)
W = rng.randn(4, 2).astype(np.float32)


class Net:
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None, 4])
        self.t = tf.placeholder(tf.float32, [None, 2])
        self.w = Net.weight(W)
        self.b = self.bias(2)
        self.y = self.affine(self.x, self.w, self.b)
        self.loss = tf.reduce_mean(tf.square(self.y - self.t))
        self.train_op = tf.train.GradientDescentOptimizer(0.2).minimize(self.loss)

    @staticmethod
    def weight(value):
        return tf.Variable(value)

    @staticmethod
    def bias(n):
        return tf.Variable(tf.constant(0.1, shape=[n]))

    @classmethod
    def affine(cls, x, w, b):
        return tf.matmul(x, w) + b


net = Net()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        _, l = sess.run([net.train_op, net.loss], feed_dict={net.x: X, net.t: T})
        print(l)
    print(net.w.eval())
    print(net.b.eval(session=sess))
