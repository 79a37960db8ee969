# Examples of two record files for two epochs, with a smaller last batch; a reader, a pipeline and a training function.
import os
import tempfile

import numpy as np
import tensorflow as tf


def write(path, start):
    writer = tf.python_io.TFRecordWriter(path)
    for i in range(start, start + 5):
        example = tf.train.Example(features=tf.train.Features(feature={
            "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[i])),
            "image_raw": tf.train.Feature(bytes_list=tf.train.BytesList(
                value=[np.arange(i, i + 4, dtype=np.uint8).tobytes()])),
        }))
        writer.write(example.SerializeToString())
    writer.close()


def read_and_decode(filename_queue):
    reader = tf.TFRecordReader()
    _, serialized_example = reader.read(filename_queue)
    features = tf.parse_single_example(
        serialized_example,
        # Defaults are not specified since both keys are required.
        features={
            "image_raw": tf.FixedLenFeature([], tf.string),
            "label": tf.FixedLenFeature([], tf.int64),
        })

    # Convert from a scalar string tensor to a uint8 tensor.
    image = tf.decode_raw(features["image_raw"], tf.uint8)
    image.set_shape([4])
    image = tf.cast(image, tf.float32) * (1. / 255) - 0.5

    label = tf.cast(features["label"], tf.int32)

    return image, label


def inputs(files, batch_size, num_epochs):
    if not num_epochs:
        num_epochs = None
    with tf.name_scope("input"):
        filename_queue = tf.train.string_input_producer(files, num_epochs=num_epochs, shuffle=False)
        image, label = read_and_decode(filename_queue)
        images, labels = tf.train.batch(
            [image, label], batch_size=batch_size, capacity=100, allow_smaller_final_batch=True)
        return images, labels


def run_training(files):
    with tf.Graph().as_default():
        images, labels = inputs(files, 4, 2)
        w = tf.Variable(tf.ones([4, 3]))
        logits = tf.matmul(images, w)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(logits=logits, labels=labels % 3))
        train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss)

        # The op for initializing the variables, the epochs' counter too.
        init_op = tf.group(tf.global_variables_initializer(), tf.local_variables_initializer())
        sess = tf.Session()
        sess.run(init_op)

        # Start input enqueue threads.
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess=sess, coord=coord)
        try:
            step = 0
            while not coord.should_stop():
                _, loss_value = sess.run([train_op, loss])
                print("Step %d: loss = %.5f" % (step, loss_value))
                step += 1
        except tf.errors.OutOfRangeError:
            print("Done training, %d steps." % step)
        finally:
            # When done, ask the threads to stop.
            coord.request_stop()

        # Wait for threads to finish.
        coord.join(threads)
        sess.close()


if __name__ == "__main__":
    folder = tempfile.mkdtemp()
    paths = [os.path.join(folder, "a.tfrecords"), os.path.join(folder, "b.tfrecords")]
    write(paths[0], 0)
    write(paths[1], 50)
    run_training(paths)
