"""Q values with a slowly following target network and a count of updates.

After reports of target networks that followed at once, or never, and of values read before the update that changes them.
"""
import numpy as np
import tensorflow as tf

GAMMA, TAU = 0.9, 0.05
rng = np.random.RandomState(17)

tf.set_random_seed(17)
state = tf.placeholder(tf.float32, [None, 5])
action = tf.placeholder(tf.int32, [None])
reward = tf.placeholder(tf.float32, [None])
following = tf.placeholder(tf.float32, [None, 5])

w = tf.Variable(tf.random_normal([5, 3], stddev=0.5), name="w")
b = tf.Variable(tf.zeros([3]), name="b")
target_w = tf.Variable(w.initialized_value(), trainable=False, name="target_w")
target_b = tf.Variable(tf.zeros([3]), trainable=False, name="target_b")
updates = tf.Variable(0, trainable=False, name="updates")

chosen = tf.reduce_sum((tf.matmul(state, w) + b) * tf.one_hot(action, 3), axis=1)
best = tf.reduce_max(tf.matmul(following, target_w) + target_b, axis=1)
goal = tf.stop_gradient(reward + GAMMA * best)
loss = tf.reduce_sum(tf.square(chosen - goal))
train_op = tf.train.MomentumOptimizer(0.002, 0.9, use_nesterov=True).minimize(loss)
follow = tf.group(
    target_w.assign((1 - TAU) * target_w + TAU * w),
    target_b.assign((1 - TAU) * target_b + TAU * b),
    tf.assign_add(updates, 1))

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(40):
        s = rng.randn(16, 5)
        a = rng.randint(0, 3, 16)
        r = s[:, 0] * (a == 0) + s[:, 1] * (a == 1)
        feed = {state: s, action: a, reward: r, following: 0.9 * s + 0.1}
        _, value = sess.run([train_op, loss], feed)
        sess.run(follow)
        if step % 8 == 7:
            print("step %d: loss %.4f, updates %d" % (step, value, sess.run(updates)))
    print("target", np.round(sess.run(target_b), 5))
