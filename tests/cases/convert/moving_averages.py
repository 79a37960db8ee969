# Moving averages: after each update, counted and not; read in a graph and by the host; restored in place of the weights.
import os
import tempfile
import tensorflow as tf

folder = tempfile.mkdtemp()
x = tf.placeholder(tf.float32, [None, 2])
target = tf.placeholder(tf.float32, [None, 1])


def averaged(keeper, update):
    with tf.control_dependencies([update]):
        kept = keeper.apply()
    return kept


with tf.variable_scope("layer"):
    w = tf.get_variable("w", initializer=[[0.5], [-0.25]])
    b = tf.get_variable("b", initializer=[0.1])
step = tf.Variable(0, trainable=False, name="step")
counted = tf.train.ExponentialMovingAverage(0.9, step)
plain = tf.train.ExponentialMovingAverage(decay=0.5, name="Plain")
y = tf.matmul(x, w) + b
loss = tf.reduce_mean(tf.square(y - target))
update = tf.train.GradientDescentOptimizer(0.05).minimize(loss, global_step=step)
train = averaged(counted, update)
with tf.control_dependencies([train]):
    both = tf.group(plain.apply([w]))
of_averages = tf.matmul(x, counted.average(w)) + counted.average(b)
saver = tf.train.Saver()
feed = {x: [[1.0, 2.0], [3.0, -1.0]], target: [[1.0], [2.0]]}
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(4):
        print(sess.run([both, loss], feed)[1])
        print(sess.run(of_averages, feed), sess.run([w, counted.average(w), plain.average(w)]))
    print(counted.average_name(w), plain.average_name(b), sorted(counted.variables_to_restore()))
    path = saver.save(sess, os.path.join(folder, "model"))
    print(sess.run(y, feed))
    averages = tf.train.Saver(counted.variables_to_restore([w, b]))
    averages.restore(sess, path)
    print(sess.run(y, feed), sess.run(step))
