# The optimizer's rate decays with the step it counts itself; the rate is printed too.
import tensorflow as tf

w = tf.Variable([2.0, -3.0])
loss = tf.reduce_sum(tf.square(w))
global_step = tf.Variable(0, trainable=False)
rate = tf.train.exponential_decay(0.2, global_step, 3, 0.5, staircase=True)
train = tf.train.MomentumOptimizer(rate, 0.9).minimize(loss, global_step=global_step)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(9):
        sess.run(train)
        print(i, "%.5f" % sess.run(rate), sess.run(w))
