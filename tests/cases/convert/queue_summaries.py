# A training loop over a queue with an epoch limit, a step counter and other fetches of the same batch.
import numpy as np
import tensorflow as tf

features = np.array([[1.0, 2.0], [2.0, 1.0], [0.0, 1.0], [3.0, 1.0]], np.float32)
targets = np.array([1.0, 2.0, 0.0, 3.0], np.float32)


def input_pipeline(batch_size, num_epochs=None):
    x, y = tf.train.slice_input_producer([features, targets], num_epochs=num_epochs, shuffle=False)
    x = tf.identity(x, name="x")
    unused = x * 2.0
    x_batch, y_batch = tf.train.batch([x, y], batch_size=batch_size)
    return x_batch, y_batch


x_batch, y_batch = input_pipeline(2, num_epochs=3)
w = tf.get_variable("w", [2], initializer=tf.zeros_initializer())
global_step = tf.Variable(0, trainable=False)
prediction = tf.reduce_sum(x_batch * w, axis=1)
loss = tf.reduce_mean(tf.square(prediction - y_batch))
rate = tf.train.exponential_decay(0.1, global_step, 2, 0.5)
train_op = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=global_step)

init = [tf.global_variables_initializer(), tf.local_variables_initializer()]
with tf.Session() as sess:
    sess.run(init)
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(coord=coord)
    max_steps = 100
    step = 0
    try:
        while step < max_steps and not coord.should_stop():
            _, step, value, ys = sess.run([train_op, global_step, loss, y_batch])
            print(step, value, ys)
    except tf.errors.OutOfRangeError:
        print("limit of epochs")
    finally:
        coord.request_stop()
        coord.join(threads)
    print(sess.run(w))
