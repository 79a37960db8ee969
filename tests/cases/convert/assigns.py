# assign, assign_add, assign_sub, scatter_update, load, and the value an assign gives.
import tensorflow as tf

v = tf.Variable([1.0, 2.0, 3.0])
n = tf.Variable(0, trainable=False)
x = tf.placeholder(tf.float32, [3])
set_v = tf.assign(v, x * 2.0)
add = v.assign_add([1.0, 1.0, 1.0])
sub = tf.assign_sub(v, v * 0.5)
poke = tf.scatter_update(v, [0, 2], [10.0, 30.0])
count = tf.assign_add(n, 1)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(set_v, {x: [1.0, 1.0, 2.0]}))
    print(sess.run(add))
    sess.run(sub)
    print(sess.run(v))
    sess.run(poke)
    print(sess.run(v), sess.run(count), sess.run(count))
    v.load([0.0, 0.5, 1.0], sess)
    print(v.eval(session=sess))
    sess.run(v.assign([9.0, 9.0, 9.0]))
    print(sess.run(v), sess.run(n))
