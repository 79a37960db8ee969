# Files found by a pattern; features fetched one by one, and their file names.
import os
import tempfile

import tensorflow as tf


def _int64_feature(value):
    return tf.train.Feature(int64_list=tf.train.Int64List(value=[value]))


folder = tempfile.mkdtemp()
for i in range(2):
    filename = os.path.join(folder, "data.tfrecords-%.5d-of-%.5d" % (i, 2))
    writer = tf.python_io.TFRecordWriter(filename)
    for j in range(2):
        example = tf.train.Example(features=tf.train.Features(feature={
            "i": _int64_feature(i), "j": _int64_feature(j)}))
        writer.write(example.SerializeToString())
    writer.close()

files = tf.train.match_filenames_once(os.path.join(folder, "data.tfrecords-*"))
filename_queue = tf.train.string_input_producer(files, shuffle=False)
reader = tf.TFRecordReader()
_, serialized_example = reader.read(filename_queue)
features = tf.parse_single_example(
    serialized_example,
    features={
        "i": tf.FixedLenFeature([], tf.int64),
        "j": tf.FixedLenFeature([], tf.int64),
    })

with tf.Session() as sess:
    tf.local_variables_initializer().run()
    print([os.path.basename(f.decode()) for f in sess.run(files)])
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess=sess, coord=coord)
    for i in range(6):
        print("%d %d" % tuple(sess.run([features["i"], features["j"]])))
    coord.request_stop()
    coord.join(threads)
