# refuse: tf.metrics keep their counts in local variables that an update op moves
import tensorflow as tf

labels = tf.placeholder(tf.int64, [None])
predictions = tf.placeholder(tf.int64, [None])
accuracy, update = tf.metrics.accuracy(labels, predictions)  # here
with tf.Session() as sess:
    sess.run(tf.local_variables_initializer())
    sess.run(update, {labels: [1, 0], predictions: [1, 1]})
    sess.run(update, {labels: [1, 1], predictions: [1, 1]})
    print(sess.run(accuracy))
