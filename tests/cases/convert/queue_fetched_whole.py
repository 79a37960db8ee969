# Batches of several tensors that are fetched as a whole: lists, alone, in other structures, of a function.
import numpy as np
import tensorflow as tf


def make_batch(data):
    x, i = tf.train.slice_input_producer([data, np.arange(8)], shuffle=False)
    return tf.train.batch((x * 2.0, i), 2)


data = np.arange(8.0)
pair = tf.train.slice_input_producer([data, np.arange(8)], shuffle=False)
batch = make_batch(data)
(row,) = tf.train.slice_input_producer([data], shuffle=False)
single = tf.train.batch([row], 3)
total = tf.reduce_sum(batch[0])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    tf.train.start_queue_runners(sess=sess)
    one = sess.run(pair)
    print(type(one).__name__, float(one[0]), int(one[1]))
    two = sess.run(batch)
    print(type(two).__name__, [v.tolist() for v in two])
    three = sess.run({"batch": batch, "total": total})
    print(type(three["batch"]).__name__, [v.tolist() for v in three["batch"]], float(three["total"]))
    x, i = sess.run(batch)
    print(x.tolist(), i.tolist())
    four = sess.run(single)
    print(type(four).__name__, four.tolist())
