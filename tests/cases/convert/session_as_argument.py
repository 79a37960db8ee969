# Sessions and tensors handed to functions.
# refused for now: TFM112
import numpy as np
import tensorflow as tf


def train_one(sess, op, feed):
    sess.run(op, feed_dict=feed)


def evaluate(session, tensor, x, values):
    return [float(session.run(tensor, {x: v})) for v in values]


def main():
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    w = tf.get_variable("w", [2, 1], initializer=tf.constant_initializer(0.5))
    score = tf.reduce_sum(tf.matmul(x, w))
    down = tf.train.GradientDescentOptimizer(0.1).minimize(score)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(3):
            train_one(sess, down, {x: np.ones((2, 2))})
        print(evaluate(sess, score, x, [np.eye(2), np.ones((1, 2))]))


main()
