# tensor.eval(), operation.run() and get_default_session.
import tensorflow as tf

x = tf.placeholder(tf.float32, [2])
w = tf.Variable([1.0, 2.0])
loss = tf.reduce_sum(w * x)
step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
sess = tf.Session()
with sess.as_default():
    tf.global_variables_initializer().run()
    step.run(feed_dict={x: [1.0, 1.0]})
    print(w.eval(), loss.eval({x: [3.0, 4.0]}))
    step.run({x: [0.5, 0.5]}, session=sess)
    print(tf.get_default_session().run(w))
print(w.eval(session=sess))
print((loss * 2.0).eval(feed_dict={x: [1.0, 0.0]}, session=sess))
sess.close()
