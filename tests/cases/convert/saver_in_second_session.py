# What is saved in one session is restored in another; the first one's values are gone.
import os
import tempfile
import tensorflow as tf

prefix = os.path.join(tempfile.mkdtemp(), "ckpt")
w = tf.get_variable("w", [2], initializer=tf.constant_initializer(1.0))
loss = tf.reduce_sum(tf.square(w - 3.0))
train = tf.train.AdamOptimizer(0.5).minimize(loss)
saver = tf.train.Saver()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        sess.run(train)
    saver.save(sess, prefix)
    print(sess.run(w))
with tf.Session() as sess:
    saver.restore(sess, prefix)
    print(sess.run(w))
    for _ in range(3):
        sess.run(train)
    print(sess.run(w), sess.run(loss))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(w))
