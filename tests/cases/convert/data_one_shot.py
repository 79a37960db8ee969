# A one-shot iterator until OutOfRangeError.
import tensorflow as tf

data = tf.data.Dataset.from_tensor_slices([1.0, 2.0, 3.0, 4.0, 5.0]).batch(2)
item = data.make_one_shot_iterator().get_next()
total = tf.reduce_sum(item)
with tf.Session() as sess:
    try:
        while True:
            print(sess.run(total))
    except tf.errors.OutOfRangeError:
        print("end")
