import numpy as np
import tensorflow as tf

rng = np.random.RandomState(59)
X = rng.rand(8, 4).astype(np.float32)
T = rng.rand(8, 2).astype(np.float32)
W = rng.randn(4, 2).astype(np.float32)


class Net:
    def __init__(self, max_norm=0.1):
        self.x = tf.placeholder(tf.float32, [None, 4])
        self.t = tf.placeholder(tf.float32, [None, 2])
        self.w = tf.Variable(W)
        self.y = tf.matmul(self.x, self.w)
        self.loss = tf.reduce_mean(tf.square(self.y - self.t))
        self.optimizer = tf.train.AdamOptimizer(0.05)
        self.params = tf.trainable_variables()
        self.gradients = tf.gradients(self.loss, self.params)
        clipped, self.norm = tf.clip_by_global_norm(self.gradients, max_norm)
        self.train_op = self.optimizer.apply_gradients(zip(clipped, self.params))


net = Net()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(3):
        _, l, n = sess.run([net.train_op, net.loss, net.norm], {net.x: X, net.t: T})
        print(l, n)
    print(sess.run(net.gradients, {net.x: X, net.t: T})[0][0])
