# Host names that a converter would like to use for itself.
import numpy as np
import tensorflow as tf

train_step = 6
strategy = "plain"
optimizer = "none"
forward = [1.0, 2.0]
tape = 0
gradients = {"seen": 0}
checkpoint = manager = None


def compute_accuracy(a, b):
    return float(np.mean(np.abs(a - b) < 0.5))


x = tf.placeholder(tf.float32, [None])
loss = tf.Variable([0.0], name="loss")
pred = x + loss
error = tf.reduce_mean(tf.square(pred - 2.0))
train_op = tf.train.GradientDescentOptimizer(0.2).minimize(error)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(train_step):
        sess.run(train_op, {x: forward})
        gradients["seen"] += 1
        tape += step
    out = sess.run(pred, {x: forward})
print(strategy, optimizer, gradients, tape, checkpoint, manager)
print(compute_accuracy(out, np.array([2.0, 2.0])), out)
