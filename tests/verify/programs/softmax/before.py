"""A hidden layer with dropout, Adam, a Saver and summaries; everything at module level."""
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(4)
features = rng.rand(120, 5).astype("float32")
labels = np.eye(3, dtype="float32")[rng.randint(0, 3, 120)]

x = tf.placeholder(tf.float32, [None, 5], name="x")
y = tf.placeholder(tf.float32, [None, 3], name="y")
keep_prob = tf.placeholder(tf.float32, name="keep_prob")
w1 = tf.Variable(tf.truncated_normal([5, 8], stddev=0.3), name="w1")
b1 = tf.Variable(tf.zeros([8]), name="b1")
hidden = tf.nn.dropout(tf.nn.relu(tf.matmul(x, w1) + b1), keep_prob)
logits = tf.layers.dense(hidden, 3, name="out")
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=logits))
train_op = tf.train.AdamOptimizer(0.02).minimize(loss)
accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), tf.argmax(y, 1)), tf.float32))
tf.summary.scalar("loss", loss)
merged = tf.summary.merge_all()
saver = tf.train.Saver(max_to_keep=2)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    writer = tf.summary.FileWriter("logs", sess.graph)
    for step in range(30):
        rows = rng.randint(0, 120, 16)
        _, value = sess.run(
            [train_op, loss],
            feed_dict={x: features[rows], y: labels[rows], keep_prob: 0.5})
        if step % 10 == 0:
            summary, _, score = sess.run([merged, loss, accuracy], {x: features, y: labels, keep_prob: 1.0})
            writer.add_summary(summary, step)
            print("step", step, "loss %.4f" % value, "accuracy %.3f" % score)
    saver.save(sess, "saved/model", global_step=step)
    writer.close()
    np.save("weights.npy", sess.run(w1))
