# Numbers of a queue for two epochs, in batches.
import tensorflow as tf

numbers = tf.train.input_producer(tf.constant([1.0, 2.0, 3.0]), shuffle=False, num_epochs=2)
value = numbers.dequeue()
batch = tf.train.batch([value], batch_size=2)
total = tf.reduce_sum(batch)
with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess=sess, coord=coord)
    for _ in range(2):
        print(sess.run(total))
    coord.request_stop()
    coord.join(threads)
