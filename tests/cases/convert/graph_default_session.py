# with Graph().as_default(), Session() as sess on one line, twice with a reset between.
import tensorflow as tf

with tf.Graph().as_default(), tf.Session() as sess:
    w = tf.Variable(3.0, name="w")
    y = w * w
    sess.run(tf.global_variables_initializer())
    print(sess.run(y))

tf.reset_default_graph()
w = tf.Variable(4.0, name="w")
y = w + 1.0
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run([w, y]))
