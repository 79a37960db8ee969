import numpy as np
import tensorflow as tf

rng = np.random.RandomState(16)
X = rng.rand(8, 4).astype(np.float32)
T = rng.rand(8, 2).astype(np.float32)
W = rng.randn(4, 2).astype(np.float32)


class BaseModel(object):
    lr = 0.1

    def __init__(self, name):
        self.name = name
        self.x = tf.placeholder(tf.float32, [None, 4])
        self.t = tf.placeholder(tf.float32, [None, 2])
        self.y = self.build(self.x)
        self.loss = self.build_loss()
        self.train_op = tf.train.GradientDescentOptimizer(self.lr).minimize(self.loss)

    def build(self, x):
        raise NotImplementedError()

    def build_loss(self):
        return tf.reduce_mean(tf.square(self.y - self.t))


class Linear(BaseModel):
    lr = 0.3

    def __init__(self):
        super(Linear, self).__init__('linear')
        self.norm = tf.reduce_sum(tf.abs(self.w))

    def build(self, x):
        self.w = tf.Variable(W, name='w')
        return tf.matmul(x, self.w)


m = Linear()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(4):
        _, l, n = sess.run([m.train_op, m.loss, m.norm], {m.x: X, m.t: T})
        print(m.name, l)
    print(sess.run(m.norm))
    print(sess.run(m.y, {m.x: X[:1]}))
