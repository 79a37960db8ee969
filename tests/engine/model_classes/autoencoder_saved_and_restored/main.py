import os
import shutil
import tempfile
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(3)
X = rng.rand(16, 6).astype(np.float32)
W1 = rng.randn(6, 3).astype(np.float32)
W2 = rng.randn(3, 6).astype(np.float32)
folder = tempfile.mkdtemp()


class Autoencoder:
    def __init__(self, path):
        self.path = path
        self.x = tf.placeholder(tf.float32, [None, 6])
        self.w1 = tf.Variable(W1, name='w1')
        self.w2 = tf.Variable(W2, name='w2')
        self.code = tf.nn.sigmoid(tf.matmul(self.x, self.w1))
        self.recon = tf.matmul(self.code, self.w2)
        self.loss = tf.reduce_mean(tf.square(self.recon - self.x))
        self.train_op = tf.train.GradientDescentOptimizer(0.1).minimize(self.loss)
        self.saver = tf.train.Saver()

    def fit(self, data, epochs):
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for e in range(epochs):
                _, l = sess.run([self.train_op, self.loss], {self.x: data})
                print('epoch', e, l)
            self.saver.save(sess, os.path.join(self.path, 'model.ckpt'))

    def encode(self, data):
        with tf.Session() as sess:
            self.saver.restore(sess, os.path.join(self.path, 'model.ckpt'))
            return sess.run(self.code, {self.x: data})

    def reconstruct(self, data):
        with tf.Session() as sess:
            self.saver.restore(sess, os.path.join(self.path, 'model.ckpt'))
            return sess.run(self.recon, {self.x: data})


ae = Autoencoder(folder)
ae.fit(X, 4)
print(ae.encode(X[:2]))
print(ae.reconstruct(X[:2]))
shutil.rmtree(folder)
