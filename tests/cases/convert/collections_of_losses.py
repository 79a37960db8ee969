# Own collections and the collection of losses.
import tensorflow as tf

x = tf.placeholder(tf.float32, [None])
a = tf.Variable(2.0, name="a")
b = tf.Variable(-1.0, name="b")
tf.add_to_collection("decay", 0.1 * tf.square(a))
tf.add_to_collection("decay", 0.2 * tf.square(b))
mse = tf.losses.mean_squared_error(labels=tf.zeros_like(x), predictions=a * x + b)
total = tf.add_n(tf.get_collection("decay")) + mse
everything = tf.losses.get_total_loss()
train = tf.train.GradientDescentOptimizer(0.1).minimize(total)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    feed = {x: [1.0, 2.0, 3.0]}
    for _ in range(3):
        sess.run(train, feed)
        print(sess.run([total, everything], feed))
    print(sess.run([a, b]))
