"""A classifier whose learning rate is lowered after every batch.

It gets slower with every step: tf.assign is called inside the loop, so each step adds an op to the graph and the session
prepares the whole graph anew for it.
"""
import numpy as np
import tensorflow as tf

batch_size = 50
n_epochs = 8

# synthetic data: 1000 points of 16 features in 4 classes
rng = np.random.RandomState(42)
data = rng.normal(size=(1000, 16)).astype("float32")
classes = np.argmax(data.dot(rng.normal(size=(16, 4))), axis=1)
one_hot = np.eye(4, dtype="float32")[classes]
n_batch = len(data) // batch_size

tf.set_random_seed(42)
x = tf.placeholder(tf.float32, [None, 16])
y = tf.placeholder(tf.float32, [None, 4])
lr = tf.Variable(0.01, dtype=tf.float32, trainable=False, name="learning_rate")

W1 = tf.Variable(tf.truncated_normal([16, 64], stddev=0.1))
b1 = tf.Variable(tf.zeros([64]) + 0.1)
L1 = tf.nn.tanh(tf.matmul(x, W1) + b1)

W2 = tf.Variable(tf.truncated_normal([64, 32], stddev=0.1))
b2 = tf.Variable(tf.zeros([32]) + 0.1)
L2 = tf.nn.tanh(tf.matmul(L1, W2) + b2)

W3 = tf.Variable(tf.truncated_normal([32, 4], stddev=0.1))
b3 = tf.Variable(tf.zeros([4]) + 0.1)
logits = tf.matmul(L2, W3) + b3
prediction = tf.nn.softmax(logits)

loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=logits))
train_step = tf.train.AdamOptimizer(lr).minimize(loss)

correct_prediction = tf.equal(tf.argmax(y, 1), tf.argmax(prediction, 1))
accuracy = tf.reduce_mean(tf.cast(correct_prediction, tf.float32))

init = tf.global_variables_initializer()

with tf.Session() as sess:
    sess.run(init)
    for epoch in range(n_epochs):
        for batch in range(n_batch):
            iteration = epoch * n_batch + batch
            sess.run(tf.assign(lr, 0.01 * (0.995 ** iteration)))
            batch_xs = data[batch * batch_size:(batch + 1) * batch_size]
            batch_ys = one_hot[batch * batch_size:(batch + 1) * batch_size]
            sess.run(train_step, feed_dict={x: batch_xs, y: batch_ys})

        learning_rate = sess.run(lr)
        acc, total = sess.run([accuracy, loss], feed_dict={x: data, y: one_hot})
        print("Iter %2d, loss %.5f, accuracy %.3f, learning rate %.6f" % (epoch, total, acc, learning_rate))
