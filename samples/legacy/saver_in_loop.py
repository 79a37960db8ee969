"""Trains a small network and saves it after every step.

It gets slower with every step: the Saver is created inside the loop, so each step adds another set of save and restore
ops to the graph, and each save writes out the whole graph again.
"""
import os
import time

import numpy as np
import tensorflow as tf

NUM_STEPS = 60
BATCH_SIZE = 64
MODEL_DIR = "saver_in_loop_model"

np.random.seed(1)
tf.set_random_seed(1)
train_x = np.random.rand(1024, 20).astype(np.float32)
train_y = (train_x[:, :10].sum(axis=1) > train_x[:, 10:].sum(axis=1)).astype(np.int64)

x = tf.placeholder(tf.float32, [None, 20], name="x")
y = tf.placeholder(tf.int64, [None], name="y")

w1 = tf.Variable(tf.truncated_normal([20, 32], stddev=0.1), name="w1")
b1 = tf.Variable(tf.zeros([32]), name="b1")
w2 = tf.Variable(tf.truncated_normal([32, 2], stddev=0.1), name="w2")
b2 = tf.Variable(tf.zeros([2]), name="b2")
hidden = tf.nn.relu(tf.matmul(x, w1) + b1)
logits = tf.matmul(hidden, w2) + b2

loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
correct = tf.nn.in_top_k(logits, y, 1)
accuracy = tf.reduce_mean(tf.cast(correct, tf.float32))
train_op = tf.train.GradientDescentOptimizer(0.2).minimize(loss)

if not os.path.exists(MODEL_DIR):
    os.makedirs(MODEL_DIR)

init = tf.global_variables_initializer()
with tf.Session() as sess:
    sess.run(init)
    for step in range(NUM_STEPS):
        start_time = time.time()
        offset = (step * BATCH_SIZE) % (len(train_x) - BATCH_SIZE)
        batch_x = train_x[offset:offset + BATCH_SIZE]
        batch_y = train_y[offset:offset + BATCH_SIZE]

        _, loss_value, acc_value = sess.run([train_op, loss, accuracy], feed_dict={x: batch_x, y: batch_y})

        saver = tf.train.Saver()
        saver.save(sess, os.path.join(MODEL_DIR, "model.ckpt"), global_step=step)

        if step % 10 == 0:
            print("step: %d, loss: %.5f, accuracy: %.3f" % (step, loss_value, acc_value))
            print("time cost: %.4f" % (time.time() - start_time))

    print("final loss: %.5f" % sess.run(loss, feed_dict={x: train_x, y: train_y}))
