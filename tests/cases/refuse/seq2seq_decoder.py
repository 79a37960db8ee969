# refuse: tf.contrib.seq2seq has no counterpart in TensorFlow 2
import numpy as np
import tensorflow as tf

inputs = tf.placeholder(tf.float32, [2, 3, 4])
lengths = tf.constant([3, 2])
cell = tf.nn.rnn_cell.GRUCell(5)
helper = tf.contrib.seq2seq.TrainingHelper(inputs, lengths)  # here
decoder = tf.contrib.seq2seq.BasicDecoder(cell, helper, cell.zero_state(2, tf.float32))  # here
outputs, _, _ = tf.contrib.seq2seq.dynamic_decode(decoder)  # here
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(outputs.rnn_output, {inputs: np.ones((2, 3, 4))}).shape)
