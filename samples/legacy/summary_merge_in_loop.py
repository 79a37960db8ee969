"""Linear model with TensorBoard logging; the summaries are merged again at each step.

It gets slower with every step: merge_all() is called inside the loop, and so are the ops that measure the error.
"""
import os

import numpy as np
import tensorflow as tf

flags = tf.app.flags
flags.DEFINE_float("learning_rate", 0.05, "Initial learning rate.")
flags.DEFINE_integer("max_steps", 100, "Number of steps to run trainer.")
flags.DEFINE_string("summaries_dir", "summary_merge_in_loop_logs", "Summaries directory.")
FLAGS = flags.FLAGS


def main(_):
    rng = np.random.RandomState(11)
    inputs = rng.uniform(-1, 1, size=(256, 12)).astype(np.float32)
    targets = inputs.dot(np.linspace(-1, 1, 12)[:, np.newaxis]).astype(np.float32) + 0.3

    with tf.name_scope("input"):
        x = tf.placeholder(tf.float32, [None, 12], name="x-input")
        y_ = tf.placeholder(tf.float32, [None, 1], name="y-input")

    with tf.name_scope("layer"):
        with tf.name_scope("weights"):
            W = tf.Variable(tf.zeros([12, 1]))
        with tf.name_scope("biases"):
            b = tf.Variable(tf.zeros([1]))
        with tf.name_scope("Wx_plus_b"):
            y = tf.matmul(x, W) + b

    with tf.name_scope("loss"):
        mse = tf.reduce_mean(tf.square(y - y_))
    tf.summary.scalar("mse", mse)
    tf.summary.scalar("mean_prediction", tf.reduce_mean(y))
    tf.summary.histogram("residuals", y - y_)

    with tf.name_scope("train"):
        train_step = tf.train.GradientDescentOptimizer(FLAGS.learning_rate).minimize(mse)

    with tf.Session() as sess:
        writer = tf.summary.FileWriter(os.path.join(FLAGS.summaries_dir, "train"), sess.graph)
        tf.global_variables_initializer().run()
        for i in range(FLAGS.max_steps):
            rows = rng.randint(0, 256, 32)
            merged = tf.summary.merge_all()
            rmse = tf.sqrt(tf.reduce_mean(tf.square(y - y_)))
            worst = tf.reduce_max(tf.abs(y - y_))
            feed = {x: inputs[rows], y_: targets[rows]}
            summary, _, error, largest = sess.run([merged, train_step, rmse, worst], feed_dict=feed)
            writer.add_summary(summary, i)
            if i % 20 == 0:
                print("step %s: rmse %.5f, worst error %.5f" % (i, error, largest))
        writer.close()
        print("final mse: %.6f" % mse.eval(feed_dict={x: inputs, y_: targets}))


if __name__ == "__main__":
    tf.app.run()
