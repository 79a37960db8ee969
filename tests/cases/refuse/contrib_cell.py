# refuse: a contrib cell (layer norm) that Keras has no counterpart of
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [2, 3, 4])
cell = tf.contrib.rnn.LayerNormBasicLSTMCell(5)  # here
outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)  # here
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(outputs, {x: np.ones((2, 3, 4))}).shape)
