# A train() that gives losses and weights back; the caller prints and plots.
import numpy as np
import tensorflow as tf


def train(steps, rate=0.1):
    tf.reset_default_graph()
    x = tf.placeholder("float", [None, 1])
    y = tf.placeholder("float", [None, 1])
    w = tf.Variable([[0.0]], name="w")
    cost = tf.reduce_mean((tf.matmul(x, w) - y) ** 2)
    opt = tf.train.GradientDescentOptimizer(learning_rate=rate).minimize(cost)
    xs = np.linspace(-1, 1, 5).reshape(-1, 1)
    costs = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(steps):
            sess.run(opt, feed_dict={x: xs, y: 2 * xs})
            costs.append(sess.run(cost, feed_dict={x: xs, y: 2 * xs}))
        return costs, w.eval()


costs, w = train(4)
print(["%.5f" % c for c in costs], w)
costs, w = train(3, rate=0.3)
print(["%.5f" % c for c in costs], w[0, 0])
