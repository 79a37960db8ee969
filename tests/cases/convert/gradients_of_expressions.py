# What is differentiated is computed in the call itself: of tensors, in lists, in compute_gradients, twice.
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None])
w = tf.Variable([1.0, 2.0])
o = tf.train.GradientDescentOptimizer(0.1)
train = o.minimize(tf.reduce_sum(w * x))
gv = o.compute_gradients(tf.reduce_sum(w * w * x))
train2 = o.apply_gradients(gv)
g = tf.gradients(tf.reduce_sum(w * w * x), w)[0]
g2 = tf.gradients([tf.reduce_sum(w * w * x), w], [w])[0]
gg = tf.gradients(g, [w])[0]
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(np.round(sess.run(g, {x: [1.0, 2.0]}), 5))
    print(np.round(sess.run(g2, {x: [1.0, 2.0]}), 5))
    print(np.round(sess.run(gg, {x: [1.0, 2.0]}), 5))
    sess.run(train, {x: [1.0, 2.0]})
    sess.run(train2, {x: [1.0, 2.0]})
    print(sess.run(w))
