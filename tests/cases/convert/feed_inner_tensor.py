# Feeding a tensor that is no placeholder cuts the graph there.
import tensorflow as tf

x = tf.placeholder(tf.float32, [2], name="x")
w = tf.Variable([2.0, 3.0])
hidden = x * w
bias = tf.constant(1.0)
out = tf.reduce_sum(hidden) + bias
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(out, {x: [1.0, 1.0]}))
    print(sess.run(out, {hidden: [10.0, 20.0]}))
    print(sess.run(out, {x: [1.0, 1.0], bias: -5.0}))
    print(sess.run(out, {x: [1.0, 1.0], w: [0.0, 1.0]}))
