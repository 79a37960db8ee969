# Exponential (smooth and staircase), piecewise, polynomial and inverse-time decay on one step counter.
import tensorflow as tf

step = tf.Variable(0, trainable=False)
rates = [
    tf.train.exponential_decay(0.1, step, 4, 0.5),
    tf.train.exponential_decay(0.1, step, 4, 0.5, staircase=True),
    tf.train.piecewise_constant(step, [2, 5], [1.0, 0.5, 0.1]),
    tf.train.polynomial_decay(0.1, step, 8, end_learning_rate=0.01, power=2.0),
    tf.train.inverse_time_decay(0.1, step, 2, 0.5),
    tf.train.natural_exp_decay(0.1, step, 5, 0.5),
    tf.train.cosine_decay(0.1, step, 10),
]
advance = tf.assign_add(step, 1)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(10):
        print(" ".join("%.6f" % r for r in sess.run(rates)))
        sess.run(advance)
