# Helper functions that make a variable each call.
import numpy as np
import tensorflow as tf


def weight_variable(shape, value):
    initial = tf.constant(value, shape=shape)
    return tf.Variable(initial)


def bias_variable(shape):
    return tf.Variable(tf.constant(0.1, shape=shape))


x = tf.placeholder(tf.float32, [None, 2])
y = tf.placeholder(tf.float32, [None, 1])
W1, b1 = weight_variable([2, 3], 0.2), bias_variable([3])
h = tf.nn.sigmoid(tf.matmul(x, W1) + b1)
W2 = weight_variable([3, 1], -0.3)
b2 = bias_variable([1])
pred = tf.matmul(h, W2) + b2
loss = tf.reduce_mean(tf.square(pred - y))
train = tf.train.AdamOptimizer(0.1).minimize(loss)
X = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
Y = X.sum(axis=1, keepdims=True)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(10):
        sess.run(train, {x: X, y: Y})
    print("%.6f" % sess.run(loss, {x: X, y: Y}), sess.run(b1))
