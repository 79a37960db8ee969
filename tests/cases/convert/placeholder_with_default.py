# A default that is fed at one site and not at the other.
import tensorflow as tf

x = tf.placeholder(tf.float32, [2])
k = tf.placeholder_with_default(2.0, shape=[])
training = tf.placeholder_with_default(False, shape=(), name="training")
y = x * k
z = tf.cond(training, lambda: y + 100.0, lambda: y)
with tf.Session() as sess:
    print(sess.run(y, {x: [1.0, 2.0]}))
    print(sess.run(y, {x: [1.0, 2.0], k: 5.0}))
    print(sess.run(z, {x: [1.0, 2.0]}), sess.run(z, {x: [1.0, 2.0], training: True}))
