import numpy as np
import tensorflow as tf

rng = np.random.RandomState(56)
X = rng.rand(8, 4).astype(np.float32)
T = rng.rand(8, 2).astype(np.float32)
W = rng.randn(4, 2).astype(np.float32)


class Net:
    def __init__(self):
        self.w = tf.Variable(W)
        self.x = tf.placeholder(tf.float32, [None, 4])
        self.z = tf.placeholder(tf.float32, [None, 4])
        self.y = self.forward(self.x)
        self.v = self.forward(self.z)
        self.loss = tf.reduce_mean(tf.square(self.y - self.v))
        self.train_op = tf.train.GradientDescentOptimizer(0.1).minimize(self.loss)

    def forward(self, x):
        return tf.nn.relu(tf.matmul(x, self.w))


net = Net()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(3):
        sess.run(net.train_op, {net.x: X, net.z: X[::-1]})
        print(sess.run([net.loss], {net.x: X, net.z: X[::-1]}))
    print(sess.run(net.v, {net.z: X[:1]}))
