import numpy as np
import tensorflow as tf

rng = np.random.RandomState(1)
data = rng.rand(240, 6).astype("float32")
target = (data[:, :1] * 2 - data[:, 1:2] + 0.1 * rng.randn(240, 1)).astype("float32")

x = tf.placeholder(tf.float32, [None, 6])
y = tf.placeholder(tf.float32, [None, 1])
keep_prob = tf.placeholder(tf.float32)
w1 = tf.Variable((np.arange(48).reshape(6, 8) % 7 - 3).astype("float32") / 10)
b1 = tf.Variable(tf.zeros([8]))
w2 = tf.Variable((np.arange(8).reshape(8, 1) % 5 - 2).astype("float32") / 10)
b2 = tf.Variable(tf.zeros([1]))
hidden = tf.nn.relu(tf.matmul(x, w1) + b1)
prediction = tf.matmul(tf.nn.dropout(hidden, keep_prob), w2) + b2
loss = tf.reduce_mean(tf.square(prediction - y)) + 0.001 * tf.nn.l2_loss(w1)
total = tf.reduce_sum(tf.abs(prediction - y))
global_step = tf.Variable(0, trainable=False)
rate = tf.train.exponential_decay(0.1, global_step, 10, 0.9, staircase=True)
train_op = tf.train.MomentumOptimizer(rate, 0.9).minimize(loss, global_step=global_step)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(40):
        rows = rng.randint(0, 240, 24)
        _, l, s, r, t, p = sess.run([train_op, loss, global_step, rate, total, prediction],
                                    feed_dict={x: data[rows], y: target[rows], keep_prob: 1.0})
        if i % 10 == 9:
            print("step %d rate %.5f loss %.6f total %.5f first %.5f %s" % (sess.run(global_step), r, l, t, p[3, 0], p.shape))
    print("test %.6f" % sess.run(loss, {x: data[:101], y: target[:101], keep_prob: 1.0}))
