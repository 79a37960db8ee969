# refuse: a queue that the program fills itself
import tensorflow as tf

q = tf.FIFOQueue(2, "int32")  # here
init = q.enqueue_many(([0, 10],))
x = q.dequeue()
q_inc = q.enqueue([x + 1])
with tf.Session() as sess:
    init.run()
    for _ in range(5):
        v, _ = sess.run([x, q_inc])
        print(v)
