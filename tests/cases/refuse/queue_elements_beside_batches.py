# refuse: elements of a queue fetched beside the batches that are made of them, in no order
import numpy as np
import tensorflow as tf

number, half = tf.train.slice_input_producer([np.arange(6), np.arange(6) / 2.0], shuffle=False)
square = number * number
batch = tf.train.batch([square, half], batch_size=2)
with tf.Session() as sess:
    tf.train.start_queue_runners(sess=sess)
    print(sess.run(square), sess.run(batch))  # here
