# Fetches by attribute of a holder object and by subscript of a dict and list.
# refused for now: TFM101
import tensorflow as tf


class Ops(object):
    pass


x = tf.placeholder(tf.float32, [None])
ops = Ops()
ops.mean = tf.reduce_mean(x)
table = {"max": tf.reduce_max(x), "min": tf.reduce_min(x)}
row = [tf.reduce_sum(x), tf.size(x)]
with tf.Session() as sess:
    feed = {x: [1.0, 4.0, 7.0]}
    print(sess.run(ops.mean, feed))
    print(sess.run(table["max"], feed), sess.run(table["min"], feed))
    print(sess.run(row[0], feed), sess.run(row[1], feed))
    both = sess.run([ops.mean, table["max"]], feed)
    print(both[0], both[1])
