# tf.group of two assigns and a train op; tf.tuple; a no_op per epoch.
import tensorflow as tf

w = tf.Variable(2.0)
calls = tf.Variable(0)
seen = tf.Variable(0.0, trainable=False)
x = tf.placeholder(tf.float32, [])
loss = tf.square(w * x)
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, var_list=[w])
step = tf.group(train, calls.assign_add(1), seen.assign_add(x))
quiet = tf.no_op()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for e in range(3):
        print(sess.run(step, feed_dict={x: 0.5 + e}))
        sess.run(quiet)
        print(e, sess.run(w), sess.run(calls), sess.run(seen))
