# A global step made by hand, and the library's, each read in several ways.
import tensorflow as tf

w = tf.Variable(1.0)
loss = tf.square(w)
gs = tf.train.get_or_create_global_step()
mine = tf.Variable(0, trainable=False, name="my_step")
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=gs)
train_mine = tf.train.GradientDescentOptimizer(0.05).minimize(loss, global_step=mine)
bump = tf.assign_add(mine, 10)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        sess.run(train)
    sess.run(train_mine)
    print(sess.run(gs), sess.run(mine), tf.train.global_step(sess, gs))
    sess.run(bump)
    print(sess.run([gs, mine]), sess.run(tf.train.get_global_step()))
    print("w %.6f" % sess.run(w), gs.dtype.base_dtype.name, mine.dtype.base_dtype.name)
