"""Layers that the model is made of."""
import tensorflow as tf


def weight(name, shape):
    return tf.get_variable(name, shape, initializer=tf.truncated_normal_initializer(stddev=0.1))


def linear(x, size_in, size_out, scope):
    """A fully connected layer without activation."""
    with tf.variable_scope(scope):
        w = weight("w", [size_in, size_out])
        b = tf.get_variable("b", [size_out], initializer=tf.zeros_initializer())
        return tf.matmul(x, w) + b
