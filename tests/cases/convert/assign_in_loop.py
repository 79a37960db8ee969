# An assign built at each step of the loop.
import tensorflow as tf

lr = tf.Variable(0.5, trainable=False)
w = tf.Variable(4.0)
cost = tf.square(w)
train = tf.train.GradientDescentOptimizer(lr).minimize(cost)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(5):
        sess.run(tf.assign(lr, 0.4 * (0.5 ** epoch)))
        sess.run(train)
        print(epoch, "%.5f %.5f" % (sess.run(lr), sess.run(w)))
