import tensorflow as tf


def predict(x):
    with tf.variable_scope("line", reuse=tf.AUTO_REUSE):
        w = tf.get_variable("w", [3, 1])
        b = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
    return tf.matmul(x, w) + b


def train(loss):
    return tf.train.GradientDescentOptimizer(0.1).minimize(loss)
