# tf.layers with constant initial weights; dropout fed off and by literal.
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 4])
keep_prob = tf.placeholder(tf.float32)
ones = tf.constant_initializer(0.1)
h = tf.layers.dense(x, 5, activation=tf.nn.relu, kernel_initializer=ones, name="hidden")
h = tf.nn.dropout(h, keep_prob)
out = tf.layers.dense(h, 2, kernel_initializer=ones)
loss = tf.reduce_mean(tf.square(out - 1.0))
train = tf.train.AdamOptimizer(0.05).minimize(loss)
X = np.linspace(0, 1, 12).reshape(3, 4)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(5):
        sess.run(train, {x: X, keep_prob: 1.0})
    print("%.6f" % sess.run(loss, {x: X, keep_prob: 1.0}))
    print(sess.run(out, feed_dict={x: X[:1], keep_prob: 1}))
    dropped = sess.run(h, {x: X, keep_prob: 0.5})
    print(dropped.shape, [v.name for v in tf.trainable_variables()])
