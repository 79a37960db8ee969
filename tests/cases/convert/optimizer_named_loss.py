# A train op called optimizer, an optimizer called loss_fn, a cost called train.
import tensorflow as tf

x = tf.placeholder(tf.float32, [])
strategy = tf.Variable(1.0, name="strategy")
train = tf.square(strategy * x - 2.0)
loss_fn = tf.train.RMSPropOptimizer(0.1, decay=0.5)
optimizer = loss_fn.minimize(train)
sess = tf.Session()
init = tf.global_variables_initializer()
sess.run(init)
for step in range(4):
    _, optimizer_loss = sess.run([optimizer, train], feed_dict={x: 1.0})
    print(step, "%.6f" % optimizer_loss)
print("%.6f" % sess.run(strategy))
