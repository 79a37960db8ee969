# tf.cond, tf.case and tf.while_loop in the graph.
# refused for now: TFM148
import tensorflow as tf

x = tf.placeholder(tf.float32, [])
sign = tf.cond(x > 0.0, lambda: tf.constant(1.0), lambda: tf.constant(-1.0))
kind = tf.case([(x < -1.0, lambda: tf.constant(10)), (x > 1.0, lambda: tf.constant(20))],
               default=lambda: tf.constant(30))


def keep(i, total):
    return i < 5


def body(i, total):
    return i + 1, total + x * tf.cast(i, tf.float32)


_, series = tf.while_loop(keep, body, [tf.constant(0), tf.constant(0.0)])
with tf.Session() as sess:
    for value in (-2.0, 0.5, 3.0):
        print(sess.run([sign, kind, series], feed_dict={x: value}))
