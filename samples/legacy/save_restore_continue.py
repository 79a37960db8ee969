"""Trains, saves, restores in a new session and goes on training; a second start goes on from the last checkpoint."""
import os

import numpy as np
import tensorflow as tf

CHECKPOINT_DIR = "./save_restore_continue_checkpoints"
steps_per_run = 60

rng = np.random.RandomState(17)
inputs = rng.uniform(-2, 2, size=(400, 5)).astype(np.float32)
outputs = (np.sin(inputs).sum(axis=1, keepdims=True) + 0.1 * inputs[:, :1]).astype(np.float32)

tf.set_random_seed(17)
x = tf.placeholder(tf.float32, [None, 5], name="x")
y = tf.placeholder(tf.float32, [None, 1], name="y")
with tf.variable_scope("hidden"):
    w = tf.get_variable("w", [5, 24], initializer=tf.random_normal_initializer(stddev=0.4))
    b = tf.get_variable("b", [24], initializer=tf.zeros_initializer())
    hidden = tf.tanh(tf.matmul(x, w) + b)
with tf.variable_scope("output"):
    w = tf.get_variable("w", [24, 1], initializer=tf.random_normal_initializer(stddev=0.4))
    b = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
    prediction = tf.matmul(hidden, w) + b

global_step = tf.Variable(0, name="global_step", trainable=False)
loss = tf.reduce_mean(tf.squared_difference(prediction, y))
train_op = tf.train.AdamOptimizer(0.01).minimize(loss, global_step=global_step)

saver = tf.train.Saver(max_to_keep=2)

if not os.path.isdir(CHECKPOINT_DIR):
    os.makedirs(CHECKPOINT_DIR)


def next_batch(size=50):
    rows = rng.randint(0, len(inputs), size)
    return inputs[rows], outputs[rows]


with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    ckpt = tf.train.get_checkpoint_state(CHECKPOINT_DIR)
    if ckpt and ckpt.model_checkpoint_path:
        saver.restore(sess, ckpt.model_checkpoint_path)
        print("went on from step", sess.run(global_step))
    for i in range(steps_per_run):
        batch_x, batch_y = next_batch()
        sess.run(train_op, feed_dict={x: batch_x, y: batch_y})
        if (i + 1) % 20 == 0:
            saver.save(sess, os.path.join(CHECKPOINT_DIR, "model.ckpt"), global_step=global_step)
            print("step", sess.run(global_step), "loss %.5f" % sess.run(loss, feed_dict={x: inputs, y: outputs}))

# a new session has nothing of the first one but what was saved
with tf.Session() as sess:
    latest = tf.train.latest_checkpoint(CHECKPOINT_DIR)
    saver.restore(sess, latest)
    print("restored", os.path.basename(latest))
    print("restored loss %.5f" % sess.run(loss, feed_dict={x: inputs, y: outputs}))
    for i in range(steps_per_run):
        batch_x, batch_y = next_batch()
        sess.run(train_op, feed_dict={x: batch_x, y: batch_y})
    print("final step", sess.run(global_step), "loss %.5f" % sess.run(loss, feed_dict={x: inputs, y: outputs}))
    saver.save(sess, os.path.join(CHECKPOINT_DIR, "model.ckpt"), global_step=global_step)
