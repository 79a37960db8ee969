"""Logs losses, accuracies and distributions of a two-layer network for TensorBoard, for training and test apart."""
import os
import shutil

import numpy as np
import tensorflow as tf

LOG_DIR = os.path.join(os.curdir, "tensorboard_summaries_logs")
MAX_STEPS = 100


def variable_summaries(var, name):
    """Attach a lot of summaries to a Tensor (for TensorBoard visualization)."""
    mean = tf.reduce_mean(var)
    tf.summary.scalar(name + "/mean", mean)
    stddev = tf.sqrt(tf.reduce_mean(tf.square(var - mean)))
    tf.summary.scalar(name + "/stddev", stddev)
    tf.summary.scalar(name + "/max", tf.reduce_max(var))
    tf.summary.histogram(name + "/histogram", var)


def spiral(n, seed):
    rng = np.random.RandomState(seed)
    label = rng.randint(0, 2, n)
    t = rng.rand(n) * 3
    angle = t * 2 + label * np.pi
    points = np.stack([t * np.cos(angle), t * np.sin(angle)], axis=1) + 0.05 * rng.randn(n, 2)
    return points.astype(np.float32), label.astype(np.int64)


train_points, train_labels = spiral(800, seed=1)
test_points, test_labels = spiral(200, seed=2)
rng = np.random.RandomState(3)

tf.set_random_seed(3)
points = tf.placeholder(tf.float32, [None, 2], name="points")
labels = tf.placeholder(tf.int64, [None], name="labels")

weights_1 = tf.Variable(tf.truncated_normal([2, 24], stddev=0.5), name="weights_1")
biases_1 = tf.Variable(tf.constant(0.1, shape=[24]), name="biases_1")
variable_summaries(weights_1, "layer1")
activations = tf.nn.relu(tf.matmul(points, weights_1) + biases_1)
tf.summary.histogram("activations", activations)
weights_2 = tf.Variable(tf.truncated_normal([24, 2], stddev=0.5), name="weights_2")
biases_2 = tf.Variable(tf.constant(0.1, shape=[2]), name="biases_2")
variable_summaries(weights_2, "layer2")
logits = tf.matmul(activations, weights_2) + biases_2

cross_entropy = tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits)
tf.summary.scalar("cross_entropy", cross_entropy)
train_step = tf.train.AdamOptimizer(0.02).minimize(cross_entropy)
accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), labels), tf.float32))
tf.summary.scalar("accuracy", accuracy)

merged = tf.summary.merge_all()

if os.path.exists(LOG_DIR):
    shutil.rmtree(LOG_DIR)

with tf.Session() as sess:
    train_writer = tf.summary.FileWriter(LOG_DIR + "/train", sess.graph)
    test_writer = tf.summary.FileWriter(LOG_DIR + "/test")
    sess.run(tf.global_variables_initializer())
    for i in range(MAX_STEPS):
        if i % 10 == 0:  # Record summaries and test-set accuracy
            summary, acc = sess.run([merged, accuracy], feed_dict={points: test_points, labels: test_labels})
            test_writer.add_summary(summary, i)
            print("Accuracy at step %s: %.4f" % (i, acc))
        else:  # Train, and record train set summaries
            rows = rng.randint(0, 800, 64)
            feed = {points: train_points[rows], labels: train_labels[rows]}
            sess.run(train_step, feed_dict=feed)
            train_writer.add_summary(sess.run(merged, feed_dict=feed), i)
    train_writer.close()
    test_writer.close()
    print("test loss %.5f" % sess.run(cross_entropy, {points: test_points, labels: test_labels}))
