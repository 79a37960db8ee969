# Batches with or without shuffling, as the caller says; some elements are augmented on the way.
import numpy as np
import tensorflow as tf


def distort(image):
    return image + 1.0


def generate_batch(image, label, batch_size, shuffle):
    if shuffle:
        images, labels = tf.train.shuffle_batch([image, label], batch_size=batch_size, num_threads=1,
                                                capacity=30, min_after_dequeue=5)
    else:
        images, labels = tf.train.batch([image, label], batch_size=batch_size, num_threads=1, capacity=30)
    return images, tf.reshape(labels, [batch_size])


def inputs(eval_data):
    data = np.arange(12, dtype=np.float32).reshape(6, 2)
    image, label = tf.train.slice_input_producer([data, np.arange(6)], shuffle=False)
    if not eval_data:
        image = distort(image)
    image = image * 10.0
    return generate_batch(image, label, 3, shuffle=not eval_data)


images, labels = inputs(eval_data=True)
more, numbers = inputs(eval_data=False)
with tf.Session() as sess:
    tf.train.start_queue_runners(sess=sess)
    for i in range(3):
        print(sess.run(images).tolist(), sess.run([labels]))
    shuffled, rows = sess.run([more, numbers])
    print(shuffled.shape, (shuffled[:, 0] == (2 * rows + 1) * 10).all())
