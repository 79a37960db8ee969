import tempfile
import shutil
import glob
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(20)
X = rng.rand(8, 4).astype(np.float32)
T = rng.rand(8, 2).astype(np.float32)
W = rng.randn(4, 2).astype(np.float32)
logdir = tempfile.mkdtemp()


class Net:
    def __init__(self, sess):
        self.sess = sess
        self.x = tf.placeholder(tf.float32, [None, 4])
        self.t = tf.placeholder(tf.float32, [None, 2])
        self.w = tf.Variable(W)
        self.y = tf.matmul(self.x, self.w)
        self.loss = tf.reduce_mean(tf.square(self.y - self.t))
        self.loss_sum = tf.summary.scalar('loss', self.loss)
        self.w_sum = tf.summary.histogram('w', self.w)
        self.merged = tf.summary.merge_all()
        self.writer = tf.summary.FileWriter(logdir, self.sess.graph)
        self.train_op = tf.train.GradientDescentOptimizer(0.2).minimize(self.loss)

    def train(self):
        self.sess.run(tf.global_variables_initializer())
        for i in range(3):
            summary, _, l = self.sess.run([self.merged, self.train_op, self.loss], feed_dict={self.x: X, self.t: T})
            self.writer.add_summary(summary, i)
            print(l)
        self.writer.close()


with tf.Session() as sess:
    Net(sess).train()
print(len(glob.glob(logdir + '/*')))
shutil.rmtree(logdir)
