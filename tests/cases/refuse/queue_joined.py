# refuse: threads that read different files put their elements into one queue, in no order
import tensorflow as tf

examples = [[tf.constant(1.0)], [tf.constant(2.0)]]
batch = tf.train.batch_join(examples, batch_size=2)  # here
with tf.Session() as sess:
    tf.train.start_queue_runners(sess=sess)
    print(sess.run(batch))
