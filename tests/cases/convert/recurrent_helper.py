import numpy as np
import tensorflow as tf
from tensorflow.contrib import rnn

numbers = np.random.RandomState(6)
timesteps = 3
x = tf.placeholder("float", [None, timesteps, 2])
keep_prob = tf.placeholder(tf.float32)
weights = {"out": tf.Variable(0.1 * np.ones([8, 1]), dtype=tf.float32)}


def network(x, weights, hidden):
    # One tensor for each time step
    x = tf.unstack(x, timesteps, 1)
    cell = rnn.BasicLSTMCell(hidden, forget_bias=0.5)
    cell = rnn.DropoutWrapper(cell, input_keep_prob=keep_prob)
    backward = rnn.GRUCell(hidden)
    outputs, _, _ = rnn.static_bidirectional_rnn(cell, backward, x, dtype=tf.float32)
    return tf.matmul(outputs[-1], weights["out"])


prediction = network(x, weights, 4)
loss = tf.reduce_mean(tf.square(prediction - 1.0))
train = tf.train.AdamOptimizer(0.05).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for v in tf.trainable_variables():
        v.load(0.2 * numbers.randn(*v.shape.as_list()), sess)
    batch = numbers.randn(5, timesteps, 2)
    for _ in range(6):
        value, _ = sess.run([loss, train], feed_dict={x: batch, keep_prob: 1.0})
        print("%.5f" % value)
    print("%.5f" % sess.run(prediction, feed_dict={x: batch, keep_prob: 1.0}).sum())
