# Tensors and lists of fetches that a loop over a written-out list runs in turn, and a comprehension over tensors.
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None])
bias = tf.placeholder_with_default(0.0, [])
w = tf.get_variable("w", initializer=2.0)
doubled = x * w + bias
squared = tf.square(x)
summed = tf.reduce_sum(doubled)
loss = tf.reduce_mean(tf.square(summed - 3.0))
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
X = np.arange(3, dtype=np.float32)


def report(session):
    for name, t, b in [("doubled", doubled, 1.0), ("squared", squared, 2.0), ("summed", summed, 3.0)]:
        value = session.run(t, {x: X, bias: b})
        print(name, np.round(value, 4).tolist())


with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    report(sess)
    for epoch in range(2):
        for data, fetch in ((X, [loss, train]), (X + 1.0, [loss])):
            print(epoch, "%.5f" % sess.run(fetch, {x: data})[0])
    for t in (summed, loss):
        while True:
            print("%.5f" % t.eval({x: X}))
            break
    print(["%.5f" % v for v in [sess.run(t, {x: X}) for t in (summed, loss, summed)]])
    report(sess)
