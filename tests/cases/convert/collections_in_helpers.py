# Collections that helpers fill: weight decay of some weights, losses by tf.losses, sums over both; one that nobody reads.
import tensorflow as tf


def weight(name, shape, decay=None):
    w = tf.get_variable(name, shape, initializer=tf.constant_initializer(0.3))
    if decay is not None: tf.add_to_collection("losses", tf.multiply(tf.nn.l2_loss(w), decay, name="decay"))
    tf.add_to_collection("never_read", tf.reduce_sum(w))
    return w


def regularized(shape, regularizer):
    w = tf.get_variable("regularized", shape, initializer=tf.constant_initializer(-0.2))
    if regularizer != None:
        tf.add_to_collection(tf.GraphKeys.REGULARIZATION_LOSSES, regularizer(w))
    return w


def network(x):
    hidden = tf.nn.tanh(tf.matmul(x, weight("first", [2, 3], 0.5)))
    last = weight("last", [3, 1])
    out = tf.matmul(hidden, last) + regularized([1], tf.contrib.layers.l2_regularizer(0.1))
    return out


x = tf.placeholder(tf.float32, [None, 2])
target = tf.placeholder(tf.float32, [None, 1])
y = network(x)
tf.losses.mean_squared_error(target, y)
loss = tf.losses.absolute_difference(target, y) * 0.5 + 1.0
outside = tf.losses.mean_squared_error(target, y, loss_collection=None)
tf.losses.add_loss(tf.reduce_max(y))
total = tf.losses.get_total_loss()
penalty = tf.losses.get_regularization_loss()
plain = tf.add_n(tf.get_collection("losses"), name="sum")
train = tf.train.GradientDescentOptimizer(0.1).minimize(total)
feed = {x: [[1.0, 2.0], [3.0, -1.0]], target: [[1.0], [2.0]]}
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        print(sess.run([loss, outside, total, penalty, plain], feed))
        sess.run(train, feed)
    print(sess.run(tf.trainable_variables()))
