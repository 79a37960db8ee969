"""An LSTM over sequences of unequal length, whose last states are judged.

After reports of gates in another order, a forget bias lost, and padding that ran through the cell.
"""
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(13)
data = rng.randn(128, 7, 3).astype(np.float32)
lengths = rng.randint(2, 8, 128).astype(np.int32)
label = np.array([s[:n, 0].sum() > 0 for s, n in zip(data, lengths)]).astype(np.int32)

tf.set_random_seed(13)
x = tf.placeholder(tf.float32, [None, 7, 3])
n = tf.placeholder(tf.int32, [None])
y = tf.placeholder(tf.int32, [None])
cell = tf.nn.rnn_cell.BasicLSTMCell(10, forget_bias=0.7)
outputs, state = tf.nn.dynamic_rnn(cell, x, sequence_length=n, dtype=tf.float32)
logits = tf.layers.dense(state.h, 2)
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
train_op = tf.train.AdamOptimizer(0.02).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(24):
        rows = rng.randint(0, 128, 32)
        _, value = sess.run([train_op, loss], {x: data[rows], n: lengths[rows], y: label[rows]})
        if step % 6 == 0:
            print("step %d: loss %.5f" % (step, value))
    print("all %.5f" % sess.run(loss, {x: data, n: lengths, y: label}))
