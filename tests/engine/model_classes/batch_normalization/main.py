import numpy as np
import tensorflow as tf

rng = np.random.RandomState(41)
X = rng.rand(8, 4).astype(np.float32)
T = rng.rand(8, 2).astype(np.float32)
W = rng.randn(4, 2).astype(np.float32)


class Net:
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None, 4])
        self.t = tf.placeholder(tf.float32, [None, 2])
        self.phase = tf.placeholder(tf.bool, name='phase')
        h = tf.layers.dense(self.x, 3, kernel_initializer=tf.constant_initializer(0.3), name='h')
        h = tf.layers.batch_normalization(h, training=self.phase, name='bn')
        self.y = tf.layers.dense(h, 2, kernel_initializer=tf.constant_initializer(0.2), name='o')
        self.loss = tf.reduce_mean(tf.square(self.y - self.t))
        update_ops = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
        with tf.control_dependencies(update_ops):
            self.train_op = tf.train.GradientDescentOptimizer(0.1).minimize(self.loss)


net = Net()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(4):
        _, l = sess.run([net.train_op, net.loss], {net.x: X, net.t: T, net.phase: True})
        print(l)
    print(sess.run(net.loss, {net.x: X, net.t: T, net.phase: False}))
