# Records of a fixed length with a header in each file: bytes are a label and an image.
import os
import tempfile

import numpy as np
import tensorflow as tf

folder = tempfile.mkdtemp()
for k in range(2):
    with open(os.path.join(folder, "data_batch_%d.bin" % k), "wb") as f:
        f.write(b"HEAD")
        for i in range(3):
            f.write(bytes(bytearray([i] + [10 * k + i + j for j in range(8)])))


class Record(object):
    pass


def read_record(filename_queue):
    result = Record()
    label_bytes = 1
    record_bytes = label_bytes + 8
    reader = tf.FixedLengthRecordReader(record_bytes=record_bytes, header_bytes=4)
    _, value = reader.read(filename_queue)
    record = tf.decode_raw(value, tf.uint8)
    label = tf.cast(tf.strided_slice(record, [0], [label_bytes]), tf.int32)
    depth_major = tf.reshape(tf.strided_slice(record, [label_bytes], [record_bytes]), [2, 2, 2])
    image = tf.transpose(depth_major, [1, 2, 0])
    return tf.cast(image, tf.float32), label


files = [os.path.join(folder, "data_batch_%d.bin" % k) for k in range(2)]
filename_queue = tf.train.string_input_producer(files, shuffle=False, num_epochs=1)
image, label = read_record(filename_queue)
label.set_shape([1])
images, labels = tf.train.batch([image, label], 4, allow_smaller_final_batch=True)

with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess=sess, coord=coord)
    try:
        while not coord.should_stop():
            a, b = sess.run([images, labels])
            print(a.shape, a[:, 0, 0, 1], b[:, 0])
    except tf.errors.OutOfRangeError:
        print("end")
    coord.request_stop()
    coord.join(threads)
