"""Linear regression that saves, writes summaries, restores and goes on; a sum as its loss."""
import glob
import os
import sys

import numpy as np
import tensorflow as tf

folder = sys.argv[1]
rng = np.random.RandomState(3)
points = rng.rand(64, 2).astype("float32")
values = points.dot([[1.5], [-0.5]]).astype("float32") + 0.25

x = tf.placeholder(tf.float32, [None, 2], name="x")
y = tf.placeholder(tf.float32, [None, 1], name="y")
w = tf.Variable(tf.zeros([2, 1]), name="w")
b = tf.Variable(tf.zeros([1]), name="b")
average = tf.Variable(0.0, trainable=False, name="average")
loss = tf.reduce_sum(tf.square(tf.matmul(x, w) + b - y)) / 16.0
tf.summary.scalar("loss", loss)
summaries = tf.summary.merge_all()
train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
error = tf.reduce_mean(tf.abs(tf.matmul(x, w) + b - y))
tracked = average.assign(0.9 * average + 0.1 * error)
saver = tf.train.Saver(max_to_keep=2)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    writer = tf.summary.FileWriter(os.path.join(folder, "logs"), sess.graph)
    for i in range(30):
        rows = rng.randint(0, 64, 16)
        _, l, s, a = sess.run([train_op, loss, summaries, tracked], {x: points[rows], y: values[rows]})
        writer.add_summary(s, i)
        if i % 10 == 9:
            print("loss %.6f average %.6f" % (l, a))
            saver.save(sess, os.path.join(folder, "model.ckpt"), global_step=i)
    writer.close()
    print("w %s b %s" % (" ".join("%.5f" % v for v in sess.run(w).ravel()), "%.5f" % sess.run(b)[0]))
print("files", len(glob.glob(os.path.join(folder, "*.index"))), len(glob.glob(os.path.join(folder, "logs", "*"))), file=sys.stderr)
