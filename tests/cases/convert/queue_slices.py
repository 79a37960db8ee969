# Rows of host arrays, preprocessed and batched in a helper whose batches are changed once more.
import numpy as np
import tensorflow as tf


def get_batch(image, label, width, batch_size, capacity):
    image = tf.cast(image, tf.float32)
    label = tf.cast(label, tf.int32)

    # The queue of rows.
    input_queue = tf.train.slice_input_producer([image, label], shuffle=False)
    label = input_queue[1]
    image = tf.reshape(input_queue[0], [width, 2])
    image = (image - 3.0) / 2.0

    image_batch, label_batch = tf.train.batch([image, label], batch_size=batch_size, num_threads=1,
                                              capacity=capacity)
    label_batch = tf.reshape(label_batch, [batch_size])
    image_batch = tf.cast(image_batch, tf.float64)
    return image_batch, label_batch


data = np.arange(30).reshape(5, 6)
train_batch, train_label_batch = get_batch(data, list(range(5)), 3, 2, 64)
total = tf.reduce_sum(train_batch)
with tf.Session() as sess:
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess=sess, coord=coord)
    try:
        for step in np.arange(4):
            if coord.should_stop():
                break
            images, labels = sess.run([train_batch, train_label_batch])
            print(images.shape, images.dtype, images[0, 0], labels)
            print(sess.run(total))
    except tf.errors.OutOfRangeError:
        print("epoch limit reached")
    finally:
        coord.request_stop()
    coord.join(threads)
