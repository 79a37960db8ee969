# The initializer runs twice: values and slots start anew.
import tensorflow as tf

w = tf.Variable(1.0)
loss = tf.square(w - 3.0)
train = tf.train.AdamOptimizer(0.3).minimize(loss)
init = tf.global_variables_initializer()
with tf.Session() as sess:
    for trial in range(2):
        sess.run(init)
        for _ in range(4):
            sess.run(train)
        print(trial, "%.6f" % sess.run(w))
    sess.run(w.initializer)
    print(sess.run(w))
