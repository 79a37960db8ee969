# One iterator switched between two datasets by their initializers.
# refused for now: TFM127
import tensorflow as tf

train_ds = tf.data.Dataset.range(4).map(lambda v: tf.cast(v, tf.float32))
test_ds = tf.data.Dataset.range(10, 12).map(lambda v: tf.cast(v, tf.float32))
it = tf.data.Iterator.from_structure(train_ds.output_types, train_ds.output_shapes)
value = it.get_next()
out = value * 0.5
to_train = it.make_initializer(train_ds)
to_test = it.make_initializer(test_ds)
with tf.Session() as sess:
    for epoch in range(2):
        sess.run(to_train)
        for _ in range(3):
            print(epoch, sess.run(out))
        sess.run(to_test)
        print("test", [float(sess.run(out)) for _ in range(2)])
