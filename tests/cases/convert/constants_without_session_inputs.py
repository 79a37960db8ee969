# A graph of constants: no placeholder, no variable, several sessions.
import tensorflow as tf

a = tf.constant([1.0, 2.0, 3.0], name="a")
b = tf.constant(2.0)
c = tf.multiply(a, b)
with tf.Session() as sess:
    print(sess.run(c))
    print(sess.run(tf.reduce_sum(c)))
d = c - a
sess = tf.Session()
print(sess.run(d), sess.run([a, d])[1].mean())
sess.close()
hello = tf.constant("Hello, TensorFlow!")
with tf.Session() as sess:
    print(sess.run(hello))
    print(sess.run(tf.string_join([hello, "?"])).decode())
