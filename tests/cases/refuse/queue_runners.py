# refuse: input from queues and a Coordinator
import tensorflow as tf

numbers = tf.train.input_producer(tf.constant([1.0, 2.0, 3.0]), shuffle=False, num_epochs=2)  # here
value = numbers.dequeue()
batch = tf.train.batch([value], batch_size=2)  # here
total = tf.reduce_sum(batch)
with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    coord = tf.train.Coordinator()  # here
    threads = tf.train.start_queue_runners(sess=sess, coord=coord)  # here
    for _ in range(2):
        print(sess.run(total))
    coord.request_stop()
    coord.join(threads)
