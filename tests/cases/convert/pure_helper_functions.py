# Helpers without variables: called with tensors, arrays and numbers, one calling another.
import tensorflow as tf


def norm(t):
    return tf.sqrt(tf.reduce_sum(tf.square(t), axis=-1, keep_dims=True) + 1e-12)


def cosine(a, b, eps=0.0):
    return tf.reduce_sum(a * b, -1) / tf.squeeze(norm(a) * norm(b), -1) + eps


def relu6ish(t, cap=6):
    return tf.minimum(tf.nn.relu(t), cap)


a = tf.placeholder(tf.float32, [None, 2])
b = tf.Variable([[3.0, 4.0]])
c = cosine(a, b, eps=0.01)
d = relu6ish(a * 10.0)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(c, {a: [[1.0, 0.0], [3.0, 4.0]]}))
    print(sess.run(d, {a: [[-1.0, 0.25]]}), sess.run(norm(b)))
