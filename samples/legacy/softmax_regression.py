"""A very simple digits-like classifier: softmax regression in an InteractiveSession."""
from __future__ import absolute_import
from __future__ import division
from __future__ import print_function

import numpy as np
import tensorflow as tf


class DataSet(object):
    """Synthetic images: ten blurred prototypes with noise."""

    def __init__(self, num_examples, seed):
        prototypes = np.random.RandomState(0).rand(10, 196)
        rng = np.random.RandomState(seed)
        digits = rng.randint(0, 10, num_examples)
        self.images = np.clip(prototypes[digits] + 0.9 * rng.randn(num_examples, 196), 0, 1)
        self.labels = np.eye(10)[digits]
        self._index = 0

    def next_batch(self, batch_size):
        start = self._index
        self._index = (start + batch_size) % (len(self.images) - batch_size)
        return self.images[start:start + batch_size], self.labels[start:start + batch_size]


train, test = DataSet(2000, seed=1), DataSet(500, seed=2)

sess = tf.InteractiveSession()

# Create the model
x = tf.placeholder(tf.float32, [None, 196])
W = tf.Variable(tf.zeros([196, 10]))
b = tf.Variable(tf.zeros([10]))
y = tf.matmul(x, W) + b

# Define loss and optimizer
y_ = tf.placeholder(tf.float32, [None, 10])
cross_entropy = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y_, logits=y))
train_step = tf.train.GradientDescentOptimizer(0.5).minimize(cross_entropy)

tf.global_variables_initializer().run()

# Train
for i in range(200):
    batch_xs, batch_ys = train.next_batch(100)
    train_step.run({x: batch_xs, y_: batch_ys})
    if i % 50 == 0:
        print("step", i, "cross entropy %.5f" % cross_entropy.eval({x: batch_xs, y_: batch_ys}))

# Test trained model
correct_prediction = tf.equal(tf.argmax(y, 1), tf.argmax(y_, 1))
accuracy = tf.reduce_mean(tf.cast(correct_prediction, tf.float32))
print("accuracy", accuracy.eval(feed_dict={x: test.images, y_: test.labels}))
print("bias", np.round(b.eval(), 4))
