# refuse: tf.contrib.crf has no counterpart in TensorFlow 2
import numpy as np
import tensorflow as tf

scores = tf.placeholder(tf.float32, [2, 4, 3])
tags = tf.placeholder(tf.int32, [2, 4])
likelihood, params = tf.contrib.crf.crf_log_likelihood(scores, tags, tf.constant([4, 3]))  # here
loss = tf.reduce_mean(-likelihood)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(loss, {scores: np.zeros((2, 4, 3)), tags: np.zeros((2, 4))}) > 0)
