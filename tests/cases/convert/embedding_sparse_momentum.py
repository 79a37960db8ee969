# Gradients of an embedding lookup with repeated ids: only the touched rows move.
import tensorflow as tf

ids = tf.placeholder(tf.int32, [None])
table = tf.Variable([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0], [4.0, 4.0]], name="table")
rows = tf.nn.embedding_lookup(table, ids)
loss = tf.reduce_sum(tf.square(rows))
train = tf.train.MomentumOptimizer(0.05, 0.9).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for batch in ([0, 1, 1], [1, 2], [0, 0, 0]):
        sess.run(train, {ids: batch})
    print(sess.run(table))
    print(sess.run(rows, {ids: [3, 0]}))
