# Saver with a step, without one, latest_checkpoint, restore into the same session.
import os
import tempfile
import tensorflow as tf

folder = tempfile.mkdtemp()
v = tf.Variable(1.0, name="v")
w = tf.Variable([2.0, 3.0], name="w")
double = v.assign(v * 2.0)
saver = tf.train.Saver(max_to_keep=2)
only_w = tf.train.Saver([w])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(4):
        sess.run(double)
        saver.save(sess, os.path.join(folder, "model"), global_step=i)
    print(os.path.basename(tf.train.latest_checkpoint(folder)))
    only_w.save(sess, os.path.join(folder, "partial"))
    sess.run(double)
    print(sess.run(v))
    saver.restore(sess, os.path.join(folder, "model-2"))
    print(sess.run(v), sess.run(w))
    sess.run(tf.assign(w, [0.0, 0.0]))
    only_w.restore(sess, os.path.join(folder, "partial"))
    print(sess.run([v, w]))
