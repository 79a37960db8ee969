"""A classifier of digits with its session."""
import os

import tensorflow as tf

from digits.ops import linear


class Classifier(object):
    """Two layers with dropout; `fit` trains, `predict` tells the digits."""

    def __init__(self, size_in, hidden=48, classes=10, learning_rate=0.003):
        self.size_in = size_in
        self.hidden = hidden
        self.classes = classes
        self.learning_rate = learning_rate
        self._build()
        self.saver = tf.train.Saver(max_to_keep=2)
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())

    def _build(self):
        self.images = tf.placeholder(tf.float32, [None, self.size_in], name="images")
        self.labels = tf.placeholder(tf.int64, [None], name="labels")
        self.keep_prob = tf.placeholder(tf.float32, name="keep_prob")
        with tf.variable_scope("classifier"):
            hidden = tf.nn.relu(linear(self.images, self.size_in, self.hidden, "hidden"))
            hidden = tf.nn.dropout(hidden, self.keep_prob)
            self.logits = linear(hidden, self.hidden, self.classes, "logits")
        self.loss = tf.reduce_mean(
            tf.nn.sparse_softmax_cross_entropy_with_logits(labels=self.labels, logits=self.logits))
        self.prediction = tf.argmax(self.logits, 1)
        self.accuracy = tf.reduce_mean(tf.cast(tf.equal(self.prediction, self.labels), tf.float32))
        self.global_step = tf.Variable(0, trainable=False, name="global_step")
        self.train_op = tf.train.AdamOptimizer(self.learning_rate).minimize(self.loss, global_step=self.global_step)

    def fit(self, batches, steps):
        """Train on so many batches; prints the loss now and then."""
        for step in range(steps):
            images, labels = batches.next()
            feed = {self.images: images, self.labels: labels, self.keep_prob: 0.8}
            _, loss = self.sess.run([self.train_op, self.loss], feed_dict=feed)
            if step % 25 == 0:
                print("step %d loss %.4f" % (step, loss))

    def score(self, images, labels):
        """The share of right answers."""
        feed = {self.images: images, self.labels: labels, self.keep_prob: 1.0}
        return self.sess.run(self.accuracy, feed_dict=feed)

    def predict(self, images):
        """The digits that the images show."""
        return self.sess.run(self.prediction, feed_dict={self.images: images, self.keep_prob: 1.0})

    def save(self, folder):
        if not os.path.isdir(folder):
            os.makedirs(folder)
        self.saver.save(self.sess, os.path.join(folder, "classifier"), global_step=self.global_step)

    def load(self, folder):
        path = tf.train.latest_checkpoint(folder)
        if path is None:
            return False
        self.saver.restore(self.sess, path)
        return True
