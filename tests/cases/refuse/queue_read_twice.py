# refuse: two readers take file names from one queue, in no order
import os
import tempfile
import tensorflow as tf

folder = tempfile.mkdtemp()
files = [os.path.join(folder, name) for name in ("a.txt", "b.txt")]
for name in files:
    open(name, "w").write(name)
queue = tf.train.string_input_producer(files, shuffle=False)  # here
first = tf.WholeFileReader()
second = tf.WholeFileReader()
_, one = first.read(queue)
_, other = second.read(queue)
with tf.Session() as sess:
    tf.train.start_queue_runners(sess=sess)
    print(len(sess.run(one)), len(sess.run(other)))
