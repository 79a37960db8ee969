# Functions and methods that run what their callers hand them: a train op or nothing, tensors, a list, a placeholder.
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None])
y = tf.placeholder(tf.float32, [None])
w = tf.Variable(1.0)
loss = tf.reduce_mean(tf.square(x * w - y))
doubled = tf.reduce_sum(x * 2.0)
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
X = np.arange(4, dtype=np.float32)


def run_epoch(session, xs, ys, train_op=None, verbose=False):
    total, seen = 0.0, 0
    fetches = train_op if train_op is not None else tf.no_op()
    for i in range(2):
        l, _ = session.run([loss, fetches], {x: xs[i::2], y: ys[i::2]})
        total += l
        seen += 1
        if verbose and not train_op:
            print("evaluated", i)
    return total / seen


def show(session, name, tensor, digits):
    print(name, np.round(session.run(tensor, {x: X, y: X}), digits).tolist())


def only(session, fetches, source, value):
    return session.run(fetches, {source: value})


class Net(object):
    def __init__(self, rate):
        self.a = tf.placeholder(tf.float32, [None])
        self.v = tf.Variable(0.5)
        self.cost = tf.reduce_mean(tf.square(self.a * self.v - 1.0))
        self.step = tf.train.GradientDescentOptimizer(rate).minimize(self.cost)

    def run(self, session, values, op=None):
        if op is None:
            op = tf.no_op()
        else:
            values = values * 2.0
        cost, _ = session.run([self.cost, op], feed_dict={self.a: values})
        return cost


net = Net(0.1)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(3):
        print("%.5f" % run_epoch(sess, X, 3.0 * X, train), "%.5f" % run_epoch(sess, X, 3.0 * X, verbose=epoch == 0))
        print("%.5f" % net.run(sess, X, net.step), "%.5f" % net.run(sess, X))
    show(sess, "loss", loss, 4)
    show(sess, "doubled", doubled, digits=2)
    show(sess, tensor=loss, name="again", digits=1)
    print(only(sess, [doubled], x, X))
