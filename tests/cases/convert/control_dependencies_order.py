# Order by control_dependencies: the old value is read before, the new one after the update.
import tensorflow as tf

x = tf.placeholder(tf.float32, [])
v = tf.Variable(1.0, use_resource=True)
old = tf.identity(v) * 1.0
with tf.control_dependencies([old]):
    update = v.assign_add(x)
with tf.control_dependencies([update]):
    new = v.read_value() * 10.0
with tf.control_dependencies([new]):
    done = tf.no_op(name="done")
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run([old, new], {x: 2.0}))
    print(sess.run([new, old], {x: 0.5}))
    print(sess.run(done, {x: 1.0}))
    print(sess.run(v))
