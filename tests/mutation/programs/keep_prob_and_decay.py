"""Dropout by keep_prob and an exponential decay that counts global steps.

After reports of `keep_prob` handed on as `rate`, and of a schedule that never moved or moved one step late.
"""
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(5)
data = rng.rand(200, 10).astype(np.float32)
label = (data.sum(axis=1) > 5).astype(np.int64)

tf.set_random_seed(5)
x = tf.placeholder(tf.float32, [None, 10])
y = tf.placeholder(tf.int64, [None])
keep_prob = tf.placeholder(tf.float32)

w1 = tf.Variable(tf.truncated_normal([10, 24], stddev=0.3))
b1 = tf.Variable(tf.constant(0.1, shape=[24]))
w2 = tf.Variable(tf.truncated_normal([24, 2], stddev=0.3))
hidden = tf.nn.relu(tf.matmul(x, w1) + b1)
hidden = tf.nn.dropout(hidden, keep_prob)
logits = tf.matmul(hidden, w2)
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
global_step = tf.Variable(0, trainable=False)
rate = tf.train.exponential_decay(0.1, global_step, 7, 0.8)
train_op = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=global_step)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(45):
        rows = rng.randint(0, 200, 25)
        _, value = sess.run([train_op, loss], {x: data[rows], y: label[rows], keep_prob: 0.8})
        if step % 9 == 0:
            now, judged = sess.run([rate, loss], {x: data, y: label, keep_prob: 1.0})
            print("step %d: loss %.5f, without dropout %.5f, rate %.6f" % (step, value, judged, now))
