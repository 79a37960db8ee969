# Three fetch sets, each with placeholders of its own; two share part of the graph.
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 3], name="x")
y = tf.placeholder(tf.float32, [None], name="y")
scale = tf.placeholder(tf.float32, [], name="scale")
w = tf.Variable(np.array([0.1, 0.2, 0.3], dtype=np.float32), name="w")
b = tf.Variable(0.0, name="b")
pred = tf.tensordot(x, w, 1) + b
loss = tf.reduce_mean(tf.abs(pred - y))
scaled = scale * tf.reduce_sum(w)
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
X = np.arange(12, dtype=np.float32).reshape(4, 3) / 10
Y = np.array([1.0, 0.0, 2.0, 1.0])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for t in range(6):
        sess.run(train, {x: X, y: Y})
        if t % 2 == 0:
            print(t, sess.run(loss, {x: X, y: Y}), sess.run(scaled, {scale: 10.0}))
    print(sess.run(pred, {x: X[:2]}))
