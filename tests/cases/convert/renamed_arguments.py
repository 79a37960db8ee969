# Old argument names and functions that were renamed.
import tensorflow as tf

x = tf.placeholder(tf.float32, [2, 3])
ops = [
    tf.reduce_sum(x, reduction_indices=[1]),
    tf.reduce_mean(x, 0, keep_dims=True),
    tf.argmax(x, dimension=1),
    tf.expand_dims(x, dim=0),
    tf.concat([x, x], 1),
    tf.split(x, 3, 1)[1],
    tf.log(x + 1.0),
    tf.div(x, 2.0),
    tf.to_int32(x),
    tf.nn.softmax(x, dim=0),
    tf.matrix_transpose(x),
    tf.nn.l2_normalize(x, dim=1),
]
with tf.Session() as sess:
    for value in sess.run(ops, {x: [[1.0, 5.0, 2.0], [4.0, 0.0, 3.0]]}):
        print(value.shape, " ".join("%.5f" % v for v in value.ravel()))
