# InteractiveSession at module level; ops are built between runs.
import tensorflow as tf

sess = tf.InteractiveSession()
a = tf.constant([[1.0, 2.0], [3.0, 4.0]])
print(a.eval())
b = tf.matmul(a, a)
print(b.eval().sum())
v = tf.Variable(a)
sess.run(v.initializer)
print(v.eval()[1])
sub = tf.subtract(v, [1.0, 1.0])
print(sub.eval())
v.assign(sub).eval()
print(sess.run(v))
print(tf.reduce_mean(b).eval(), tf.argmax(b, 1).eval())
sess.close()
