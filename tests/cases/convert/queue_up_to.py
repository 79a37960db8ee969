# Several lines in one read, and numbers of a queue taken one by one.
import os
import tempfile

import tensorflow as tf

folder = tempfile.mkdtemp()
for k in range(2):
    with open(os.path.join(folder, "%d.txt" % k), "w") as f:
        f.writelines("%d\n" % (10 * k + i) for i in range(5))

filename_queue = tf.train.string_input_producer(
    [os.path.join(folder, "0.txt"), os.path.join(folder, "1.txt")], shuffle=False, num_epochs=1)
reader = tf.TextLineReader()
keys, lines = reader.read_up_to(filename_queue, 3)
numbers = tf.string_to_number(lines, tf.int32)
batch = tf.train.batch([numbers], batch_size=4, enqueue_many=True, allow_smaller_final_batch=True)

counts = tf.train.range_input_producer(3, shuffle=False)
count = counts.dequeue()

with tf.Session() as sess:
    sess.run(tf.local_variables_initializer())
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess, coord)
    for i in range(4):
        try:
            print(sess.run(batch), sess.run(count + 1))
        except tf.errors.OutOfRangeError:
            print("no more")
            break
    coord.request_stop()
    coord.join(threads)
