# Ops built after the training loop, and others built in it at each evaluation.
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(0)
X = rng.rand(40, 3)
T = np.eye(2)[(X[:, 0] > X[:, 1]).astype(int)]
x = tf.placeholder(tf.float32, [None, 3])
t = tf.placeholder(tf.float32, [None, 2])
W = tf.Variable(tf.zeros([3, 2]))
logits = tf.matmul(x, W)
xent = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=t, logits=logits))
train_step = tf.train.GradientDescentOptimizer(1.0).minimize(xent)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(12):
        sess.run(train_step, feed_dict={x: X, t: T})
        if i % 4 == 3:
            correct = tf.equal(tf.argmax(logits, 1), tf.argmax(t, 1))
            acc = sess.run(tf.reduce_mean(tf.cast(correct, "float")), feed_dict={x: X, t: T})
            print(i, "%.4f" % acc)
    wrong = tf.reduce_sum(tf.cast(tf.not_equal(tf.argmax(logits, 1), tf.argmax(t, 1)), tf.int32))
    print("wrong", wrong.eval({x: X, t: T}), "%.6f" % sess.run(xent, {x: X, t: T}))
