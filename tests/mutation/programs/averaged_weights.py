"""Weights judged by their moving average, saved by a Saver that leaves one variable out.

After reports of averages that lagged by a step, of `num_updates` lost, and of checkpoints that lacked variables.
"""
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(19)
data = rng.randn(200, 4).astype(np.float32)
target = (data.dot(rng.randn(4, 2)) + 0.1 * rng.randn(200, 2)).astype(np.float32)

tf.set_random_seed(19)
x = tf.placeholder(tf.float32, [None, 4])
y = tf.placeholder(tf.float32, [None, 2])
w = tf.Variable(tf.random_normal([4, 2]), name="w")
b = tf.Variable(tf.zeros([2]), name="b")
spent = tf.Variable(0.0, trainable=False, name="spent")
step_count = tf.Variable(0, trainable=False, name="step_count")
loss = tf.reduce_mean(tf.square(tf.matmul(x, w) + b - y))
train_op = tf.train.AdagradOptimizer(0.3).minimize(loss, global_step=step_count)
average = tf.train.ExponentialMovingAverage(0.95, step_count)
with tf.control_dependencies([train_op]):
    train_and_average = average.apply([w, b])
spend = tf.assign_add(spent, 0.25)
averaged = tf.matmul(x, average.average(w)) + average.average(b)
averaged_loss = tf.reduce_mean(tf.square(averaged - y))
saver = tf.train.Saver([w, b, step_count])

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(40):
        rows = rng.randint(0, 200, 20)
        _, value = sess.run([train_and_average, loss], {x: data[rows], y: target[rows]})
        sess.run(spend)
        if step % 10 == 9:
            judged = sess.run(averaged_loss, {x: data, y: target})
            print("step %d: loss %.5f, by averages %.5f, spent %.2f" % (step, value, judged, sess.run(spent)))
    saver.save(sess, "./averaged_weights.ckpt")
