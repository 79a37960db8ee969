# Scalars and a merged summary; only what the host prints is compared.
import tempfile
import tensorflow as tf

logdir = tempfile.mkdtemp()
x = tf.placeholder(tf.float32, [])
w = tf.Variable(5.0)
loss = tf.square(w - x)
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
tf.summary.scalar("loss", loss)
tf.summary.histogram("w", w)
merged = tf.summary.merge_all()
with tf.Session() as sess:
    writer = tf.summary.FileWriter(logdir, sess.graph)
    sess.run(tf.global_variables_initializer())
    for i in range(4):
        summary, value = sess.run([merged, loss], {x: 1.0})
        sess.run(train, {x: 1.0})
        writer.add_summary(summary, i)
        print(i, value)
    writer.flush()
    writer.close()
